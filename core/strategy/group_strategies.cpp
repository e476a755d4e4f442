#include "core/strategy/grouped.h"
#include "core/strategy/strategy.h"

#include <memory>

namespace lab {
namespace {

Partition oneGroupOfAll(std::size_t nodes)
{
    Partition groups(1);
    for (std::size_t i = 0; i < nodes; ++i) {
        groups.front().emplace_back(i);
    }
    return groups;
}

Partition oneGroupEach(std::size_t nodes)
{
    Partition groups;
    for (std::size_t i = 0; i < nodes; ++i) {
        groups.push_back({NodeId{i}});
    }
    return groups;
}

GroupRules hybridRules(const StrategySetup& setup)
{
    const Grouping& wanted = setup.grouping;
    if (wanted.by == Grouping::By::Members) {
        return {.groups = wanted.members, .measures_first = false, .count = {}};
    }
    const auto count = static_cast<std::size_t>(wanted.count.value_or(0));
    if (count == 1 || setup.nodes == 1) {
        return {.groups = oneGroupOfAll(setup.nodes), .measures_first = false, .count = {}};
    }
    // As many groups as nodes need no measuring either.
    GroupRules rules{.groups = oneGroupEach(setup.nodes), .measures_first = count < setup.nodes, .count = {}};
    if (count > 0) {
        rules.count = count;
    }
    return rules;
}

} // namespace

StrategyInfo bulkSynchronous()
{
    return {
        .id = "bsp",
        .title = "Bulk synchronous (BSP)",
        .explanation =
            "Every node computes one gradient on the same parameters; the update waits for the slowest. "
            "Gradients are never stale, but a round is as long as its slowest task.",
        .source = "Valiant, \"A Bridging Model for Parallel Computation\", CACM 33(8), 1990",
        .params = {},
        .uses_groups = false,
        .make_server = [](const StrategySetup& setup) -> std::unique_ptr<Actor> {
            return std::make_unique<GroupedServer>(
                setup,
                GroupRules{.groups = oneGroupOfAll(setup.nodes), .measures_first = false, .count = {}});
        },
    };
}

StrategyInfo asynchronous()
{
    return {
        .id = "asp",
        .title = "Asynchronous (ASP)",
        .explanation =
            "Nobody waits: each gradient is applied when it arrives, and its node reads the newest "
            "parameters and goes on. Slow nodes hold nobody back, but gradients are stale: on average by "
            "one update per other node.",
        .source =
            "Recht, Re, Wright, Niu, \"Hogwild\", NIPS 2011; Dean et al., \"Large Scale Distributed Deep "
            "Networks\", NIPS 2012",
        .params = {},
        .uses_groups = false,
        .make_server = [](const StrategySetup& setup) -> std::unique_ptr<Actor> {
            return std::make_unique<GroupedServer>(
                setup, GroupRules{.groups = oneGroupEach(setup.nodes), .measures_first = false, .count = {}});
        },
    };
}

StrategyInfo hybrid()
{
    return {
        .id = "hybrid",
        .title = "Hybrid (groups of like speed)",
        .explanation =
            "Nodes of like speed form groups: synchronous inside a group, asynchronous between groups. A "
            "fast group does not wait for a slow one, and staleness grows with the number of groups, not "
            "of nodes.",
        .source = "Nearest published: GSSP, IEEE Transactions on Cloud Computing (bound 0 inside groups)",
        .params = {},
        .uses_groups = true,
        .make_server = [](const StrategySetup& setup) -> std::unique_ptr<Actor> {
            return std::make_unique<GroupedServer>(setup, hybridRules(setup));
        },
    };
}

} // namespace lab
