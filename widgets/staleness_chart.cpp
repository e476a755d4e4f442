#include "widgets/staleness_chart.h"

#include "widgets/chart_view.h"

#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr std::size_t k_least_bars = 9;
constexpr std::size_t k_most_bars = 16;

} // namespace

StalenessPlot::StalenessPlot(QChart* chart, QObject* parent)
    : QObject(parent),
      chart_(chart),
      bars_(new QBarSet(tr("gradients"))),
      theory_(new QLineSeries),
      x_(new QBarCategoryAxis),
      y_(new QValueAxis)
{
    auto* series = new QBarSeries;
    series->append(bars_);
    series->setBarWidth(0.79);
    chart_->setAnimationOptions(QChart::NoAnimation);
    chart_->addSeries(series);
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    series->attachAxis(x_);
    series->attachAxis(y_);
    theory_->setName(tr("theory"));
    chart_->addSeries(theory_);
    theory_->attachAxis(x_);
    theory_->attachAxis(y_);
    chart_->legend()->hide();
    y_->setVisible(false);
    x_->setTruncateLabels(false);
    show({});
}

void StalenessPlot::setTheme(const Theme& theme, const QFont& font)
{
    chart_->setBackgroundVisible(false);
    chart_->setMargins(QMargins(14, 4, 14, 2));
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    bars_->setColor(theme.staleness);
    bars_->setBorderColor(theme.staleness);
    QPen pen(theme.text, 1.5, Qt::CustomDashLine);
    pen.setDashPattern({2.5, 2.5});
    theory_->setPen(pen);
    x_->setLabelsFont(fontFor(TextRole::Tiny, font));
    x_->setLabelsColor(theme.muted);
    x_->setGridLineVisible(false);
    x_->setLinePen(QPen(theme.muted, 1));
}

StalenessBars stalenessBars(const StalenessHistogram& histogram, std::optional<double> p)
{
    const auto& counts = histogram.counts();
    const std::size_t bars = std::clamp(counts.size(), k_least_bars, k_most_bars);
    const bool gathers = counts.size() > bars;
    StalenessBars drawn;
    drawn.gradients.resize(static_cast<qsizetype>(bars));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        drawn.gradients[static_cast<qsizetype>(std::min(i, bars - 1))] += static_cast<double>(counts[i]);
    }
    drawn.highest = *std::ranges::max_element(drawn.gradients);
    for (std::size_t i = 0; i < bars; ++i) {
        const bool is_rest = gathers && i + 1 == bars;
        drawn.labels << (is_rest ? StalenessPlot::tr("%1+").arg(i) : QString::number(i));
        if (p && histogram.total() > 0) {
            const double beyond = std::pow(1 - *p, static_cast<double>(i));
            drawn.law.emplaceBack(i, static_cast<double>(histogram.total()) * beyond * (is_rest ? 1 : *p));
            drawn.highest = std::max(drawn.highest, drawn.law.back().y());
        }
    }
    return drawn;
}

void StalenessPlot::show(const StalenessHistogram& histogram, std::optional<double> p)
{
    const StalenessBars drawn = stalenessBars(histogram, p);
    if (drawn.gradients == shown_ && p == shown_p_) {
        return;
    }
    if (drawn.labels != labels_) {
        labels_ = drawn.labels;
        bars_->remove(0, static_cast<int>(bars_->count()));
        bars_->append(drawn.gradients);
        x_->setCategories(labels_);
    } else {
        for (qsizetype i = 0; i < drawn.gradients.size(); ++i) {
            if (drawn.gradients[i] != shown_[i]) {
                bars_->replace(static_cast<int>(i), drawn.gradients[i]);
            }
        }
    }
    shown_ = drawn.gradients;
    shown_p_ = p;
    theory_->replace(drawn.law);
    theory_->setVisible(!drawn.law.isEmpty());
    if (drawn.highest > y_->max() || drawn.highest < 0.6 * y_->max() || y_->max() <= 1) {
        y_->setRange(0, std::max(1.0, drawn.highest * 1.2));
    }
}

StalenessChart::StalenessChart(QWidget* parent)
    : QWidget(parent),
      view_(new ChartView(new QChart, this)),
      plot_(new StalenessPlot(view_->chart(), this))
{
    setObjectName(QStringLiteral("stalenessChart"));
    view_->setAccessibleName(tr("Staleness"));
    plot_->setTheme(themeOf(palette()), font());
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 0, 4, 4);
    rows->addWidget(view_);
    connect(view_, &ChartView::hovered, this, &StalenessChart::readOut);
    connect(view_, &ChartView::left, view_, &ChartView::clearReadOut);
    connect(view_, &ChartView::stepped, this, &StalenessChart::stepped);
}

void StalenessChart::readOut(QPointF where)
{
    const QRectF plot = view_->chart()->plotArea();
    if (total_ <= 0 || !plot.contains(where)) {
        view_->clearReadOut();
        return;
    }
    const double width = plot.width() / static_cast<double>(plot_->barCount());
    const auto bar =
        std::min(static_cast<qsizetype>((where.x() - plot.left()) / width), plot_->barCount() - 1);
    const double gradients = plot_->gradientsOf(bar);
    view_->setReadOut(plot.left() + (static_cast<double>(bar) + 0.5) * width,
                      {{tr("staleness %1").arg(plot_->labelOf(bar)), QColor(), -1},
                       {tr("gradients %L1, %2 %")
                            .arg(gradients, 0, 'f', 0)
                            .arg(100 * gradients / static_cast<double>(total_), 0, 'f', 1),
                        themeOf(palette()).staleness, -1}});
}

void StalenessChart::refresh(const Frame& frame)
{
    const StalenessHistogram& histogram = frame.staleness;
    const Prediction& theory = frame.theory;
    if (!isVisible() || (histogram.total() == total_ && theory == theory_)) {
        return;
    }
    total_ = histogram.total();
    theory_ = theory;
    plot_->show(histogram, theory.geometric_staleness);
    QString remark = tr("versions behind · mean %1").arg(histogram.mean(), 0, 'f', 1);
    if (theory.mean_staleness) {
        remark += tr(" · theory %1").arg(*theory.mean_staleness, 0, 'f', 1);
    }
    Q_EMIT remarkChanged(remark);
}

void StalenessChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        plot_->setTheme(themeOf(palette()), font());
    }
}

} // namespace lab
