#include "app/edits.h"

#include <algorithm>

namespace lab {

StrategyValues strategyValuesOf(const Experiment& experiment)
{
    return {experiment.strategy, experiment.groups, experiment.training.learning_rate,
            experiment.training.batch};
}

Experiment withStrategyValues(Experiment experiment, const StrategyValues& values)
{
    experiment.strategy = values.choice;
    experiment.groups = values.grouping;
    experiment.training.learning_rate = values.learning_rate;
    experiment.training.batch = values.batch;
    return experiment;
}

Experiment withSlowdown(Experiment experiment, const std::vector<NodeId>& nodes, double slowdown)
{
    for (const NodeId node : nodes) {
        experiment.cluster.nodes[node.index()].slowdown = slowdown;
    }
    return experiment;
}

Experiment withJitter(Experiment experiment, const std::vector<NodeId>& nodes, const Jitter& jitter)
{
    for (const NodeId node : nodes) {
        auto& own = experiment.cluster.nodes[node.index()].jitter;
        own.reset();
        if (jitter != experiment.cluster.jitter) {
            own = jitter;
        }
    }
    return experiment;
}

Experiment withMoves(Experiment experiment, const Partition& drawn, const std::vector<Move>& moves)
{
    Partition groups = drawn;
    for (const Move& move : moves) {
        for (auto& members : groups) {
            std::erase(members, move.node);
        }
        if (move.group.index() >= groups.size()) {
            groups.resize(move.group.index() + 1);
        }
        auto& members = groups[move.group.index()];
        members.insert(std::ranges::upper_bound(members, move.node), move.node);
    }
    std::erase_if(groups, [](const auto& members) { return members.empty(); });
    experiment.groups = {Grouping::By::Members, std::nullopt, std::move(groups)};
    return experiment;
}

const Jitter& jitterOf(const Experiment& experiment, NodeId node)
{
    const auto& own = experiment.cluster.nodes[node.index()].jitter;
    return own ? *own : experiment.cluster.jitter;
}

Slow slowTo(const Experiment& running, NodeId node, double slowdown)
{
    return {node, slowdown / running.cluster.nodes[node.index()].slowdown, std::nullopt};
}

} // namespace lab
