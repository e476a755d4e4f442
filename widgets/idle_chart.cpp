#include "widgets/idle_chart.h"

#include "widgets/texture.h"
#include "widgets/timeline_view.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_widest_pitch = 24;
constexpr double k_names = 38;

/// What is drawn of a bar, from left to right.
constexpr Activity k_order[] = {Activity::Computing, Activity::Communicating, Activity::Wasted,
                                Activity::Waiting, Activity::Down};

QString figureOf(const IdleBar& bar)
{
    if (bar.is_down) {
        return IdleChart::tr("down");
    }
    return IdleChart::tr("%1 %").arg(std::lround(100 * idleShare(bar.times)));
}

/// `n3: computing 82.1 %, waiting 17.9 %`.
QString sharesOf(const IdleBar& bar)
{
    const double total = toSeconds(bar.times.total());
    QStringList shares;
    for (const Activity activity : k_order) {
        if (const double seconds = toSeconds(bar.times[activity]); seconds > 0) {
            shares
                << IdleChart::tr("%1 %2 %").arg(activityWord(activity)).arg(100 * seconds / total, 0, 'f', 1);
        }
    }
    return QStringLiteral("%1: %2").arg(bar.name, shares.join(QStringLiteral(", ")));
}

void drawBar(QPainter& painter, const QRectF& area, const IdleBar& bar, const Theme& theme)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(area, 3, 3);
    const double total = toSeconds(bar.times.total());
    if (total <= 0) {
        return;
    }
    double left = area.left();
    for (const Activity activity : k_order) {
        const double width = toSeconds(bar.times[activity]) / total * area.width();
        if (width >= 0.5) {
            fillActivityRounded(painter, QRectF(left, area.top(), width, area.height()), 2,
                                theme.of(activity));
        }
        left += width;
    }
}

} // namespace

std::vector<IdleBar> idleBars(const Frame& frame, const RunHistory& history)
{
    std::vector<IdleBar> bars;
    for (std::size_t i = 0; i < frame.nodes.size(); ++i) {
        bars.push_back(
            {history.nameOf(NodeId{i}), frame.nodes[i].times, frame.nodes[i].activity == Activity::Down});
    }
    return bars;
}

double idleHeight(std::size_t nodes, const QFont& font)
{
    return static_cast<double>(nodes) * (QFontMetricsF(fontFor(TextRole::Small, font)).height() + 6);
}

void drawIdle(QPainter& painter, const QRectF& area, const std::vector<IdleBar>& bars, const Theme& theme,
              const QFont& font)
{
    if (bars.empty()) {
        return;
    }
    const double pitch = std::min(k_widest_pitch, area.height() / static_cast<double>(bars.size()));
    const double thickness = std::min(14.0, pitch * 0.69);
    const QFont small = fontFor(TextRole::Small, font);
    const QFontMetricsF metrics(small);
    const double figures = metrics.horizontalAdvance(IdleChart::tr("%1 %").arg(100)) + 24;
    // Where bars stand closer than text is high, every second or third of them is named.
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(metrics.height() * 0.95 / pitch)));
    double widest_name = k_names;
    for (const IdleBar& bar : bars) {
        widest_name = std::max(widest_name, metrics.horizontalAdvance(bar.name) + 8);
    }
    widest_name = std::min(widest_name, area.width() / 3);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(small);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double top = area.top() + static_cast<double>(i) * pitch + (pitch - thickness) / 2;
        const QRectF bar(area.left() + widest_name, top, area.width() - widest_name - figures, thickness);
        drawBar(painter, bar, bars[i], theme);
        if (i % every != 0) {
            continue;
        }
        const double base = bar.center().y() + metrics.capHeight() / 2;
        const QString name = metrics.elidedText(bars[i].name, Qt::ElideRight, widest_name - 8);
        painter.setPen(theme.text);
        painter.drawText(QPointF(bar.left() - 8 - metrics.horizontalAdvance(name), base), name);
        const QString figure = figureOf(bars[i]);
        painter.setPen(theme.muted);
        painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(figure), base), figure);
    }
}

IdleChart::IdleChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("idleChart"));
    setAccessibleName(tr("Idle time per node"));
    setMinimumSize(180, 70);
}

QSize IdleChart::sizeHint() const { return {456, 190}; }

void IdleChart::refresh(const RunHistory& history, const Frame& frame)
{
    if (!isVisible() || history.latest().nodes.size() != history.nodeCount()) {
        return;
    }
    bars_ = idleBars(frame, history);
    if (stretch_) {
        for (std::size_t i = 0; i < bars_.size(); ++i) {
            bars_[i].times = history.timesWithin(NodeId{i}, stretch_->first, stretch_->second);
            bars_[i].is_down = false;
        }
    }
    update();
}

void IdleChart::setStretch(const std::optional<std::pair<TimePoint, TimePoint>>& stretch)
{
    stretch_ = stretch;
}

bool IdleChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || bars_.empty()) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const double pitch = std::min(k_widest_pitch, area().height() / static_cast<double>(bars_.size()));
    const auto row = static_cast<std::size_t>(std::max(0.0, (help->pos().y() - area().top()) / pitch));
    if (row < bars_.size()) {
        QToolTip::showText(help->globalPos(), sharesOf(bars_[row]), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void IdleChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawIdle(painter, area(), bars_, themeOf(palette()), font());
}

} // namespace lab
