// The strategies that are configurations of the collecting engine.

#include "core/strategy/collecting.h"
#include "core/strategy/predict_rules.h"
#include "core/strategy/strategy.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace lab {
namespace {

using After = CollectingRules::After;

constexpr double k_most_nodes = 1e6;

ParamSpec gatherParam()
{
    return {.name = "k",
            .title = "Gradients per update",
            .help = "How many gradients make one update; auto: three quarters of the nodes.",
            .type = ParamSpec::Type::WholeOrAuto,
            .initial = std::string("auto"),
            .least = 1,
            .most = k_most_nodes,
            .choices = {}};
}

/// A whole number, or what `auto` stands for.
std::int64_t wholeOr(const StrategyInfo& info, const StrategyChoice& choice, const std::string& name,
                     std::int64_t automatic)
{
    const ParamValue value = paramValue(info, choice, name);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? *whole : automatic;
}

/// K; `nodes` are those of the file.
std::int64_t gatherOf(const StrategyInfo& info, const StrategyChoice& choice, std::size_t nodes)
{
    return wholeOr(info, choice, "k", (3 * static_cast<std::int64_t>(nodes) + 3) / 4);
}

/// K, which is at most the number of nodes where each node gives one gradient.
std::int64_t gatherOfDistinct(const StrategyInfo& info, const StrategySetup& setup)
{
    return std::min(gatherOf(info, setup.choice, setup.nodes), static_cast<std::int64_t>(setup.nodes));
}

std::int64_t gatherWithBackups(const StrategyInfo& info, const StrategyChoice& choice, std::size_t nodes)
{
    const auto all = static_cast<std::int64_t>(nodes);
    const std::int64_t backups = wholeOr(info, choice, "backups", std::max<std::int64_t>(1, all / 20));
    return std::max<std::int64_t>(all - backups, 1);
}

std::int64_t thresholdOf(const StrategyInfo& info, const StrategyChoice& choice, std::size_t nodes)
{
    return wholeOr(info, choice, "threshold", 2 * static_cast<std::int64_t>(nodes));
}

/// A rule of the K family that takes K.
template <Prediction (*Rule)(const Configuration&, std::size_t)>
Prediction predictK(const StrategyInfo& info, const Configuration& configuration)
{
    return Rule(configuration,
                static_cast<std::size_t>(gatherOf(info, configuration.choice, configuration.nodes)));
}

const char* const k_dutta =
    "Dutta, Joshi, Ghosh, Dube, Nagpurkar, \"Slow and Stale Gradients Can Win the Race\", "
    "AISTATS 2018";

} // namespace

StrategyInfo kSync()
{
    return collecting(
        {.id = "k_sync",
         .title = "K-sync",
         .explanation =
             "Everybody starts on the same parameters; the first K gradients make the update and the rest "
             "is cancelled. A round lasts as long as its K-th fastest task, and the cancelled work is "
             "wasted.",
         .source = k_dutta,
         .params = {gatherParam()},
         .uses_groups = false,
         .make_server = {},
         .predict = predictK<predictKSync>},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.gather = gatherOfDistinct(info, setup),
                                   .after = After::Waits,
                                   .needs_fresh = true,
                                   .cancels_late = true};
        });
}

StrategyInfo kBatchSync()
{
    return collecting(
        {.id = "k_batch_sync",
         .title = "K-batch-sync",
         .explanation =
             "As K-sync, but who has finished takes another batch at the same parameters: K gradients make "
             "the update, whoever they come from. Nobody waits; what is in hand at the update is wasted.",
         .source = k_dutta,
         .params = {gatherParam()},
         .uses_groups = false,
         .make_server = {},
         .predict = predictK<predictKBatchSync>},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.gather = gatherOf(info, setup.choice, setup.nodes),
                                   .after = After::GoesOn,
                                   .needs_fresh = true,
                                   .cancels_late = true};
        });
}

StrategyInfo kAsync()
{
    return collecting(
        {.id = "k_async",
         .title = "K-async",
         .explanation =
             "K gradients make an update and only their K nodes start over on new parameters; the others "
             "go on with what they read. Mean staleness is (n - K) / K.",
         .source = k_dutta,
         .params = {gatherParam()},
         .uses_groups = false,
         .make_server = {},
         .predict = predictK<predictKAsync>},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.gather = gatherOfDistinct(info, setup), .after = After::Waits};
        });
}

StrategyInfo kBatchAsync()
{
    return collecting(
        {.id = "k_batch_async",
         .title = "K-batch-async",
         .explanation =
             "Every node pushes, reads the newest parameters and goes on at once; the server applies each K "
             "gradients together. Nobody waits, and mean staleness is (n - 1) / K.",
         .source = k_dutta,
         .params = {gatherParam()},
         .uses_groups = false,
         .make_server = {},
         .predict = predictK<predictKBatchAsync>},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.gather = gatherOf(info, setup.choice, setup.nodes),
                                   .after = After::Reads};
        });
}

StrategyInfo backupWorkers()
{
    return collecting(
        {.id = "backup_workers",
         .title = "BSP with backup workers",
         .explanation =
             "The update takes the first n - b gradients. Late nodes finish what they do, their gradients "
             "are dropped on arrival, and they read the newest parameters: a node that is always slow may "
             "never get a gradient in.",
         .source =
             "Chen, Pan, Monga, Bengio, Jozefowicz, \"Revisiting Distributed Synchronous SGD\", 2016, arXiv "
             "1604.00981",
         .params = {{.name = "backups",
                     .title = "Backup workers",
                     .help = "How many nodes an update does not wait for; auto: one in twenty, at least one.",
                     .type = ParamSpec::Type::WholeOrAuto,
                     .initial = std::string("auto"),
                     .least = 0,
                     .most = k_most_nodes,
                     .choices = {}}},
         .uses_groups = false,
         .make_server = {},
         .predict =
             [](const StrategyInfo& info, const Configuration& configuration) {
                 return predictBackup(configuration,
                                      static_cast<std::size_t>(gatherWithBackups(info, configuration.choice,
                                                                                 configuration.nodes)));
             }},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.gather = gatherWithBackups(info, setup.choice, setup.nodes),
                                   .after = After::Waits,
                                   .needs_fresh = true};
        });
}

StrategyInfo stalenessAware()
{
    return collecting(
        {.id = "staleness_aware",
         .title = "Staleness-aware ASP",
         .explanation =
             "Asynchronous, with smaller steps for staler gradients. With `update_weight: update` a step is "
             "divided by the staleness, as published; weighed by samples only gradients staler than usual "
             "are damped, since the usual staleness is in the weight already.",
         .source = "Zhang, Gupta, Lian, Liu, \"Staleness-Aware Async-SGD for Distributed Deep Learning\", "
                   "IJCAI 2016",
         .params = {},
         .uses_groups = false,
         .make_server = {},
         .predict = predictAlone},
        [](const StrategyInfo&, const StrategySetup&) {
            return CollectingRules{.damps_by_staleness = true};
        });
}

StrategyInfo ringmaster()
{
    return collecting(
        {.id = "ringmaster",
         .title = "Ringmaster ASGD",
         .explanation =
             "Asynchronous, but a gradient that is too stale is thrown away and its node reads anew. A slow "
             "node then does no harm, at the price of its work.",
         .source =
             "Maranjyan, Tyurin, Richtarik, \"Ringmaster ASGD\", ICML 2025, arXiv 2501.16168 (without stops)",
         .params = {{.name = "threshold",
                     .title = "Staleness threshold",
                     .help =
                         "Gradients this stale or staler are thrown away; auto: twice the number of nodes.",
                     .type = ParamSpec::Type::WholeOrAuto,
                     .initial = std::string("auto"),
                     .least = 1,
                     .most = 1e9,
                     .choices = {}}},
         .uses_groups = false,
         .make_server = {},
         .predict =
             [](const StrategyInfo& info, const Configuration& configuration) {
                 return predictThreshold(configuration,
                                         thresholdOf(info, configuration.choice, configuration.nodes));
             }},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.threshold = thresholdOf(info, setup.choice, setup.nodes)};
        });
}

StrategyInfo delayCompensated()
{
    return collecting(
        {.id = "dc_asgd",
         .title = "Delay-compensated asynchronous (DC-ASGD)",
         .short_title = "DC-ASGD",
         .explanation =
             "Asynchronous, with each stale gradient corrected towards the newest parameters by a cheap "
             "estimate of the curvature: the square of the gradient, element by element.",
         .source =
             "Zheng et al., \"Asynchronous Stochastic Gradient Descent with Delay Compensation\", ICML 2017",
         .params = {{.name = "compensation",
                     .title = "Compensation",
                     .help = "How much of the correction is applied (lambda); 0 is plain ASP.",
                     .type = ParamSpec::Type::Real,
                     .initial = 0.04,
                     .least = 0,
                     .most = 100,
                     .choices = {}}},
         .uses_groups = false,
         .make_server = {},
         .predict = predictAlone},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            return CollectingRules{.compensation = realParam(info, setup.choice, "compensation")};
        });
}

} // namespace lab
