#include "widgets/throughput_chart.h"

#include "widgets/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QLegend>
#include <QVBoxLayout>

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
    connect(view_, &ChartView::hovered, this, [this](QPointF where) { readOut(plot_->valueAt(where.x())); });
    connect(view_, &ChartView::left, view_, &ChartView::clearReadOut);
}

void ThroughputChart::begin()
{
    curve_ = {};
    plot_->restart();
    view_->clearReadOut();
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
    const double seconds = toSeconds(frame.now);
    const double mean = seconds > 0 ? static_cast<double>(frame.samples) / seconds : 0;
    Q_EMIT remarkChanged(tr("samples per second · mean %L1").arg(mean, 0, 'f', 0));
}

void ThroughputChart::readOut(double x)
{
    const auto point = nearestPoint(curve_, x);
    if (!point) {
        view_->clearReadOut();
        return;
    }
    const QPointF pixel = plot_->pixelOf(*point);
    view_->setReadOut(pixel.x(),
                      {{tr("%1 s").arg(point->x(), 0, 'f', 2), QColor(), -1},
                       {tr("%L1 samples/s").arg(point->y(), 0, 'f', 0), curve_.colour, pixel.y()}});
}

void ThroughputChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        plot_->setTheme(themeOf(palette()), font());
    }
}

} // namespace lab
