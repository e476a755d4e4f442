// What the window shows of document and run.

#include "app/edits.h"
#include "app/main_window.h"

#include "app/action_table.h"
#include "app/run_words.h"
#include "core/experiment/summary.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/counted.h"
#include "widgets/elided_label.h"
#include "widgets/event_log.h"
#include "widgets/icons.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/message_strip.h"
#include "widgets/node_panel.h"
#include "widgets/nodes_table.h"
#include "widgets/notes_view.h"
#include "widgets/run_bar.h"
#include "widgets/staleness_chart.h"
#include "widgets/strategy_form.h"
#include "widgets/theme.h"
#include "widgets/throughput_chart.h"
#include "widgets/timeline_view.h"

#include <QAction>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

/// Charts are slower to draw than the canvas: with each frame that comes in, one part of them has its turn.
constexpr int k_chart_turns = 3;

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
    cursor_.reset();
    bar_->setPast(false);
    cluster_->begin(history_, modelText(experiment), whyNoMoves(experiment));
    table_->begin(history_);
    timeline_->begin(history_, 60 * std::max(experiment.cluster.batch_seconds, 1e-3));
    loss_->begin(strategyTitle(experiment));
    throughput_->begin();
    log_->begin();
    bar_->setSeed(QString::number(experiment.seed));
    showClock();
    showDocument();
    takeSessionAlong();
}

void MainWindow::showFrame(const Frame& frame)
{
    history_.append(frame);
    tellWhereRecordingEnds(frame);
    if (history_.isLive()) {
        cluster_->refresh(history_);
        bar_->setClock(toSeconds(frame.now));
    }
    timeline_->refresh(history_);
    const int turn = frames_++ % k_chart_turns;
    if (frame.state != RunState::Running) {
        showCharts();
    } else {
        showChart(turn);
    }
    if (turn == 0 || frame.state != RunState::Running) {
        showNodes();
    }
    showStatus();
}

void MainWindow::showCharts()
{
    for (int turn = 0; turn < k_chart_turns; ++turn) {
        showChart(turn);
    }
}

void MainWindow::showChart(int turn)
{
    if (turn == 0) {
        loss_->refresh(history_);
        return;
    }
    // What has no axis of time shows the moment that the line in the others is at.
    const std::optional<Frame> pointed = cursor_ ? history_.at(*cursor_) : std::nullopt;
    const Frame& frame = pointed ? *pointed : history_.shown();
    if (turn == 1) {
        const auto& stretch = timeline_->selection();
        idle_->setStretch(stretch ? std::optional(std::pair(atSeconds(stretch->from), atSeconds(stretch->to)))
                                  : std::nullopt);
        idle_dock_->header().setRemark(
            stretch
                ? tr("waiting, share of %1–%2 s").arg(stretch->from, 0, 'f', 1).arg(stretch->to, 0, 'f', 1)
                : pointed ? tr("waiting, share up to %1 s").arg(toSeconds(pointed->now), 0, 'f', 2)
                          : waitingRemark(history_, frame));
        idle_->refresh(history_, frame);
        throughput_->refresh(history_);
    } else {
        staleness_->refresh(frame);
        log_->refresh(history_);
        table_->refresh();
    }
}

void MainWindow::pointAt(std::optional<TimePoint> moment)
{
    if (moment == cursor_) {
        return;
    }
    cursor_ = moment;
    loss_->showCursor(moment);
    throughput_->showCursor(moment);
    timeline_->showCursor(moment);
    showChart(1);
    showChart(2);
}

void MainWindow::showNotes()
{
    const QString notes = QString::fromStdString(document_.experiment().notes);
    notes_->setNotes(notes);
    notes_dock_->toggleViewAction()->setEnabled(!notes.isEmpty());
    const bool is_shown = !notes.isEmpty() && !are_notes_closed_;
    if (is_shown == notes_dock_->isHidden() && !isPresenting()) {
        notes_dock_->setVisible(is_shown);
        arrangeLeftColumn();
    }
}

void MainWindow::view(std::optional<TimePoint> moment)
{
    if (!moment && history_.isLive()) {
        return;
    }
    history_.view(moment);
    bar_->setPast(!history_.isLive());
    bar_->setClock(toSeconds(history_.shown().now));
    timeline_->setMoment(history_.isLive() ? std::nullopt : std::optional(history_.shown().now));
    timeline_->refresh(history_);
    cluster_->refresh(history_);
    (*actions_)["live"]->setEnabled(!history_.isLive());
    showCharts();
    showNodes();
    showStatus();
}

void MainWindow::showStatus()
{
    const Frame& frame = history_.latest();
    const auto& recorded = controller_.recorded();
    QStringList parts{recorded ? recordedText(*recorded) : stateText(frame)};
    parts << counted(frame.version, tr("1 update"), tr("%L1 updates"))
          << counted(frame.samples, tr("1 sample"), tr("%L1 samples"));
    if (frame.state == RunState::Running) {
        parts << tr("%1 updates/s").arg(history_.updateRate(), 0, 'f', 1);
    }
    parts << tr("cluster idle %1 %").arg(100 * idleShare(history_.latest()), 0, 'f', 1);
    if (!history_.curve().empty()) {
        const Evaluation& last = history_.curve().back();
        parts << tr("loss %1").arg(last.train_loss, 0, 'f', 3);
        if (std::isfinite(last.validation_accuracy)) {
            parts << tr("validation accuracy %1 %").arg(100 * last.validation_accuracy, 0, 'f', 1);
        }
    }
    if (frame.live && frame.version > 0) {
        parts << tr("%1 % this machine’s doing").arg(100 * frame.live->machine_share, 0, 'f', 1);
    }
    status_->setToolTip(frame.live ? QString::fromStdString(machineSentence(*frame.live)) : QString());
    if (frame.state == RunState::Running && !frame.message.empty()) {
        parts << QString::fromStdString(frame.message);
    }
    status_->setText(parts.join(QStringLiteral(" · ")));
    strategy_->setFinding(findingText(frame, history_.updateRate(), idleShare(history_.latest())),
                          QString::fromStdString(frame.theory.basis));
    QStringList cluster{counted(static_cast<qint64>(frame.nodes.size()), tr("1 node"), tr("%L1 nodes"))};
    const auto groups =
        std::ranges::count_if(frame.groups, [](const GroupFrame& one) { return !one.members.empty(); });
    if (history_.shown().is_measuring) {
        cluster << tr("measuring speeds");
    } else {
        cluster << counted(groups, tr("1 group"), tr("%L1 groups"));
    }
    const auto wanted = document_.experiment().cluster.nodes.size();
    if (wanted != frame.nodes.size() && !controller_.isFresh()) {
        cluster << tr("%1 at Reset").arg(wanted);
    } else if (!history_.isLive()) {
        cluster << tr("viewing the past");
    } else if (!history_.shown().is_measuring) {
        cluster << tr("drag a node to move it");
    }
    cluster_card_->header().setRemark(cluster.join(QStringLiteral(" · ")));
}

void MainWindow::showState(RunState state)
{
    const bool runs = state == RunState::Running;
    const bool is_over = state == RunState::Finished || state == RunState::Failed;
    if (runs && !was_greeted_) {
        was_greeted_ = true; // who runs has read it
        strip_->dismiss();
    }
    QAction* run = (*actions_)["run"];
    run->setText(runs ? tr("Pause") : tr("Run"));
    run->setToolTip(runs ? tr("Pause (F5)") : tr("Run (F5)"));
    run->setIcon(glyphIcon(runs ? Glyph::Pause : Glyph::Run, themeOf(palette()).on_accent));
    run->setEnabled(!is_over);
    (*actions_)["step"]->setEnabled(!is_over);
}

void MainWindow::showDocument()
{
    const Experiment& wanted = document_.experiment();
    bar_->setDocument(document_.displayName(), document_.isModified());
    setWindowTitle(tr("%1[*] – Straggler Lab").arg(document_.displayName()));
    setWindowModified(document_.isModified());
    const Experiment& running =
        controller_.hasRun() && !controller_.isFresh() ? controller_.experiment() : wanted;
    strategy_->showValues(strategyValuesOf(wanted), strategyValuesOf(running));
    showNotes();
    showNodes();
    renewSoon();
}

void MainWindow::showSelection()
{
    table_->select(cluster_->selection());
    const bool any = !cluster_->selection().empty();
    for (const char* name :
         {"cut", "duplicate", "remove", "group", "ungroup", "slow", "fail", "failFor", "recover"}) {
        (*actions_)[name]->setEnabled(any);
    }
    (*actions_)["paste"]->setEnabled(!copied_.empty());
    (*actions_)["live"]->setEnabled(!history_.isLive());
    showNodes();
}

void MainWindow::showNodes()
{
    const std::vector<NodeId> of_run = selected();
    const std::vector<NodeId> nodes = edited();
    const Frame& frame = history_.shown();
    const bool is_known =
        std::ranges::all_of(of_run, [&](NodeId one) { return one.index() < frame.nodes.size(); });
    if (nodes.empty() || nodes.size() != of_run.size() || !is_known) {
        node_dock_->header().setTitle(tr("Node"));
        node_dock_->header().setRemark(of_run.empty() ? QString() : tr("goes at Reset"));
        node_panel_->showNothing();
        return;
    }
    const Experiment& wanted = document_.experiment();
    const Experiment& running = controller_.experiment();
    const bool is_fresh = controller_.isFresh();
    NodeValues values;
    values.slowdown = wanted.cluster.nodes[nodes.front().index()].slowdown;
    values.jitter = jitterOf(wanted, nodes.front());
    const auto failure = plannedFailure(wanted, nodes.front());
    values.fails_at = failure ? failure->at : 0;
    values.back_after = failure ? failure->lasting.value_or(0) : 0;
    values.all_down = true;
    std::int64_t gradients = 0;
    double staleness = 0;
    ActivityTimes times;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeId own = nodes[i];
        const NodeFrame& state = frame.nodes[of_run[i].index()];
        // What the button does is done now, whatever moment is looked at.
        values.all_down =
            values.all_down && history_.latest().nodes[of_run[i].index()].activity == Activity::Down;
        values.slowdown_mixed |= wanted.cluster.nodes[own.index()].slowdown != values.slowdown;
        values.jitter_mixed |= jitterOf(wanted, own) != values.jitter;
        values.failure_mixed |= plannedFailure(wanted, own) != failure;
        values.jitter_pending |= !is_fresh && jitterOf(running, of_run[i]) != jitterOf(wanted, own);
        values.failure_pending |=
            !is_fresh && plannedFailure(running, of_run[i]) != plannedFailure(wanted, own);
        gradients += state.gradients;
        staleness += state.staleness_mean * static_cast<double>(state.gradients);
        for (std::size_t a = 0; a < k_activities; ++a) {
            times.of[a] += state.times.of[a];
        }
    }
    const auto& trace = wanted.cluster.trace;
    values.trace = trace ? QFileInfo(QString::fromStdString(*trace)).fileName() : QString();
    values.trace_pending = !is_fresh && running.cluster.trace != trace;
    values.facts = tr("Gradients %L1 · idle %2 % · τ %3")
                       .arg(gradients)
                       .arg(std::lround(100 * idleShare(times)))
                       .arg(gradients > 0 ? staleness / static_cast<double>(gradients) : 0, 0, 'f', 1);
    node_dock_->header().setTitle(counted(static_cast<qint64>(nodes.size()),
                                          tr("Node %1").arg(history_.nameOf(of_run.front())),
                                          tr("%L1 nodes")));
    node_dock_->header().setRemark(tr("selected"));
    node_panel_->showValues(values);
}

} // namespace lab
