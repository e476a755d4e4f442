#include "widgets/loss_chart.h"

#include "widgets/chart_legend.h"
#include "widgets/chart_view.h"
#include "widgets/style.h"

#include <QActionGroup>
#include <QChart>
#include <QEvent>
#include <QLabel>
#include <QLegend>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace lab {

namespace {

constexpr std::array<double, 5> k_smoothing{0, 0.6, 0.8, 0.9, 0.97};

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

LossChart::LossChart(QWidget* parent)
    : QWidget(parent),
      view_(new ChartView(new QChart, this)),
      plot_(new LinePlot(view_->chart(), this)),
      legend_(new ChartLegend(this)),
      note_(new QLabel(this))
{
    setObjectName(QStringLiteral("lossChart"));
    view_->setAccessibleName(tr("Loss"));
    view_->setWhatsThis(
        tr("The loss over all training rows, and over the validation rows. Point at it to read values; the "
           "menus above change the axes and smooth the curves; Pin run keeps a curve to compare with."));
    view_->chart()->legend()->hide();
    legend_->setObjectName(QStringLiteral("lossLegend"));
    note_->setObjectName(QStringLiteral("lossNote"));
    note_->setProperty("muted", true);
    note_->setWordWrap(true);
    note_->setContentsMargins(12, 0, 4, 0);
    setTextRole(*note_, TextRole::Small);
    note_->hide();
    plot_->setTheme(themeOf(palette()), font());
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(4, 0, 4, 4);
    rows->setSpacing(0);
    rows->addWidget(view_, 1);
    rows->addWidget(note_);
    rows->addWidget(legend_);
    connect(view_, &ChartView::hovered, this, &LossChart::readOut);
    connect(view_, &ChartView::left, this, [this] { Q_EMIT cursorMoved(std::nullopt); });
    connect(view_, &ChartView::stepped, this, &LossChart::stepCursor);
    connect(this, &LossChart::cursorMoved, this, &LossChart::showCursor);
    connect(legend_, &ChartLegend::toggled, this, &LossChart::toggle);
    connect(legend_, &ChartLegend::isolated, this, &LossChart::isolate);
    connect(legend_, &ChartLegend::removed, this, &LossChart::unpin);
}

void LossChart::begin(const QString& name)
{
    state_.name = name;
    history_ = nullptr;
    curves_.clear();
    plot_->restart();
    showCursor(std::nullopt);
}

void LossChart::refresh(const RunHistory& history)
{
    history_ = &history;
    if (isVisible()) {
        redraw();
    }
}

void LossChart::setPinned(std::vector<PinnedRun> runs)
{
    state_.pinned = std::move(runs);
    redraw();
}

void LossChart::redraw()
{
    if (history_ == nullptr) {
        return;
    }
    const Theme& theme = themeOf(palette());
    state_.look.until = history_->isLive() ? std::nullopt : std::optional<TimePoint>(history_->shown().now);
    curves_ = allLossCurves(state_, history_->curve(), theme, tr("%1 (live)").arg(state_.name));
    plot_->setLogarithmic(state_.is_logarithmic);
    plot_->setUnit(state_.look.axis == LossAxis::Time ? QStringLiteral("s") : QString());
    plot_->show(visibleCurves(curves_, state_.hidden), 1);
    showLegend();
    showCursor(cursor_); // the axes may have grown
}

void LossChart::showLegend()
{
    std::vector<ChartLegend::Entry> entries;
    QStringList words;
    for (const Curve& curve : curves_) {
        const QString value = curve.points.isEmpty() ? QString() : lossText(curve.points.back().y());
        const bool is_pinned =
            std::ranges::any_of(state_.pinned, [&](const PinnedRun& run) { return run.name == curve.name; });
        entries.push_back({curve.name, value, curve.colour,
                           curve.dash == Qt::SolidLine ? Qt::SolidLine : Qt::DashLine,
                           state_.hidden.contains(curve.name), is_pinned});
        words << QStringLiteral("%1 %2").arg(curve.name, value);
    }
    legend_->setEntries(std::move(entries));
    view_->setAccessibleDescription(words.join(QStringLiteral(", ")));
    QStringList notes;
    if (plot_->hiddenPoints() > 0) {
        notes << tr("not shown on a log scale, being at or below zero: %1").arg(plot_->hiddenPoints());
    }
    if (plot_->brokenCurves() > 0) {
        notes << tr("▲ from here the loss is not finite");
    }
    note_->setText(notes.join(QStringLiteral(" · ")));
    note_->setVisible(!notes.isEmpty());
}

void LossChart::readOut(QPointF where)
{
    if (history_ == nullptr || !view_->chart()->plotArea().contains(where)) {
        Q_EMIT cursorMoved(std::nullopt);
        return;
    }
    Q_EMIT cursorMoved(momentOf(history_->curve(), plot_->valueAt(where.x()), state_.look.axis));
}

void LossChart::showCursor(std::optional<TimePoint> moment)
{
    cursor_ = moment;
    if (cursor_ && history_ != nullptr) {
        readAt(*cursor_);
    } else {
        view_->clearReadOut();
    }
}

void LossChart::readAt(TimePoint moment)
{
    const double x = placeOf(history_->curve(), moment, state_.look.axis);
    std::vector<ChartView::Reading> readings{
        {state_.look.axis == LossAxis::Time          ? tr("%1 s").arg(x, 0, 'f', 2)
             : state_.look.axis == LossAxis::Updates ? tr("update %L1").arg(x, 0, 'f', 0)
                                                     : tr("sample %L1").arg(x, 0, 'f', 0),
         QColor(), -1}};
    for (const Curve& curve : curves_) {
        const auto point = nearestPoint(curve, x);
        if (point && !state_.hidden.contains(curve.name)) {
            readings.push_back({QStringLiteral("%1  %2").arg(curve.name, lossText(point->y())), curve.colour,
                                plot_->pixelOf(*point).y()});
        }
    }
    view_->setReadOut(plot_->pixelOf({x, 1}).x(), std::move(readings));
}

void LossChart::stepCursor(int evaluations)
{
    if (history_ == nullptr || history_->curve().empty()) {
        return;
    }
    const auto& curve = history_->curve();
    const TimePoint from = cursor_.value_or(evaluations < 0 ? curve.back().time : curve.front().time);
    const auto at = std::ranges::lower_bound(curve, from, {}, &Evaluation::time);
    const auto last = static_cast<std::ptrdiff_t>(curve.size()) - 1;
    // Between two evaluations, the one before is a step back already.
    const bool is_between = at != curve.end() && at->time != from && evaluations > 0;
    const std::ptrdiff_t to = (at - curve.begin()) + evaluations - (is_between ? 1 : 0);
    Q_EMIT cursorMoved(curve[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last))].time);
}

void LossChart::toggle(std::size_t entry)
{
    const QString name = curves_.at(entry).name;
    state_.hidden.contains(name) ? static_cast<void>(state_.hidden.remove(name))
                                 : static_cast<void>(state_.hidden.insert(name));
    redraw();
}

void LossChart::isolate(std::size_t entry)
{
    state_.hidden.clear();
    for (std::size_t i = 0; i < curves_.size(); ++i) {
        if (i != entry) {
            state_.hidden.insert(curves_[i].name);
        }
    }
    redraw();
}

void LossChart::unpin(std::size_t entry)
{
    const QString name = curves_.at(entry).name;
    state_.hidden.remove(name);
    Q_EMIT unpinned(name);
}

void LossChart::setLineScale(double scale)
{
    plot_->setLineScale(scale);
    redraw();
}

QWidget* LossChart::makeAxisMenu()
{
    QToolButton* button = choiceButton(tr("Horizontal axis"), {tr("time"), tr("updates"), tr("samples")}, 0);
    button->setObjectName(QStringLiteral("lossAxis"));
    const QList<QAction*> actions = button->menu()->actions();
    for (int i = 0; i < actions.size(); ++i) {
        connect(actions[i], &QAction::triggered, this, [this, i] {
            state_.look.axis = static_cast<LossAxis>(i);
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
            state_.is_logarithmic = i == 1;
            redraw();
        });
    }
    return button;
}

QWidget* LossChart::makeSmoothingMenu()
{
    QStringList words{tr("raw")};
    for (std::size_t i = 1; i < k_smoothing.size(); ++i) {
        words << tr("smooth %1").arg(k_smoothing[i]);
    }
    QToolButton* button = choiceButton(tr("Smoothing: weight of the past"), words, 0);
    button->setObjectName(QStringLiteral("lossSmoothing"));
    const QList<QAction*> actions = button->menu()->actions();
    for (int i = 0; i < actions.size(); ++i) {
        connect(actions[i], &QAction::triggered, this, [this, i] {
            state_.look.smoothing = k_smoothing[static_cast<std::size_t>(i)];
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

void LossChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    redraw();
}

} // namespace lab
