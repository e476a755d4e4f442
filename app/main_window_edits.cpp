// What a person does, as edits of the document and changes of the run.

#include "app/edits.h"
#include "app/main_window.h"

#include "widgets/cluster_view.h"
#include "widgets/message_strip.h"

#include <QAction>
#include <QCursor>
#include <QFile>
#include <QFileDialog>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

/// Kinds of edits that join with their like: a slider that is dragged is one edit. The selection makes them differ.
enum Kind { k_single = 0, k_strategy = 1, k_slowdown = 2, k_jitter = 3, k_failure = 4 };

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
    session_.reset();
    document_.open(std::move(experiment), path);
    reset();
}

std::vector<NodeId> MainWindow::selected() const
{
    return {cluster_->selection().begin(), cluster_->selection().end()};
}

NodeId MainWindow::inDocument(NodeId of_run) const
{
    const auto& nodes = controller_.experiment().cluster.nodes;
    return of_run.index() < nodes.size() ? findNode(document_.experiment(), nodes[of_run.index()].name)
                                         : NodeId();
}

std::vector<NodeId> MainWindow::edited() const
{
    std::vector<NodeId> nodes;
    for (const NodeId node : selected()) {
        if (const NodeId own = inDocument(node); own.isValid()) {
            nodes.push_back(own);
        }
    }
    return nodes;
}

QString MainWindow::wordFor(const std::vector<NodeId>& of_run) const
{
    return of_run.size() == 1 ? history_.nameOf(of_run.front()) : tr("%L1 nodes").arg(of_run.size());
}

Document::LiveChange MainWindow::liveChange(NodeId of_run, const Change& change) const
{
    return {controller_.experiment().cluster.nodes[of_run.index()].name, change};
}

void MainWindow::edit(const QString& text, Experiment after, Document::Live live, int kind)
{
    if (after != document_.experiment()) {
        if (const auto problems = validate(after); !problems.empty()) {
            strip_->showError(tr("Not done. %1: %2")
                                  .arg(QString::fromStdString(problems.front().where),
                                       QString::fromStdString(problems.front().what)));
            showDocument(); // the control that was moved goes back
            return;
        }
    }
    document_.edit(text, std::move(after), std::move(live), kind);
}

void MainWindow::applyLive(const std::vector<Document::LiveChange>& changes, bool is_kept)
{
    if (!controller_.hasRun() || (is_kept && controller_.isFresh())) {
        return; // the run is about to be made anew from the document
    }
    const Experiment& running = controller_.experiment();
    std::vector<Change> wanted;
    for (const auto& [name, change] : changes) {
        const NodeId node = findNode(running, name);
        if (!node.isValid()) {
            continue;
        }
        Change own = change;
        std::visit([node](auto& one) { one.node = node; }, own);
        if (auto* slow = std::get_if<Slow>(&own); slow != nullptr && !slow->lasting) {
            own = slowTo(running, node, slow->factor);
        }
        wanted.push_back(own);
    }
    if (!history_.isLive() && !wanted.empty()) {
        view(std::nullopt);
        strip_->showNote(tr("Changes are made to the run as it is now, so the window shows it again."));
    }
    cluster_->expectMoves(wanted);
    for (const Change& change : wanted) {
        controller_.apply(change);
    }
}

void MainWindow::editStrategy(const StrategyValues& values, const QString& what)
{
    StrategyValues wanted = values;
    if (wanted.grouping.by == Grouping::By::Members && wanted.grouping.members.empty()) {
        wanted.grouping = withMoves(document_.experiment(), drawnGroups(), {}).groups;
    }
    const bool slides = wanted.choice.kind == document_.experiment().strategy.kind;
    edit(tr("Change %1").arg(what), withStrategyValues(document_.experiment(), wanted), {},
         slides ? k_strategy + static_cast<int>(qHash(what) % 0xFFFF) * 8 : k_single);
}

void MainWindow::editSlowdown(double slowdown)
{
    const std::vector<NodeId> nodes = edited();
    Document::Live live;
    for (const NodeId node : nodes) {
        const NodeSpec& spec = document_.experiment().cluster.nodes[node.index()];
        live.redo.push_back({spec.name, Slow{node, slowdown, std::nullopt}});
        live.undo.push_back({spec.name, Slow{node, spec.slowdown, std::nullopt}});
    }
    edit(tr("Slow %1").arg(wordFor(selected())), withSlowdown(document_.experiment(), nodes, slowdown),
         std::move(live), joined(k_slowdown, nodes));
}

void MainWindow::editJitter(const Jitter& jitter)
{
    const std::vector<NodeId> nodes = edited();
    edit(tr("Change jitter of %1").arg(wordFor(selected())),
         withJitter(document_.experiment(), nodes, jitter), {}, joined(k_jitter, nodes));
}

void MainWindow::planFailure(double at, double back_after)
{
    const std::vector<NodeId> nodes = edited();
    std::optional<PlannedFailure> failure;
    if (at > 0) {
        failure = PlannedFailure{at, back_after > 0 ? std::optional<double>(back_after) : std::nullopt};
    }
    edit(tr("Plan failure of %1").arg(wordFor(selected())),
         withPlannedFailure(document_.experiment(), nodes, failure), {}, joined(k_failure, nodes));
}

void MainWindow::chooseTrace()
{
    const auto change = [this](std::optional<std::string> trace) {
        Experiment after = document_.experiment();
        after.cluster.trace = std::move(trace);
        edit(tr("Change trace"), std::move(after), {}, k_single);
    };
    const auto choose = [this, change] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Trace of compute times"),
                                         QString::fromStdString(document_.experiment().folder.string()),
                                         tr("CSV files (*.csv);;All files (*)"));
        if (!path.isEmpty()) {
            change(QFile::encodeName(path).toStdString());
        }
    };
    if (!document_.experiment().cluster.trace) {
        choose();
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("traceMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("&Choose another…")), &QAction::triggered, this, choose);
    connect(menu->addAction(tr("&No trace")), &QAction::triggered, this, [change] { change(std::nullopt); });
    menu->popup(QCursor::pos());
}

Partition MainWindow::drawnGroups() const
{
    Partition drawn;
    const Partition shown = partitionOf(history_.latest());
    for (const auto& members : shown) {
        drawn.emplace_back();
        for (const NodeId node : members) {
            if (const NodeId own = inDocument(node); own.isValid()) {
                drawn.back().push_back(own);
            }
        }
        std::ranges::sort(drawn.back());
    }
    // Nodes that wait for the next run join the last group until somebody moves them.
    for (std::size_t i = 0; i < document_.experiment().cluster.nodes.size(); ++i) {
        const auto holds = [&](const auto& members) { return std::ranges::count(members, NodeId{i}) > 0; };
        if (std::ranges::none_of(drawn, holds)) {
            drawn.back().push_back(NodeId{i});
        }
    }
    return drawn;
}

void MainWindow::requestMoves(const std::vector<Change>& changes)
{
    Document::Live live;
    std::vector<Move> moves;
    std::vector<NodeId> nodes;
    for (const Change& change : changes) {
        const auto* move = std::get_if<Move>(&change);
        const NodeId own = move == nullptr ? NodeId() : inDocument(move->node);
        if (!own.isValid()) {
            continue;
        }
        moves.push_back({own, move->group});
        nodes.push_back(move->node);
        live.redo.push_back(liveChange(move->node, *move));
        live.undo.push_back(
            liveChange(move->node, Move{move->node, history_.latest().nodes[move->node.index()].group}));
    }
    if (!moves.empty()) {
        edit(tr("Move %1 to Group %2").arg(wordFor(nodes), groupLetter(moves.front().group)),
             withMoves(document_.experiment(), drawnGroups(), moves), std::move(live), k_single);
    }
}

void MainWindow::groupSelected()
{
    cluster_->requestMove(cluster_->selection(), GroupId{partitionOf(history_.latest()).size()});
}

void MainWindow::ungroupSelected()
{
    std::vector<Change> changes;
    std::size_t next = partitionOf(history_.latest()).size();
    for (const NodeId node : selected()) {
        changes.emplace_back(Move{node, GroupId{next++}});
    }
    cluster_->requestMoves(changes);
}

void MainWindow::failSelected(std::optional<Duration> lasting)
{
    Document::Live live;
    std::vector<NodeId> nodes;
    for (const NodeId node : selected()) {
        if (history_.latest().nodes[node.index()].activity != Activity::Down) {
            nodes.push_back(node);
            live.redo.push_back(liveChange(node, Fail{node, lasting}));
            live.undo.push_back(liveChange(node, Recover{node}));
        }
    }
    edit(tr("Fail %1").arg(wordFor(nodes)), document_.experiment(), std::move(live), k_single);
}

void MainWindow::recoverSelected()
{
    Document::Live live;
    std::vector<NodeId> nodes;
    for (const NodeId node : selected()) {
        if (history_.latest().nodes[node.index()].activity == Activity::Down) {
            nodes.push_back(node);
            live.redo.push_back(liveChange(node, Recover{node}));
            live.undo.push_back(liveChange(node, Fail{node, std::nullopt}));
        }
    }
    edit(tr("Recover %1").arg(wordFor(nodes)), document_.experiment(), std::move(live), k_single);
}

void MainWindow::slowSelectedForAWhile()
{
    constexpr double factor = 10;
    Document::Live live;
    for (const NodeId node : selected()) {
        const NodeId own = inDocument(node);
        const double usual = own.isValid() ? document_.experiment().cluster.nodes[own.index()].slowdown : 1;
        live.redo.push_back(liveChange(node, Slow{node, factor, fromSeconds(5)}));
        live.undo.push_back(liveChange(node, Slow{node, usual, std::nullopt}));
    }
    edit(tr("Slow %1 for 5 s").arg(wordFor(selected())), document_.experiment(), std::move(live), k_single);
}

void MainWindow::addNode()
{
    const std::vector<NodeId> nodes = edited();
    const Experiment& now = document_.experiment();
    std::vector<NodeSpec> like{nodes.empty() ? NodeSpec{} : now.cluster.nodes[nodes.front().index()]};
    edit(tr("Add node"), withNodes(now, like, nodes), {}, k_single);
}

void MainWindow::duplicateSelected()
{
    const std::vector<NodeId> nodes = edited();
    std::vector<NodeSpec> like;
    for (const NodeId node : nodes) {
        like.push_back(document_.experiment().cluster.nodes[node.index()]);
    }
    edit(tr("Duplicate %1").arg(wordFor(selected())), withNodes(document_.experiment(), like, nodes), {},
         k_single);
}

void MainWindow::removeSelected()
{
    const std::vector<NodeId> nodes = edited();
    if (nodes.empty()) {
        return;
    }
    if (nodes.size() >= document_.experiment().cluster.nodes.size()) {
        strip_->showNote(tr("A cluster needs one node at least."));
        return;
    }
    edit(tr("Remove %1").arg(wordFor(selected())), withoutNodes(document_.experiment(), nodes), {}, k_single);
}

void MainWindow::copySelected()
{
    if (const std::vector<NodeId> nodes = edited(); !nodes.empty()) {
        copied_.clear();
        for (const NodeId node : nodes) {
            copied_.push_back(document_.experiment().cluster.nodes[node.index()]);
        }
        showSelection();
    }
}

void MainWindow::paste()
{
    if (!copied_.empty()) {
        edit(tr("Paste nodes"), withNodes(document_.experiment(), copied_), {}, k_single);
    }
}

} // namespace lab
