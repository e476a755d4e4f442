#include "widgets/timeline_view.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace lab {

namespace {

constexpr double k_side = 13;
constexpr double k_strip_height = 10;
constexpr double k_shortest = 1e-4; ///< seconds that fill the view at the closest zoom

} // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), chip_(new QPushButton(this))
{
    setObjectName(QStringLiteral("timelineView"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What every node did, a lane for each. Left and Right pan, plus and minus zoom, F follows."));
    setWhatsThis(tr("What every node did. Drag to look back, turn the wheel to zoom. Click to look at a "
                    "moment: canvas and "
                    "charts then show that moment while the run goes on. Hold Shift and drag to select a "
                    "stretch of time, "
                    "and idle time is that of the stretch."));
    setMinimumSize(260, 120);
    setMouseTracking(true);
    chip_->setObjectName(QStringLiteral("timeChip"));
    chip_->setProperty("chip", true);
    chip_->setToolTip(tr("Ends the selection"));
    chip_->hide();
    connect(chip_, &QPushButton::clicked, this, [this] { select(std::nullopt); });
}

QSize TimelineView::sizeHint() const { return {704, 350}; }

void TimelineView::begin(const RunHistory& history, double seconds)
{
    history_ = &history;
    groups_.clear(); // so that they are arranged anew, for names of another length
    flags_.clear();
    flagged_ = 0;
    end_ = 0;
    usual_length_ = std::max(seconds, k_shortest);
    follows_ = true;
    moment_.reset();
    cursor_.reset();
    select(std::nullopt);
    window_ = {0, usual_length_};
    refresh(history);
    setWindow(window_);
}

void TimelineView::refresh(const RunHistory& history)
{
    history_ = &history;
    if (history.latest().nodes.size() != history.nodeCount()) {
        return;
    }
    end_ = toSeconds(history.latest().now);
    if (Partition groups = partitionOf(history.shown()); groups != groups_) {
        groups_ = std::move(groups);
        arrange();
    }
    if (history.log().size() != flagged_) {
        flagged_ = history.log().size();
        flags_ = flagsOf(history.log(), history);
    }
    if (follows_) {
        const double length = window_.length();
        setWindow(end_ > length ? TimeWindow{end_ - length, end_} : TimeWindow{0, length});
    }
    update();
}

void TimelineView::follow()
{
    follows_ = true;
    const double length = window_.length();
    setWindow(end_ > length ? TimeWindow{end_ - length, end_} : TimeWindow{0, length});
}

void TimelineView::zoom(double factor, double about)
{
    const double length = std::clamp(window_.length() * factor, k_shortest, std::max(end_, usual_length_));
    const double share = (about - window_.from) / window_.length();
    TimeWindow window{about - share * length, about + (1 - share) * length};
    if (follows_) {
        window = end_ > length ? TimeWindow{end_ - length, end_} : TimeWindow{0, length};
    }
    setWindow(window);
}

void TimelineView::keepInside(TimeWindow& window) const
{
    const double length = window.length();
    const double latest = std::max(end_, length);
    window.from = std::clamp(window.from, 0.0, latest - length);
    window.to = window.from + length;
}

void TimelineView::setWindow(TimeWindow window)
{
    keepInside(window);
    window_ = window;
    tellWindow();
    update();
}

void TimelineView::tellWindow()
{
    QString words = follows_ ? tr("last %1 s").arg(window_.length(), 0, 'g', 3)
                             : tr("%1–%2 s").arg(window_.from, 0, 'f', 1).arg(window_.to, 0, 'f', 1);
    const double merged = history_ == nullptr ? 0 : toSeconds(history_->mergedBefore());
    if (window_.from < merged) {
        words = tr("%1 · short spans merged before %2 s").arg(words).arg(merged, 0, 'f', 0);
    }
    Q_EMIT windowChanged(words);
}

void TimelineView::showAll()
{
    follows_ = true;
    setWindow({0, std::max(end_, usual_length_)});
}

void TimelineView::setMoment(std::optional<TimePoint> moment)
{
    const bool returns = moment_.has_value() && !moment.has_value();
    moment_ = moment;
    if (returns) {
        follow();
    }
    if (moment_) {
        follows_ = false;
        const double at = toSeconds(*moment_);
        if (at < window_.from || at > window_.to) {
            setWindow({at - window_.length() / 2, at + window_.length() / 2});
        }
        tellWindow();
    }
    update();
}

void TimelineView::select(std::optional<TimeWindow> stretch)
{
    selection_ = stretch;
    chip_->setVisible(stretch.has_value());
    if (stretch) {
        chip_->setText(tr("%1–%2 s ×").arg(stretch->from, 0, 'f', 1).arg(stretch->to, 0, 'f', 1));
        chip_->setAccessibleName(tr("End the selection of %1").arg(chip_->text()));
    }
    update();
    Q_EMIT selectionChanged();
}

void TimelineView::stepMoment(int pixels)
{
    const double from = moment_ ? toSeconds(*moment_) : end_;
    const double to = from + pixels * window_.length() / layout_.plot.width();
    Q_EMIT momentChosen(to >= end_ ? std::nullopt : std::optional<TimePoint>(atSeconds(std::max(0.0, to))));
}

void TimelineView::arrange()
{
    const double names = history_ == nullptr ? 0 : timelineNamesWidth(*history_, font());
    layout_ = layOutTimeline(
        groups_, QRectF(k_side, 4, width() - 2 * k_side - 2, height() - k_strip_height - 26), names);
}

QRectF TimelineView::strip() const
{
    return {layout_.plot.left(), height() - k_strip_height - 10, layout_.plot.width(), k_strip_height};
}

double TimelineView::secondsAt(double x) const
{
    return window_.from + (x - layout_.plot.left()) / layout_.plot.width() * window_.length();
}

double TimelineView::pixelOf(double seconds) const
{
    return layout_.plot.left() + (seconds - window_.from) / window_.length() * layout_.plot.width();
}

void TimelineView::resizeEvent(QResizeEvent*) { arrange(); }

void TimelineView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
    }
}

void TimelineView::paintEvent(QPaintEvent*)
{
    if (history_ == nullptr || layout_.lanes.empty()) {
        return;
    }
    QPainter painter(this);
    drawTimeline(painter, layout_, *history_, flags_, window_, themeOf(palette()), font());
    paintSelection(painter);
    paintMoment(painter);
    paintCursor(painter);
    paintStrip(painter);
}

void TimelineView::paintSelection(QPainter& painter) const
{
    if (!selection_) {
        return;
    }
    const QRectF& plot = layout_.plot;
    const double left = std::clamp(pixelOf(selection_->from), plot.left(), plot.right());
    const double right = std::clamp(pixelOf(selection_->to), plot.left(), plot.right());
    QColor soft = themeOf(palette()).accent;
    painter.setPen(QPen(soft, 1));
    soft.setAlpha(38);
    painter.setBrush(soft);
    painter.drawRect(QRectF(left, plot.top() - 3, right - left, plot.height() + 6));
}

void TimelineView::paintMoment(QPainter& painter) const
{
    if (!moment_) {
        return;
    }
    const Theme& theme = themeOf(palette());
    const double x = pixelOf(toSeconds(*moment_));
    if (x < layout_.plot.left() || x > layout_.plot.right()) {
        return;
    }
    painter.setPen(QPen(theme.text, 2));
    painter.drawLine(QPointF(x, layout_.plot.top() - 4), QPointF(x, layout_.plot.bottom() + 6));
    painter.setBrush(theme.text);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(x, layout_.plot.top() - 2), 4, 4);
}

void TimelineView::paintStrip(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    const QRectF all = strip();
    const double whole = std::max(end_, window_.to);
    const double left = all.left() + window_.from / whole * all.width();
    const double width = std::max(k_strip_height, window_.length() / whole * all.width());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(all, 5, 5);
    QColor thumb = theme.accent;
    thumb.setAlpha(hasFocus() ? 170 : 100);
    painter.setBrush(thumb);
    painter.drawRoundedRect(QRectF(std::min(left, all.right() - width), all.top(), width, all.height()), 5,
                            5);
}

} // namespace lab
