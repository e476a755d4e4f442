// Stale synchronous strategies: configurations of the collecting engine whose nodes are bound to each other's clocks.

#include "core/strategy/collecting.h"
#include "core/strategy/group_setup.h"
#include "core/strategy/predict_rules.h"
#include "core/strategy/strategy.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

ParamSpec boundParam(const std::string& help)
{
    return {.name = "staleness",
            .title = "Bound on the clock gap",
            .help = help,
            .type = ParamSpec::Type::Whole,
            .initial = std::int64_t{3},
            .least = 0,
            .most = 1e6,
            .choices = {}};
}

} // namespace

StrategyInfo staleSynchronous()
{
    return collecting(
        {.id = "ssp",
         .title = "Stale synchronous (SSP)",
         .short_title = "SSP",
         .explanation =
             "Asynchronous, but nobody may run ahead of the slowest node by more than a bound. Transient "
             "delays are absorbed; a node that is always slow drags everybody down to its own pace.",
         .source = "Ho et al., \"More Effective Distributed ML via a Stale Synchronous Parallel Parameter "
                   "Server\", "
                   "NIPS 2013",
         .params = {boundParam(
             "A node may start a task while it has finished at most this many more than the "
             "slowest.")},
         .uses_groups = false,
         .make_server = {},
         .predict = predictBounded},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.bound = wholeParam(info, setup.choice, "staleness")};
        });
}

StrategyInfo dynamicStaleSynchronous()
{
    return collecting(
        {.id = "dssp",
         .title = "Dynamic stale synchronous (DSSP)",
         .short_title = "DSSP",
         .explanation =
             "SSP with a bound that gives way: a node at the lower bound gets so many further steps, up to "
             "the upper bound, as should leave it waiting least for the slowest node's next push.",
         .source = "Zhao et al., \"Dynamic Stale Synchronous Parallel Distributed Training for Deep "
                   "Learning\", ICDCS "
                   "2019, arXiv 1908.11848",
         .params = {boundParam("Lower bound on the clock gap."),
                    {.name = "most_staleness",
                     .title = "Upper bound on the clock gap",
                     .help = "No task starts beyond this gap; below the lower bound it has no effect.",
                     .type = ParamSpec::Type::Whole,
                     .initial = std::int64_t{15},
                     .least = 0,
                     .most = 1e6,
                     .choices = {}}},
         .uses_groups = false,
         .make_server = {},
         .predict = predictBounded},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            const std::int64_t lower = wholeParam(info, setup.choice, "staleness");
            const std::int64_t upper = wholeParam(info, setup.choice, "most_staleness");
            return CollectingRules{.bound = lower, .credit = std::max<std::int64_t>(upper - lower, 0)};
        });
}

StrategyInfo groupedStaleSynchronous()
{
    return collecting(
        {.id = "gssp",
         .title = "Grouped stale synchronous (GSSP)",
         .short_title = "GSSP",
         .explanation =
             "Nodes of like speed form groups: inside a group nobody may run ahead of the slowest member by "
             "more than a bound, between groups nobody waits for anybody. Unlike the hybrid, every node "
             "pushes its own gradient.",
         .source = "Sun, Gui, Guo, Qi, Wang, Liao, \"GSSP: Eliminating Stragglers Through Grouping "
                   "Synchronous for Distributed Deep Learning in Heterogeneous Cluster\", IEEE Transactions "
                   "on Cloud Computing",
         .params = {boundParam("A node may start a task while it has finished at most this many more than "
                               "the slowest of its group.")},
         .uses_groups = true,
         .make_server = {},
         .predict = {}},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            const bool is_counted = setup.grouping.count.has_value();
            GroupRules groups = groupsAsAsked(
                setup, {.method = is_counted ? PlannerRules::Method::Clusters : PlannerRules::Method::Gap});
            return CollectingRules{.bound = wholeParam(info, setup.choice, "staleness"),
                                   .clocks = std::move(groups.groups),
                                   .planner = std::move(groups.planner),
                                   .warm_up_tasks = groups.warm_up_tasks};
        });
}

} // namespace lab
