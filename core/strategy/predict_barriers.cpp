// Closed forms of barriers of all nodes, and of the strategies that change what a node does between two of them.

#include "core/base/text.h"
#include "core/grouping/order_statistics.h"
#include "core/grouping/server_queue.h"
#include "core/strategy/grouped.h"
#include "core/strategy/predict_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lab {
namespace {

double totalMean(const std::vector<TaskLaw>& laws)
{
    return std::accumulate(laws.begin(), laws.end(), 0.0,
                           [](double sum, const TaskLaw& law) { return sum + law.mean(); });
}

} // namespace

std::optional<BarrierRound> uncodedRound(const std::vector<TaskLaw>& laws, const Configuration& configuration,
                                         bool is_alone)
{
    const double messages = 2 * configuration.message_seconds;
    const double busy = totalMean(laws) + static_cast<double>(laws.size()) * messages;
    double seconds = 0;
    if (!configuration.hasQueue()) {
        seconds = expectedMax(laws) + messages;
    } else if (configuration.shares_link || !is_alone) {
        return std::nullopt;
    } else if (laws.size() == 1) {
        seconds = busy + configuration.server_seconds;
    } else if (std::ranges::all_of(laws, &TaskLaw::isConstant)) {
        std::vector<double> arrivals;
        for (const TaskLaw& law : laws) {
            arrivals.push_back(law.mean() + messages);
        }
        seconds = lastDeparture(std::move(arrivals), configuration.server_seconds);
    } else {
        return std::nullopt;
    }
    return BarrierRound{.seconds = seconds, .waiting = static_cast<double>(laws.size()) * seconds - busy};
}

Prediction oneGroup(const std::optional<BarrierRound>& round, const Configuration& configuration,
                    double samples)
{
    Prediction prediction;
    prediction.mean_staleness = 0;
    if (round) {
        prediction.round_seconds = round->seconds;
        prediction.updates_per_second = 1 / round->seconds;
        prediction.samples_per_second = samples / round->seconds;
        prediction.idle_fraction =
            round->waiting / (round->seconds * static_cast<double>(configuration.laws.size()));
    }
    return prediction;
}

std::string costOfMessages(const Configuration& configuration)
{
    return configuration.message_seconds > 0
        ? ", each message " + shortNumber(configuration.message_seconds) + " s"
        : "";
}

Prediction predictLoadBalanced(const StrategyInfo& /*info*/, const Configuration& configuration)
{
    const auto& laws = configuration.laws;
    // With an overhead the measured speed depends on the batch that it was measured with.
    const bool is_proportional = std::ranges::all_of(laws, [](const TaskLaw& law) {
        return law.isConstant() && std::abs(law.forWork(2).mean() - 2 * law.mean()) <= 1e-9 * law.mean();
    });
    if (!is_proportional) {
        Prediction prediction = oneGroup(std::nullopt, configuration, 0);
        prediction.basis = "one group; no closed form for batches that follow measured speeds which vary";
        return prediction;
    }
    std::vector<double> speeds;
    for (const TaskLaw& law : laws) {
        speeds.push_back(1 / law.mean());
    }
    const std::int64_t total = std::int64_t{configuration.batch} * static_cast<std::int64_t>(laws.size());
    const std::vector<std::int64_t> batches = proportionalParts(total, speeds, 1);
    std::vector<TaskLaw> tasks;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        tasks.push_back(laws[i].forWork(static_cast<double>(batches[i]) / configuration.batch));
    }
    Prediction prediction =
        oneGroup(uncodedRound(tasks, configuration, true), configuration, static_cast<double>(total));
    prediction.basis = "one group: whole batches in proportion to constant speeds, a round is the longest"
        + costOfMessages(configuration);
    return prediction;
}

Prediction predictLocalSteps(const StrategyInfo& info, const Configuration& configuration)
{
    const auto steps = static_cast<std::size_t>(wholeParam(info, configuration.choice, "steps"));
    std::vector<TaskLaw> tasks;
    for (const TaskLaw& law : configuration.laws) {
        const auto task = configuration.tasks_are_independent || steps == 1 ? law.inSuccession(steps)
                                                                            : std::optional<TaskLaw>();
        if (!task) {
            Prediction prediction = oneGroup(std::nullopt, configuration, 0);
            prediction.basis = "one group; no closed form for the time of several such steps";
            return prediction;
        }
        tasks.push_back(*task);
    }
    const double samples = static_cast<double>(configuration.laws.size())
        * static_cast<double>(configuration.batch) * static_cast<double>(steps);
    Prediction prediction = oneGroup(uncodedRound(tasks, configuration, true), configuration, samples);
    prediction.basis = "one group: a round is E[max] of the times of " + std::to_string(steps)
        + (steps == 1 ? " step" : " steps in a row") + costOfMessages(configuration);
    return prediction;
}

} // namespace lab
