#include "app/edits.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lab {

namespace {

/// `n<k>` with the smallest k above the number of nodes that nobody has.
std::string freeName(const Experiment& experiment)
{
    for (std::size_t k = experiment.cluster.nodes.size();; ++k) {
        std::string name = "n" + std::to_string(k);
        if (!findNode(experiment, name).isValid()) {
            return name;
        }
    }
}

} // namespace

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

Experiment withNodes(Experiment experiment, const std::vector<NodeSpec>& like,
                     const std::vector<NodeId>& beside)
{
    auto& nodes = experiment.cluster.nodes;
    for (std::size_t i = 0; i < like.size(); ++i) {
        const NodeId added{nodes.size()};
        nodes.push_back(like[i]);
        nodes.back().name = freeName(experiment);
        if (experiment.groups.by != Grouping::By::Members || experiment.groups.members.empty()) {
            continue;
        }
        auto home = std::prev(experiment.groups.members.end());
        if (i < beside.size()) {
            const auto holds = [&](const auto& members) {
                return std::ranges::count(members, beside[i]) > 0;
            };
            const auto found = std::ranges::find_if(experiment.groups.members, holds);
            home = found == experiment.groups.members.end() ? home : found;
        }
        home->push_back(added);
    }
    return experiment;
}

Experiment withoutNodes(Experiment experiment, const std::vector<NodeId>& nodes)
{
    const auto goes = [&](NodeId node) { return std::ranges::count(nodes, node) > 0; };
    std::vector<NodeSpec> left;
    std::vector<NodeId> becomes; // by the old id
    for (std::size_t i = 0; i < experiment.cluster.nodes.size(); ++i) {
        becomes.emplace_back(left.size());
        if (!goes(NodeId{i})) {
            left.push_back(std::move(experiment.cluster.nodes[i]));
        }
    }
    LAB_EXPECTS(!left.empty());
    experiment.cluster.nodes = std::move(left);
    for (auto& members : experiment.groups.members) {
        std::erase_if(members, goes);
        std::ranges::transform(members, members.begin(), [&](NodeId node) { return becomes[node.index()]; });
    }
    std::erase_if(experiment.groups.members, [](const auto& members) { return members.empty(); });
    std::erase_if(experiment.events, [&](const Intervention& event) { return goes(nodeOf(event.change)); });
    for (Intervention& event : experiment.events) {
        std::visit([&](auto& change) { change.node = becomes[change.node.index()]; }, event.change);
    }
    return experiment;
}

std::optional<PlannedFailure> plannedFailure(const Experiment& experiment, NodeId node)
{
    for (const Intervention& event : experiment.events) {
        if (const auto* fail = std::get_if<Fail>(&event.change); fail != nullptr && fail->node == node) {
            PlannedFailure planned{toSeconds(event.at), std::nullopt};
            if (fail->lasting) {
                planned.lasting = toSeconds(*fail->lasting);
            }
            return planned;
        }
    }
    return std::nullopt;
}

Experiment withPlannedFailure(Experiment experiment, const std::vector<NodeId>& nodes,
                              const std::optional<PlannedFailure>& failure)
{
    std::erase_if(experiment.events, [&](const Intervention& event) {
        const auto* fail = std::get_if<Fail>(&event.change);
        return fail != nullptr && std::ranges::count(nodes, fail->node) > 0;
    });
    if (failure) {
        for (const NodeId node : nodes) {
            Fail fail{node, std::nullopt};
            if (failure->lasting) {
                fail.lasting = fromSeconds(*failure->lasting);
            }
            experiment.events.push_back({atSeconds(failure->at), fail});
        }
        std::ranges::stable_sort(experiment.events, {}, &Intervention::at);
    }
    return experiment;
}

Experiment withFolder(Experiment experiment, const std::filesystem::path& folder)
{
    const auto lead = [&](std::string& name) {
        if (std::filesystem::path(name).is_relative()) {
            std::error_code ignored; // then the path stays absolute
            const auto whole = std::filesystem::absolute(experiment.folder / name, ignored);
            const auto near = std::filesystem::proximate(whole, folder, ignored);
            name = (near.empty() ? whole : near).string();
        }
    };
    if (experiment.folder == folder) {
        return experiment;
    }
    if (!experiment.folder.empty() && std::filesystem::absolute(experiment.folder) == folder) {
        experiment.folder = folder;
        return experiment;
    }
    if (auto* csv = std::get_if<CsvSource>(&experiment.data.source)) {
        lead(csv->csv);
    } else if (auto* libsvm = std::get_if<LibsvmSource>(&experiment.data.source)) {
        lead(libsvm->libsvm);
    } else if (auto* idx = std::get_if<IdxSource>(&experiment.data.source)) {
        lead(idx->idx_images);
        lead(idx->idx_labels);
    } else if (auto* cifar = std::get_if<CifarSource>(&experiment.data.source)) {
        lead(cifar->cifar10);
    }
    if (experiment.cluster.trace) {
        lead(*experiment.cluster.trace);
    }
    experiment.folder = folder;
    return experiment;
}

NodeId findNode(const Experiment& experiment, const std::string& name)
{
    const auto& nodes = experiment.cluster.nodes;
    const auto at = std::ranges::find(nodes, name, &NodeSpec::name);
    return at == nodes.end() ? NodeId() : NodeId{static_cast<std::size_t>(at - nodes.begin())};
}

const Jitter& jitterOf(const Experiment& experiment, NodeId node)
{
    return experiment.cluster.jitterOf(experiment.cluster.nodes[node.index()]);
}

Slow slowTo(const Experiment& running, NodeId node, double slowdown)
{
    return {node, slowdown / running.cluster.nodes[node.index()].slowdown, std::nullopt};
}

} // namespace lab
