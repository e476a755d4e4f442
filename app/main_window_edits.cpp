// What a person does, as edits of the document and changes of the run.

#include "app/edits.h"
#include "app/main_window.h"

#include "widgets/cluster_view.h"

#include <utility>

namespace lab {

namespace {

/// Kinds of edits that join with their like: a slider that is dragged is one edit. The selection makes them differ.
enum Kind { k_single = 0, k_strategy = 1, k_slowdown = 2, k_jitter = 3 };

int joined(Kind kind, const std::vector<NodeId>& nodes)
{
    int mixed = kind;
    for (const NodeId node : nodes) {
        mixed = (mixed * 31 + node.value() + 1) & 0xFFFFFF;
    }
    return mixed;
}

} // namespace

void MainWindow::open(Experiment experiment, const QString& path)
{
    controller_.pause();
    document_.open(std::move(experiment), path);
    reset();
}

void MainWindow::reset() { controller_.prepare(document_.experiment()); }

void MainWindow::toggleRun()
{
    controller_.state() == RunState::Running ? controller_.pause() : controller_.run();
}

std::vector<NodeId> MainWindow::selected() const
{
    return {cluster_->selection().begin(), cluster_->selection().end()};
}

QString MainWindow::wordFor(const std::vector<NodeId>& nodes) const
{
    return nodes.size() == 1 ? history_.nameOf(nodes.front())
                             : tr("%n nodes", nullptr, static_cast<int>(nodes.size()));
}

void MainWindow::editStrategy(const StrategyValues& values, const QString& what)
{
    StrategyValues wanted = values;
    if (wanted.grouping.by == Grouping::By::Members && wanted.grouping.members.empty()) {
        wanted.grouping.members = partitionOf(history_.latest());
    }
    const bool slides = wanted.choice.kind == document_.experiment().strategy.kind;
    document_.edit(tr("Change %1").arg(what), withStrategyValues(document_.experiment(), wanted), {},
                   slides ? k_strategy + static_cast<int>(qHash(what) % 0xFFFF) * 8 : k_single);
}

void MainWindow::editSlowdown(double slowdown)
{
    const std::vector<NodeId> nodes = selected();
    Document::Live live;
    for (const NodeId node : nodes) {
        live.redo.emplace_back(slowTo(controller_.experiment(), node, slowdown));
        live.undo.emplace_back(slowTo(controller_.experiment(), node,
                                      document_.experiment().cluster.nodes[node.index()].slowdown));
    }
    document_.edit(tr("Slow %1").arg(wordFor(nodes)), withSlowdown(document_.experiment(), nodes, slowdown),
                   std::move(live), joined(k_slowdown, nodes));
}

void MainWindow::editJitter(const Jitter& jitter)
{
    const std::vector<NodeId> nodes = selected();
    document_.edit(tr("Change jitter of %1").arg(wordFor(nodes)),
                   withJitter(document_.experiment(), nodes, jitter), {}, joined(k_jitter, nodes));
}

void MainWindow::requestChanges(const std::vector<Change>& changes)
{
    Document::Live live{changes, {}};
    std::vector<Move> moves;
    std::vector<NodeId> nodes;
    for (const Change& change : changes) {
        if (const auto* move = std::get_if<Move>(&change)) {
            moves.push_back(*move);
            nodes.push_back(move->node);
            live.undo.emplace_back(Move{move->node, history_.latest().nodes[move->node.index()].group});
        }
    }
    if (moves.empty()) {
        return;
    }
    document_.edit(tr("Move %1 to Group %2").arg(wordFor(nodes), groupLetter(moves.front().group)),
                   withMoves(document_.experiment(), partitionOf(history_.latest()), moves), std::move(live),
                   k_single);
}

void MainWindow::failSelected()
{
    const std::vector<NodeId> nodes = selected();
    Document::Live live;
    for (const NodeId node : nodes) {
        if (history_.latest().nodes[node.index()].activity != Activity::Down) {
            live.redo.emplace_back(Fail{node, std::nullopt});
            live.undo.emplace_back(Recover{node});
        }
    }
    document_.edit(tr("Fail %1").arg(wordFor(nodes)), document_.experiment(), std::move(live), k_single);
}

void MainWindow::recoverSelected()
{
    const std::vector<NodeId> nodes = selected();
    Document::Live live;
    for (const NodeId node : nodes) {
        if (history_.latest().nodes[node.index()].activity == Activity::Down) {
            live.redo.emplace_back(Recover{node});
            live.undo.emplace_back(Fail{node, std::nullopt});
        }
    }
    document_.edit(tr("Recover %1").arg(wordFor(nodes)), document_.experiment(), std::move(live), k_single);
}

void MainWindow::slowSelectedForAWhile()
{
    constexpr double factor = 10;
    const std::vector<NodeId> nodes = selected();
    Document::Live live;
    for (const NodeId node : nodes) {
        live.redo.emplace_back(Slow{node, factor, fromSeconds(5)});
        live.undo.emplace_back(slowTo(controller_.experiment(), node,
                                      document_.experiment().cluster.nodes[node.index()].slowdown));
    }
    document_.edit(tr("Slow %1 for 5 s").arg(wordFor(nodes)), document_.experiment(), std::move(live),
                   k_single);
}

} // namespace lab
