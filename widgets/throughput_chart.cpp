#include "widgets/throughput_chart.h"

#include "widgets/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QLegend>
#include <QVBoxLayout>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_moments = 120;

} // namespace

ThroughputChart::ThroughputChart(QWidget* parent)
    : QWidget(parent),
      view_(new ChartView(new QChart, this)),
      plot_(new LinePlot(view_->chart(), this))
{
    setObjectName(QStringLiteral("throughputChart"));
    view_->setAccessibleName(tr("Throughput"));
    view_->setWhatsThis(tr("Samples whose gradients were applied, per second of the run's clock."));
    view_->chart()->legend()->hide();
    plot_->setTheme(themeOf(palette()), font());
    plot_->setUnit(QStringLiteral("s"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 0, 4, 4);
    rows->addWidget(view_);
    connect(view_, &ChartView::hovered, this, &ThroughputChart::readOut);
    connect(view_, &ChartView::left, this, [this] { Q_EMIT cursorMoved(std::nullopt); });
    connect(view_, &ChartView::stepped, this, &ThroughputChart::stepCursor);
    connect(this, &ThroughputChart::cursorMoved, this, &ThroughputChart::showCursor);
}

void ThroughputChart::begin()
{
    curve_ = {};
    plot_->restart();
    showCursor(std::nullopt);
}

void ThroughputChart::refresh(const RunHistory& history)
{
    if (!isVisible()) {
        return;
    }
    const Frame& frame = history.shown();
    curve_ = {tr("samples/s"),
              throughput(history.progress(), frame.now, k_moments),
              themeOf(palette()).series[0],
              Qt::SolidLine,
              2,
              true};
    plot_->show({curve_}, 1);
    showCursor(cursor_); // the axes may have grown
    const double seconds = toSeconds(frame.now);
    const double mean = seconds > 0 ? static_cast<double>(frame.samples) / seconds : 0;
    Q_EMIT remarkChanged(tr("samples per second · mean %L1").arg(mean, 0, 'f', 0));
}

void ThroughputChart::readOut(QPointF where)
{
    const bool is_inside = view_->chart()->plotArea().contains(where);
    Q_EMIT cursorMoved(is_inside ? std::optional(atSeconds(plot_->valueAt(where.x()))) : std::nullopt);
}

void ThroughputChart::showCursor(std::optional<TimePoint> moment)
{
    cursor_ = moment;
    if (!moment || curve_.points.isEmpty()) {
        view_->clearReadOut();
        return;
    }
    const double x = toSeconds(*moment);
    std::vector<ChartView::Reading> readings{{tr("%1 s").arg(x, 0, 'f', 2), QColor(), -1}};
    if (const auto point = nearestPoint(curve_, x)) {
        readings.push_back(
            {tr("%L1 samples/s").arg(point->y(), 0, 'f', 0), curve_.colour, plot_->pixelOf(*point).y()});
    }
    view_->setReadOut(plot_->pixelOf({x, 1}).x(), std::move(readings));
}

void ThroughputChart::stepCursor(int points)
{
    const auto& line = curve_.points;
    if (line.isEmpty()) {
        return;
    }
    const double from = cursor_ ? toSeconds(*cursor_) : points < 0 ? line.back().x() : line.front().x();
    const auto at = std::ranges::lower_bound(line, from - 1e-9, {}, [](const QPointF& p) { return p.x(); });
    const qsizetype to = std::clamp<qsizetype>((at - line.begin()) + points, 0, line.size() - 1);
    Q_EMIT cursorMoved(atSeconds(line[to].x()));
}

void ThroughputChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        plot_->setTheme(themeOf(palette()), font());
    }
}

} // namespace lab
