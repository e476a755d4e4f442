// The strategies that are configurations of the group engine.

#include "core/strategy/group_setup.h"
#include "core/strategy/predict_rules.h"
#include "core/strategy/strategy.h"

namespace lab {
StrategyInfo bulkSynchronous()
{
    return grouped(
        {.id = "bsp",
         .title = "Bulk synchronous (BSP)",
         .short_title = "BSP",
         .explanation =
             "Every node computes one gradient on the same parameters; the update waits for the slowest. "
             "Gradients are never stale, but a round is as long as its slowest task.",
         .source = "Valiant, \"A Bridging Model for Parallel Computation\", CACM 33(8), 1990",
         .params = {},
         .uses_groups = false,
         .make_server = {},
         .predict = predictGroups},
        [](const StrategyInfo&, const StrategySetup& setup) {
            return fixedGroups(oneGroupOfAll(setup.nodes));
        });
}

StrategyInfo asynchronous()
{
    return grouped(
        {.id = "asp",
         .title = "Asynchronous (ASP)",
         .short_title = "ASP",
         .explanation =
             "Nobody waits: each gradient is applied when it arrives, and its node reads the newest "
             "parameters and goes on. Slow nodes hold nobody back, but gradients are stale: on average by "
             "one update per other node.",
         .source =
             "Recht, Re, Wright, Niu, \"Hogwild\", NIPS 2011; Dean et al., \"Large Scale Distributed Deep "
             "Networks\", NIPS 2012",
         .params = {},
         .uses_groups = false,
         .make_server = {},
         .predict = predictAlone},
        [](const StrategyInfo&, const StrategySetup& setup) {
            return fixedGroups(oneGroupEach(setup.nodes));
        });
}

StrategyInfo hybrid()
{
    return grouped(
        {.id = "hybrid",
         .title = "Hybrid (groups of like speed)",
         .short_title = "Hybrid",
         .explanation =
             "Nodes of like speed form groups: synchronous inside a group, asynchronous between groups. A "
             "fast group does not wait for a slow one, and staleness grows with the number of groups, not "
             "of nodes.",
         .source = "Nearest published: GSSP, IEEE Transactions on Cloud Computing (bound 0 inside groups)",
         .params = groupingParams(),
         .uses_groups = true,
         .make_server = {},
         .predict = predictGroups},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return groupsAsAsked(setup, plannerOf(info, setup));
        });
}

StrategyInfo loadBalanced()
{
    return grouped(
        {.id = "lb_bsp",
         .title = "Load-balanced BSP",
         .explanation =
             "Synchronous, with batch sizes in proportion to each node's measured speed: the total stays, "
             "and all nodes finish together. It removes predictable stragglers without any staleness, and "
             "is helpless against delays that nobody can predict.",
         .source =
             "Chen, Weng, Wang, Li, Li, \"Semi-Dynamic Load Balancing\", SoCC 2020, arXiv 1806.02508 (with "
             "medians instead of their predictor)",
         .params = {},
         .uses_groups = false,
         .make_server = {},
         .predict = predictLoadBalanced},
        [](const StrategyInfo&, const StrategySetup& setup) {
            GroupRules rules = fixedGroups(oneGroupOfAll(setup.nodes));
            rules.balances_batches = true;
            return rules;
        });
}

StrategyInfo localSgd()
{
    return grouped(
        {.id = "local_sgd",
         .title = "Local SGD",
         .explanation =
             "Each node takes several steps on its own copy of the parameters before all copies are "
             "averaged. Fewer barriers and messages, and delays average out over the steps; the copies "
             "drift apart in between.",
         .source = "Stich, \"Local SGD Converges Fast and Communicates Little\", ICLR 2019",
         .params = {{.name = "steps",
                     .title = "Local steps",
                     .help = "Steps between two averagings; 1 is BSP.",
                     .type = ParamSpec::Type::Whole,
                     .initial = std::int64_t{8},
                     .least = 1,
                     .most = 10000,
                     .choices = {}}},
         .uses_groups = false,
         .make_server = {},
         .predict = predictLocalSteps},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            GroupRules rules = fixedGroups(oneGroupOfAll(setup.nodes));
            rules.local_steps = static_cast<int>(wholeParam(info, setup.choice, "steps"));
            return rules;
        });
}

} // namespace lab
