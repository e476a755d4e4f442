#include "widgets/timeline_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_side = 13;
constexpr double k_strip_height = 10;
constexpr double k_shortest = 1e-4; ///< seconds that fill the view at the closest zoom

} // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("timelineView"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What every node did, a lane for each. Left and Right pan, plus and minus zoom, F follows."));
    setMinimumSize(300, 120);
}

QSize TimelineView::sizeHint() const { return {704, 350}; }

void TimelineView::begin(const RunHistory& history, double seconds)
{
    history_ = &history;
    groups_.clear();
    flags_.clear();
    flagged_ = 0;
    end_ = 0;
    usual_length_ = std::max(seconds, k_shortest);
    follows_ = true;
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
    if (Partition groups = partitionOf(history.latest()); groups != groups_) {
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
    const QString words = follows_ ? tr("last %1 s").arg(window.length(), 0, 'g', 3)
                                   : tr("%1–%2 s").arg(window.from, 0, 'f', 1).arg(window.to, 0, 'f', 1);
    Q_EMIT windowChanged(words);
    update();
}

void TimelineView::arrange()
{
    layout_ =
        layOutTimeline(groups_, QRectF(k_side, 4, width() - 2 * k_side - 2, height() - k_strip_height - 26));
}

QRectF TimelineView::strip() const
{
    return {layout_.plot.left(), height() - k_strip_height - 10, layout_.plot.width(), k_strip_height};
}

double TimelineView::secondsAt(double x) const
{
    return window_.from + (x - layout_.plot.left()) / layout_.plot.width() * window_.length();
}

void TimelineView::resizeEvent(QResizeEvent*) { arrange(); }

void TimelineView::paintEvent(QPaintEvent*)
{
    if (history_ == nullptr || layout_.lanes.empty()) {
        return;
    }
    QPainter painter(this);
    drawTimeline(painter, layout_, *history_, flags_, window_, themeOf(palette()), font());
    paintStrip(painter);
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

void TimelineView::wheelEvent(QWheelEvent* event)
{
    zoom(std::pow(0.999, event->angleDelta().y()), secondsAt(event->position().x()));
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    grip_ = event->position().y() >= strip().top() - 4 ? Grip::Strip : Grip::Lanes;
    grip_x_ = event->position().x();
    grip_window_ = window_;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const double pixels = event->position().x() - grip_x_;
    if (grip_ == Grip::None || pixels == 0 || layout_.plot.width() <= 0) {
        return;
    }
    const double whole = std::max(end_, grip_window_.to);
    const double seconds = grip_ == Grip::Strip ? pixels / layout_.plot.width() * whole
                                                : -pixels / layout_.plot.width() * grip_window_.length();
    TimeWindow window{grip_window_.from + seconds, grip_window_.to + seconds};
    keepInside(window);
    follows_ = window.to >= end_;
    setWindow(window);
}

void TimelineView::mouseReleaseEvent(QMouseEvent*) { grip_ = Grip::None; }

void TimelineView::mouseDoubleClickEvent(QMouseEvent*) { follow(); }

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const double step = window_.length() / 10;
    switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_End:
        follow();
        return;
    case Qt::Key_Left:
        follows_ = false;
        setWindow({window_.from - step, window_.to - step});
        return;
    case Qt::Key_Right: {
        follows_ = window_.to + step >= end_;
        setWindow({window_.from + step, window_.to + step});
        return;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.8, (window_.from + window_.to) / 2);
        return;
    case Qt::Key_Minus:
        zoom(1.25, (window_.from + window_.to) / 2);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace lab
