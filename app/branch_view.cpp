#include "app/branch_view.h"

#include "app/branch_runner.h"
#include "widgets/chart_legend.h"
#include "widgets/chart_view.h"
#include "widgets/loss_curves.h"

#include <QChart>
#include <QEvent>
#include <QHeaderView>
#include <QLegend>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

namespace {

QString figure(double value, int digits = 4)
{
    return std::isfinite(value) ? QString::number(value, 'g', digits) : QStringLiteral("–");
}

QString percent(double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1); }

QString waitedForText(const BranchRunner::Side& side)
{
    const NodeId node = mostWaitedFor(side.last);
    if (!node.isValid()) {
        return QStringLiteral("–");
    }
    return BranchView::tr("%1 (%2 s)")
        .arg(QString::fromStdString(side.experiment.cluster.nodes[node.index()].name))
        .arg(toSeconds(side.last.nodes[node.index()].cost_others), 0, 'f', 1);
}

Curve curveOf(const BranchRunner::Side& side, const QString& name)
{
    Curve curve{name, {}, QColor(), Qt::SolidLine, 1.8, true};
    for (const Evaluation& one : side.curve) {
        curve.points.emplaceBack(toSeconds(one.time), one.train_loss);
    }
    return curve;
}

/// A vertical line at the moment of the branch, as high as the curves.
Curve momentOf(double x, const std::vector<Curve>& curves, const QString& name, const QColor& colour)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const Curve& curve : curves) {
        for (const QPointF& point : curve.points) {
            if (std::isfinite(point.y())) {
                low = std::min(low, point.y());
                high = std::max(high, point.y());
            }
        }
    }
    return {name, {{x, low}, {x, high}}, colour, Qt::DotLine, 1, false};
}

} // namespace

BranchView::BranchView(QWidget* parent)
    : QWidget(parent),
      view_(new ChartView(new QChart, this)),
      plot_(new LinePlot(view_->chart(), this)),
      legend_(new ChartLegend(this)),
      figures_(new QTableWidget(6, 2, this))
{
    view_->setAccessibleName(tr("Training loss of both runs"));
    view_->chart()->legend()->hide();
    view_->setMinimumHeight(220);
    plot_->setTheme(themeOf(palette()), font());
    plot_->setUnit(QStringLiteral("s"));
    plot_->setLogarithmic(true);
    connect(view_, &ChartView::hovered, this, [this](QPointF where) { readOut(plot_->valueAt(where.x())); });
    connect(view_, &ChartView::left, view_, &ChartView::clearReadOut);

    figures_->setCornerButtonEnabled(false);
    figures_->setObjectName(QStringLiteral("whatIfFigures"));
    figures_->setAccessibleName(tr("Figures of both runs"));
    figures_->setHorizontalHeaderLabels({tr("as it was"), tr("what if")});
    figures_->setVerticalHeaderLabels({tr("training loss"), tr("validation accuracy"), tr("updates"),
                                       tr("waiting since"), tr("mean staleness"), tr("most waited for")});
    figures_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    figures_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    figures_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    figures_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(view_, 1);
    rows->addWidget(legend_);
    rows->addWidget(figures_);
}

void BranchView::clear()
{
    curves_.clear();
    plot_->restart();
    figures_->clearContents();
}

void BranchView::refresh(const BranchRunner& runner)
{
    moment_ = toSeconds(runner.whatIf().at);
    curves_ = {curveOf(runner.asItWas(), tr("as it was")),
               curveOf(runner.branch(), QString::fromStdString("if " + runner.whatIf().clause))};
    redraw();
}

void BranchView::redraw()
{
    const Theme& theme = themeOf(palette());
    std::vector<ChartLegend::Entry> entries;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        Curve& curve = curves_[i];
        curve.colour = theme.series[i];
        curve.dash = i == 0 ? Qt::SolidLine : Qt::CustomDashLine;
        const QString last = curve.points.isEmpty() ? QString() : figure(curve.points.back().y(), 3);
        entries.push_back({curve.name, last, curve.colour, i == 0 ? Qt::SolidLine : Qt::DashLine});
    }
    legend_->setEntries(std::move(entries));
    std::vector<Curve> shown = curves_;
    if (std::ranges::any_of(curves_, [](const Curve& curve) { return !curve.points.isEmpty(); })) {
        shown.push_back(momentOf(moment_, curves_, tr("branch"), theme.muted));
    }
    plot_->show(shown, 1e-9);
}

void BranchView::showFigures(const BranchRunner& runner)
{
    int column = 0;
    for (const BranchRunner::Side* side : {&runner.asItWas(), &runner.branch()}) {
        const Evaluation last = side->curve.empty() ? Evaluation{} : side->curve.back();
        const QStringList texts{figure(last.train_loss),
                                std::isfinite(last.validation_accuracy) ? percent(last.validation_accuracy)
                                                                        : QStringLiteral("–"),
                                QString::number(side->last.version),
                                percent(side->idle()),
                                figure(side->last.staleness.mean(), 3),
                                waitedForText(*side)};
        for (int row = 0; row < texts.size(); ++row) {
            auto* item = new QTableWidgetItem(texts[row]);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            figures_->setItem(row, column, item);
        }
        ++column;
    }
}

void BranchView::readOut(double x)
{
    std::vector<ChartView::Reading> readings;
    double pixel = -1;
    for (const Curve& curve : curves_) {
        if (const auto point = nearestPoint(curve, x)) {
            const QPointF at = plot_->pixelOf(*point);
            if (readings.empty()) {
                readings.push_back({tr("%1 s").arg(point->x(), 0, 'f', 2), QColor(), -1});
                pixel = at.x();
            }
            readings.push_back(
                {QStringLiteral("%1  %2").arg(curve.name, figure(point->y())), curve.colour, at.y()});
        }
    }
    if (readings.empty()) {
        view_->clearReadOut();
    } else {
        view_->setReadOut(pixel, std::move(readings));
    }
}

void BranchView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        plot_->setTheme(themeOf(palette()), font());
        redraw();
    }
}

} // namespace lab
