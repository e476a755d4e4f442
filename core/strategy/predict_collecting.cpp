// Closed forms of the collecting engine and of nodes that run alone (strategies 4.1, 4.2, 4.3).

#include "core/grouping/order_statistics.h"
#include "core/grouping/server_queue.h"
#include "core/strategy/predict_rules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace lab {
namespace {

double nodesOf(const Configuration& configuration) { return static_cast<double>(configuration.laws.size()); }

/// Of one node's task with its two messages.
double meanCycle(const Configuration& configuration, const TaskLaw& law)
{
    return law.mean() + 2 * configuration.message_seconds;
}

bool areEqual(const std::vector<TaskLaw>& laws)
{
    return std::ranges::all_of(laws, [&](const TaskLaw& law) { return law == laws.front(); });
}

bool areMemoryless(const std::vector<TaskLaw>& laws)
{
    return std::ranges::all_of(laws, &TaskLaw::isMemoryless);
}

bool areConstant(const std::vector<TaskLaw>& laws) { return std::ranges::all_of(laws, &TaskLaw::isConstant); }

/// K of the nodes that are there: where each gives one gradient, no update can take more.
std::size_t distinct(const Configuration& configuration, std::size_t k)
{
    return std::min(k, configuration.laws.size());
}

void setRate(Prediction& prediction, const Configuration& configuration, double updates, std::size_t k)
{
    prediction.updates_per_second = updates;
    prediction.samples_per_second = updates * static_cast<double>(k) * configuration.batch;
}

void setRound(Prediction& prediction, const Configuration& configuration, double seconds, std::size_t k)
{
    prediction.round_seconds = seconds;
    setRate(prediction, configuration, 1 / seconds, k);
}

/// The share of time that is left beside task and messages, at an equal rate of tasks for every node.
double idleAtRate(const Configuration& configuration, double tasks_per_second)
{
    double busy = 0;
    for (const TaskLaw& law : configuration.laws) {
        busy += meanCycle(configuration, law) * tasks_per_second / nodesOf(configuration);
    }
    return 1 - busy;
}

Prediction synchronous(std::string basis)
{
    Prediction prediction;
    prediction.mean_staleness = 0;
    prediction.basis = std::move(basis);
    return prediction;
}

/// Everybody pushes as often as they can, nobody waits: sum of 1 / E[task] (elementary renewal theorem).
double freeRate(const Configuration& configuration)
{
    double rate = 0;
    for (const TaskLaw& law : configuration.laws) {
        rate += 1 / meanCycle(configuration, law);
    }
    return rate;
}

/// A node that no other can be ahead of, whatever the draws: no task of it is shorter than any task of the others.
const TaskLaw* certainlySlowest(const std::vector<TaskLaw>& laws)
{
    for (const TaskLaw& one : laws) {
        const bool is_slowest = std::ranges::all_of(
            laws, [&](const TaskLaw& other) { return &other == &one || other.most() <= one.least(); });
        if (is_slowest) {
            return &one;
        }
    }
    return nullptr;
}

} // namespace

Prediction predictAlone(const StrategyInfo& /*info*/, const Configuration& configuration)
{
    const auto& laws = configuration.laws;
    const double n = nodesOf(configuration);
    Prediction prediction;
    prediction.mean_staleness = n - 1; // each update ages the tasks in hand of all others
    if (!configuration.hasQueue()) {
        setRate(prediction, configuration, freeRate(configuration), 1);
        prediction.idle_fraction = 0;
        prediction.basis =
            "nobody waits: the sum of 1 / E[task]" + costOfMessages(configuration) + "; staleness n - 1";
        if (areMemoryless(laws) && areEqual(laws) && configuration.message_seconds == 0) {
            prediction.geometric_staleness = 1 / n;
            prediction.basis += ", geometric for equal exponential tasks";
        }
        return prediction;
    }
    const double q = configuration.server_seconds;
    const double messages = 2 * configuration.message_seconds;
    if (configuration.shares_link || !areEqual(laws)) {
        prediction.basis = "staleness n - 1; no closed form where messages of unequal nodes wait in line";
        return prediction;
    }
    if (areConstant(laws)) {
        setRate(prediction, configuration, constantQueueRate(laws.size(), laws.front().mean() + messages, q),
                1);
        prediction.basis = "equal constant tasks in line at one server: n / max(task + server, n x server)";
    } else if (areMemoryless(laws) && messages == 0) {
        setRate(prediction, configuration, memorylessQueueRate(laws.size(), laws.front().mean(), q), 1);
        prediction.basis =
            "equal exponential tasks in line at one server: machine repair with constant repairs";
    } else {
        prediction.basis = "staleness n - 1; no closed form for such tasks in line at one server";
        return prediction;
    }
    prediction.idle_fraction = idleAtRate(configuration, *prediction.updates_per_second / n);
    return prediction;
}

Prediction predictBounded(const StrategyInfo& info, const Configuration& configuration)
{
    const auto& laws = configuration.laws;
    if (laws.size() == 1) {
        return predictAlone(info, configuration);
    }
    if (configuration.hasQueue()) {
        return noPrediction("no closed form for clocks with a bound where messages wait in line");
    }
    const double n = nodesOf(configuration);
    const std::int64_t bound = wholeParam(info, configuration.choice, "staleness");
    const bool has_credit =
        std::ranges::find(info.params, "most_staleness", &ParamSpec::name) != info.params.end()
        && wholeParam(info, configuration.choice, "most_staleness") > bound;
    Prediction prediction;
    double seconds = 0; // between two steps of any node
    if (bound == 0 && !has_credit) {
        seconds = expectedMax(laws) + 2 * configuration.message_seconds;
        prediction.mean_staleness = (n - 1) / 2; // all read together, then one is applied after another
        prediction.basis = "bound 0: all in step, n updates in E[max] of the task times"
            + costOfMessages(configuration) + "; staleness 0 ... n - 1 in turn";
    } else if (const TaskLaw* slowest = certainlySlowest(laws)) {
        seconds = meanCycle(configuration, *slowest);
        prediction.basis =
            "the node that is always slowest sets the pace once the others are as far ahead as they may";
    } else {
        return noPrediction("no closed form for clocks with a bound where any node may fall behind");
    }
    setRate(prediction, configuration, n / seconds, 1);
    prediction.idle_fraction = idleAtRate(configuration, 1 / seconds);
    return prediction;
}

Prediction predictKSync(const Configuration& configuration, std::size_t k)
{
    k = distinct(configuration, k);
    if (configuration.hasQueue() || (!configuration.is_preemptive && k < configuration.laws.size())) {
        return synchronous(
            "one version; no closed form for this server or for work that is not cancelled at once");
    }
    const double seconds = expectedKth(configuration.laws, k) + 2 * configuration.message_seconds;
    Prediction prediction = synchronous("E[the K-th of n task times]" + costOfMessages(configuration)
                                        + "; the rest is cancelled at once");
    setRound(prediction, configuration, seconds, k);
    prediction.idle_fraction = expectedWaiting(configuration.laws, k) / (seconds * nodesOf(configuration));
    return prediction;
}

Prediction predictBackup(const Configuration& configuration, std::size_t k)
{
    k = distinct(configuration, k);
    const auto& laws = configuration.laws;
    const bool has_backups = k < laws.size();
    if (configuration.hasQueue() || (has_backups && !areConstant(laws))) {
        return synchronous("one version; no closed form where late nodes finish what nobody waits for");
    }
    // Constant tasks: the K fastest are in every round, the others are late for ever and never wait.
    std::vector<double> means;
    for (const TaskLaw& law : laws) {
        means.push_back(law.mean());
    }
    std::ranges::sort(means);
    double seconds = has_backups ? means[k - 1] : expectedMax(laws);
    double waiting = 0;
    for (std::size_t i = 0; i < k; ++i) {
        waiting += seconds - means[i];
    }
    seconds += 2 * configuration.message_seconds;
    Prediction prediction =
        synchronous((has_backups ? std::string("the time of the K-th fastest of n constant tasks")
                                 : "E[max] of n task times")
                    + costOfMessages(configuration));
    setRound(prediction, configuration, seconds, k);
    prediction.idle_fraction = waiting / (seconds * nodesOf(configuration));
    return prediction;
}

Prediction predictKBatchSync(const Configuration& configuration, std::size_t k)
{
    if (configuration.hasQueue() || !configuration.is_preemptive || !areMemoryless(configuration.laws)) {
        return synchronous(
            "one version; no closed form but for exponential tasks that are cancelled at once");
    }
    double rate = 0;
    for (const TaskLaw& law : configuration.laws) {
        rate += 1 / law.mean();
    }
    Prediction prediction =
        synchronous("exponential tasks: K / (sum of their rates)" + costOfMessages(configuration));
    setRound(prediction, configuration, static_cast<double>(k) / rate + 2 * configuration.message_seconds, k);
    prediction.idle_fraction = 0;
    return prediction;
}

Prediction predictKAsync(const Configuration& configuration, std::size_t k)
{
    k = distinct(configuration, k);
    const auto& laws = configuration.laws;
    const double n = nodesOf(configuration);
    Prediction prediction;
    prediction.mean_staleness =
        (n - static_cast<double>(k)) / static_cast<double>(k); // an update ages n - K tasks
    prediction.basis = "staleness (n - K) / K";
    const bool has_barrier = k == laws.size();
    const bool is_fresh = areMemoryless(laws) && configuration.message_seconds == 0;
    if (configuration.hasQueue() || !(has_barrier || is_fresh)) {
        prediction.basis += "; no closed form for the rate but for exponential tasks without messages";
        return prediction;
    }
    const double seconds = expectedKth(laws, k) + 2 * configuration.message_seconds;
    setRound(prediction, configuration, seconds, k);
    prediction.idle_fraction = expectedWaiting(laws, k) / (seconds * n);
    prediction.basis += has_barrier
        ? "; E[max] of n task times" + costOfMessages(configuration)
        : "; E[the K-th of n exponential tasks], what is left of one being like new";
    return prediction;
}

Prediction predictKBatchAsync(const Configuration& configuration, std::size_t k)
{
    Prediction prediction;
    prediction.mean_staleness = (nodesOf(configuration) - 1) / static_cast<double>(k);
    prediction.basis = "staleness (n - 1) / K";
    if (configuration.hasQueue()) {
        prediction.basis += "; no closed form for the rate where messages wait in line";
        return prediction;
    }
    setRound(prediction, configuration, static_cast<double>(k) / freeRate(configuration), k);
    prediction.idle_fraction = 0;
    prediction.basis +=
        "; nobody waits: K updates' worth in the sum of 1 / E[task]" + costOfMessages(configuration);
    return prediction;
}

Prediction predictThreshold(const Configuration& configuration, std::int64_t threshold)
{
    // While one task runs, each other node finishes so many at most.
    double most_staleness = configuration.hasQueue() ? std::numeric_limits<double>::infinity() : 0;
    for (const TaskLaw& mine : configuration.laws) {
        double others = 0;
        for (const TaskLaw& other : configuration.laws) {
            if (&other != &mine) {
                others += std::floor((mine.most() + 2 * configuration.message_seconds)
                                     / (other.least() + 2 * configuration.message_seconds))
                    + 1;
            }
        }
        most_staleness = std::max(most_staleness, others);
    }
    if (!(most_staleness < static_cast<double>(threshold))) {
        return noPrediction("no closed form where gradients may be thrown away as too stale");
    }
    Prediction prediction = predictAlone({}, configuration);
    prediction.basis += "; no gradient can be too stale";
    return prediction;
}

} // namespace lab
