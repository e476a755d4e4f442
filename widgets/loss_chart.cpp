#include "widgets/loss_chart.h"

#include "widgets/chart_legend.h"
#include "widgets/chart_view.h"

#include <QActionGroup>
#include <QChart>
#include <QEvent>
#include <QLegend>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

double placeOf(const Evaluation& one, LossAxis axis)
{
    switch (axis) {
    case LossAxis::Time:
        return toSeconds(one.time);
    case LossAxis::Updates:
        return static_cast<double>(one.update);
    case LossAxis::Samples:
        return static_cast<double>(one.samples);
    }
    return 0;
}

QString valueText(double value)
{
    return std::isfinite(value) ? QString::number(value, 'f', value < 0.1 ? 4 : 3)
                                : LossChart::tr("not finite");
}

/// A small button in a card's header that opens a menu of choices and shows the one in force.
QToolButton* choiceButton(const QString& name, const QStringList& words, int chosen)
{
    auto* button = new QToolButton;
    button->setProperty("quiet", true);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(button);
    auto* group = new QActionGroup(menu);
    for (const QString& word : words) {
        QAction* action = menu->addAction(word);
        action->setCheckable(true);
        group->addAction(action);
    }
    menu->actions().at(chosen)->setChecked(true);
    button->setText(words.at(chosen) + QStringLiteral(" ▾"));
    button->setMenu(menu);
    QObject::connect(group, &QActionGroup::triggered, button,
                     [button](QAction* action) { button->setText(action->text() + QStringLiteral(" ▾")); });
    return button;
}

} // namespace

std::vector<Curve> lossCurves(const std::vector<Evaluation>& curve, LossAxis axis, const Theme& theme,
                              const QString& run)
{
    Curve training{LossChart::tr("%1, training").arg(run), {}, theme.series[0], Qt::SolidLine, 2.6, true};
    Curve validation{LossChart::tr("validation"), {}, theme.series[1], Qt::CustomDashLine, 1.8, false};
    bool has_validation = false;
    for (const Evaluation& one : curve) {
        training.points.emplaceBack(placeOf(one, axis), one.train_loss);
        validation.points.emplaceBack(placeOf(one, axis), one.validation_loss);
        has_validation = has_validation || std::isfinite(one.validation_loss);
    }
    std::vector<Curve> curves{training};
    if (has_validation) {
        curves.push_back(validation);
    }
    return curves;
}

LossChart::LossChart(QWidget* parent)
    : QWidget(parent),
      view_(new ChartView(new QChart, this)),
      plot_(new LinePlot(view_->chart(), this)),
      legend_(new ChartLegend(this))
{
    setObjectName(QStringLiteral("lossChart"));
    view_->setAccessibleName(tr("Loss"));
    view_->chart()->legend()->hide();
    plot_->setTheme(themeOf(palette()), font());
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 0, 4, 4);
    rows->setSpacing(0);
    rows->addWidget(view_, 1);
    rows->addWidget(legend_);
    connect(view_, &ChartView::hovered, this, &LossChart::readOut);
    connect(view_, &ChartView::left, this, [this] {
        view_->setCursorLine(-1);
        view_->setToolTip({});
    });
}

void LossChart::begin(const QString& name)
{
    name_ = name;
    history_ = nullptr;
    curves_.clear();
    plot_->restart();
}

void LossChart::refresh(const RunHistory& history)
{
    history_ = &history;
    if (isVisible()) {
        redraw();
    }
}

void LossChart::redraw()
{
    if (history_ == nullptr) {
        return;
    }
    curves_ = lossCurves(history_->curve(), axis_, themeOf(palette()), name_);
    plot_->setLogarithmic(logarithmic_);
    plot_->setUnit(axis_ == LossAxis::Time ? QStringLiteral("s") : QString());
    plot_->show(curves_, 1);
    std::vector<ChartLegend::Entry> entries;
    for (const Curve& curve : curves_) {
        const QString value = curve.points.isEmpty() ? QString() : valueText(curve.points.back().y());
        entries.push_back(
            {curve.name, value, curve.colour, curve.dash == Qt::SolidLine ? Qt::SolidLine : Qt::DashLine});
    }
    legend_->setEntries(std::move(entries));
}

void LossChart::readOut(QPointF where)
{
    const QRectF plot_area = view_->chart()->plotArea();
    if (!plot_area.contains(where) || curves_.empty() || curves_.front().points.isEmpty()) {
        view_->setCursorLine(-1);
        return;
    }
    const double x = plot_->valueAt(where.x());
    const auto& points = curves_.front().points;
    auto at = std::ranges::lower_bound(points, x, {}, [](const QPointF& p) { return p.x(); });
    const auto index = std::min<qsizetype>(at - points.begin(), points.size() - 1);
    view_->setCursorLine(plot_->pixelOf({points[index].x(), 1}).x());
    QStringList lines{axis_ == LossAxis::Time ? tr("%1 s").arg(points[index].x(), 0, 'f', 2)
                                              : tr("%L1").arg(points[index].x(), 0, 'f', 0)};
    for (const Curve& curve : curves_) {
        lines << QStringLiteral("%1  %2").arg(curve.name, valueText(curve.points[index].y()));
    }
    view_->setToolTip(lines.join(QLatin1Char('\n')));
}

QWidget* LossChart::makeAxisMenu()
{
    QToolButton* button = choiceButton(tr("Horizontal axis"), {tr("time"), tr("updates"), tr("samples")}, 0);
    button->setObjectName(QStringLiteral("lossAxis"));
    const QList<QAction*> actions = button->menu()->actions();
    for (int i = 0; i < actions.size(); ++i) {
        connect(actions[i], &QAction::triggered, this, [this, i] {
            axis_ = static_cast<LossAxis>(i);
            plot_->restart();
            redraw();
        });
    }
    return button;
}

QWidget* LossChart::makeScaleMenu()
{
    QToolButton* button = choiceButton(tr("Vertical axis"), {tr("linear"), tr("log")}, 1);
    button->setObjectName(QStringLiteral("lossScale"));
    const QList<QAction*> actions = button->menu()->actions();
    for (int i = 0; i < actions.size(); ++i) {
        connect(actions[i], &QAction::triggered, this, [this, i] {
            logarithmic_ = i == 1;
            redraw();
        });
    }
    return button;
}

void LossChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        plot_->setTheme(themeOf(palette()), font());
        redraw();
    }
}

} // namespace lab
