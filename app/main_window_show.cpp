// What the window shows of document and run.

#include "app/edits.h"
#include "app/main_window.h"

#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/icons.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/node_panel.h"
#include "widgets/run_bar.h"
#include "widgets/staleness_chart.h"
#include "widgets/strategy_form.h"
#include "widgets/theme.h"
#include "widgets/timeline_view.h"

#include <QAction>
#include <QLabel>
#include <QLocale>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr int k_chart_every = 3; ///< frames; the charts on the right are slower to draw than the canvas

QString titleOf(const Experiment& experiment)
{
    const StrategyInfo* info = findStrategy(experiment.strategy.kind);
    return QString::fromStdString(info == nullptr ? experiment.strategy.kind : info->title);
}

QString modelText(const Experiment& experiment)
{
    const ModelInfo* model = findModel(experiment.model.kind);
    const QString title =
        QString::fromStdString(model == nullptr ? experiment.model.kind : model->id).toUpper();
    const auto* named = std::get_if<std::string>(&experiment.data.source);
    return named == nullptr ? title : MainWindow::tr("%1 on %2").arg(title, QString::fromStdString(*named));
}

/// Why nodes cannot be moved between groups; empty where they can.
QString whyNoMoves(const Experiment& experiment)
{
    const StrategyInfo* info = findStrategy(experiment.strategy.kind);
    if (info == nullptr || info->uses_groups) {
        return {};
    }
    return MainWindow::tr(
               "%1 decides itself who belongs together. Choose a strategy with groups to move nodes.")
        .arg(QString::fromStdString(info->title));
}

QString stateText(const Frame& frame)
{
    switch (frame.state) {
    case RunState::Ready:
        return MainWindow::tr("Ready");
    case RunState::Running:
        return MainWindow::tr("Running");
    case RunState::Paused:
        return MainWindow::tr("Paused");
    case RunState::Failed:
        return MainWindow::tr("Error: %1").arg(QString::fromStdString(frame.message));
    case RunState::Finished:
        break;
    }
    switch (frame.stop_reason.value_or(StopReason::Seconds)) {
    case StopReason::Seconds:
        return MainWindow::tr("Finished: all its time has passed");
    case StopReason::Updates:
        return MainWindow::tr("Finished: all updates are made");
    case StopReason::Samples:
        return MainWindow::tr("Finished: all samples are seen");
    case StopReason::Loss:
        return MainWindow::tr("Finished: the loss aimed at is reached");
    case StopReason::Diverged:
        return MainWindow::tr("Diverged at update %L1").arg(frame.version);
    case StopReason::Stalled:
        return MainWindow::tr("Stalled: no node can make progress");
    }
    return {};
}

} // namespace

void MainWindow::beginRun()
{
    const Experiment& experiment = controller_.experiment();
    std::vector<QString> names;
    for (const NodeSpec& node : experiment.cluster.nodes) {
        names.push_back(QString::fromStdString(node.name));
    }
    history_.begin(std::move(names));
    frames_ = 0;
    cluster_->begin(history_, modelText(experiment), whyNoMoves(experiment));
    timeline_->begin(history_, 60 * std::max(experiment.cluster.batch_seconds, 1e-3));
    loss_->begin(titleOf(experiment));
    bar_->setSeed(QString::number(experiment.seed));
    showDocument();
}

void MainWindow::showFrame(const Frame& frame)
{
    history_.append(frame);
    cluster_->refresh(history_);
    timeline_->refresh(history_);
    if (frames_++ % k_chart_every == 0 || frame.state != RunState::Running) {
        loss_->refresh(history_);
        idle_->refresh(history_);
        staleness_->refresh(history_);
        showNodes();
    }
    bar_->setClock(toSeconds(frame.now));
    showStatus(history_.latest());
}

void MainWindow::showStatus(const Frame& frame)
{
    QStringList parts{stateText(frame)};
    parts << tr("%L1 updates").arg(frame.version) << tr("%L1 samples").arg(frame.samples);
    if (frame.state == RunState::Running) {
        parts << tr("%1 updates/s").arg(history_.updateRate(), 0, 'f', 1);
    }
    parts << tr("cluster idle %1 %").arg(100 * history_.idleShare(), 0, 'f', 1);
    if (!history_.curve().empty()) {
        const Evaluation& last = history_.curve().back();
        parts << tr("loss %1").arg(last.train_loss, 0, 'f', 3);
        if (std::isfinite(last.validation_accuracy)) {
            parts << tr("validation accuracy %1 %").arg(100 * last.validation_accuracy, 0, 'f', 1);
        }
    }
    if (frame.state == RunState::Running && !frame.message.empty()) {
        parts << QString::fromStdString(frame.message);
    }
    status_->setText(parts.join(QStringLiteral(" · ")));
    const auto groups =
        std::ranges::count_if(frame.groups, [](const GroupFrame& one) { return !one.members.empty(); });
    cluster_card_->header().setRemark(
        tr("%1 · %2 · drag a node to move it")
            .arg(tr("%n nodes", nullptr, static_cast<int>(frame.nodes.size())),
                 groups == 1 ? tr("1 group") : tr("%n groups", nullptr, static_cast<int>(groups))));
}

void MainWindow::showState(RunState state)
{
    const bool runs = state == RunState::Running;
    const bool is_over = state == RunState::Finished || state == RunState::Failed;
    run_action_->setText(runs ? tr("Pause") : tr("Run"));
    run_action_->setToolTip(runs ? tr("Pause (F5)") : tr("Run (F5)"));
    run_action_->setIcon(glyphIcon(runs ? Glyph::Pause : Glyph::Run, themeOf(palette()).on_accent));
    run_action_->setEnabled(!is_over);
    step_action_->setEnabled(!is_over);
}

void MainWindow::showDocument()
{
    const Experiment& wanted = document_.experiment();
    bar_->setDocument(document_.displayName(), document_.isModified());
    setWindowTitle(tr("%1[*] – Straggler Lab").arg(document_.displayName()));
    setWindowModified(document_.isModified());
    const Experiment& running = controller_.hasRun() ? controller_.experiment() : wanted;
    strategy_->showValues(strategyValuesOf(wanted), strategyValuesOf(running));
    showNodes();
}

void MainWindow::showNodes()
{
    const std::vector<NodeId> nodes = selected();
    const Frame& frame = history_.latest();
    fail_action_->setEnabled(!nodes.empty());
    recover_action_->setEnabled(!nodes.empty());
    const Experiment& wanted = document_.experiment();
    if (nodes.empty() || frame.nodes.size() != wanted.cluster.nodes.size()) {
        node_dock_->header().setTitle(tr("Node"));
        node_dock_->header().setRemark({});
        node_panel_->showNothing();
        return;
    }
    NodeValues values;
    const NodeId first = nodes.front();
    values.slowdown = wanted.cluster.nodes[first.index()].slowdown;
    values.jitter = jitterOf(wanted, first);
    values.all_down = true;
    std::int64_t gradients = 0;
    double staleness = 0;
    ActivityTimes times;
    for (const NodeId node : nodes) {
        const NodeFrame& state = frame.nodes[node.index()];
        const bool is_down = state.activity == Activity::Down;
        values.all_down = values.all_down && is_down;
        values.any_down = values.any_down || is_down;
        values.slowdown_mixed =
            values.slowdown_mixed || wanted.cluster.nodes[node.index()].slowdown != values.slowdown;
        values.jitter_mixed = values.jitter_mixed || jitterOf(wanted, node) != values.jitter;
        values.jitter_pending =
            values.jitter_pending || jitterOf(controller_.experiment(), node) != jitterOf(wanted, node);
        gradients += state.gradients;
        staleness += state.staleness_mean * static_cast<double>(state.gradients);
        for (std::size_t i = 0; i < k_activities; ++i) {
            times.of[i] += state.times.of[i];
        }
    }
    values.facts = tr("Gradients %L1 · idle %2 % · staleness %3")
                       .arg(gradients)
                       .arg(std::lround(100 * idleShare(times)))
                       .arg(gradients > 0 ? staleness / static_cast<double>(gradients) : 0, 0, 'f', 1);
    node_dock_->header().setTitle(nodes.size() == 1
                                      ? tr("Node %1").arg(history_.nameOf(first))
                                      : tr("%n nodes", nullptr, static_cast<int>(nodes.size())));
    node_dock_->header().setRemark(tr("selected"));
    node_panel_->showValues(values);
}

void MainWindow::showMessage(const QString& text) { statusBar()->showMessage(text, 8000); }

} // namespace lab
