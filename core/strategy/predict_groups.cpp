// Closed forms of the group engine (strategies 4.1, 4.2, 4.4, 4.5, 4.6).

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/coding/gradient_code.h"
#include "core/grouping/order_statistics.h"
#include "core/strategy/predict_rules.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

using Group = std::vector<std::size_t>;

/// What one group does in the long run, as far as that is known.
struct GroupOutlook {
    std::optional<BarrierRound> round;
    std::optional<double> gradients; ///< in each of its updates
    std::size_t nodes = 0;
};

std::vector<TaskLaw> lawsOf(const Configuration& configuration, const Group& group)
{
    std::vector<TaskLaw> laws;
    for (const std::size_t node : group) {
        laws.push_back(configuration.laws[node]);
    }
    return laws;
}

/// Groups do not wait for each other: each update of one ages the tasks in hand of all others. A group of rate r has
/// mean staleness (R - r) / r, whatever the laws, R being all groups' rate (strategies 4.4); m - 1 over updates.
std::optional<double> meanStaleness(const std::vector<GroupOutlook>& groups)
{
    if (groups.size() == 1) {
        return 0;
    }
    if (!std::ranges::all_of(groups, [](const GroupOutlook& one) { return one.gradients.has_value(); })) {
        return std::nullopt;
    }
    if (std::ranges::all_of(
            groups, [&](const GroupOutlook& one) { return one.gradients == groups.front().gradients; })) {
        return static_cast<double>(groups.size()) - 1;
    }
    double all = 0;
    for (const GroupOutlook& group : groups) {
        if (!group.round) {
            return std::nullopt;
        }
        all += 1 / group.round->seconds;
    }
    double stale = 0;
    double gradients = 0;
    for (const GroupOutlook& group : groups) {
        const double rate = 1 / group.round->seconds;
        stale += *group.gradients * (all - rate);
        gradients += *group.gradients * rate;
    }
    return stale / gradients;
}

Prediction combined(const std::vector<GroupOutlook>& groups, const Configuration& configuration)
{
    Prediction prediction;
    prediction.mean_staleness = meanStaleness(groups);
    double updates = 0;
    double samples = 0;
    double idle = 0;
    for (const GroupOutlook& group : groups) {
        if (!group.round) {
            return prediction;
        }
        const auto nodes = static_cast<double>(group.nodes);
        updates += 1 / group.round->seconds;
        samples += nodes * configuration.batch / group.round->seconds;
        idle += group.round->waiting / group.round->seconds;
    }
    if (groups.size() == 1) {
        prediction.round_seconds = groups.front().round->seconds;
    }
    prediction.updates_per_second = updates;
    prediction.samples_per_second = samples;
    prediction.idle_fraction = idle / static_cast<double>(configuration.laws.size());
    return prediction;
}

/// A node's share of a round's work is its block's size.
std::optional<BarrierRound> fractionalRound(const std::vector<TaskLaw>& laws, std::size_t tolerance,
                                            double messages)
{
    const std::vector<std::size_t> starts = fractionalBlocks(laws.size(), tolerance);
    std::vector<std::vector<std::size_t>> blocks;
    std::vector<TaskLaw> tasks;
    for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
        auto& members = blocks.emplace_back();
        const auto work = static_cast<double>(starts[block + 1] - starts[block]);
        for (std::size_t i = starts[block]; i < starts[block + 1]; ++i) {
            members.push_back(i);
            tasks.push_back(laws[i].forWork(work));
        }
    }
    return BarrierRound{.seconds = expectedFractional(tasks, blocks) + messages,
                        .waiting = expectedFractionalWaiting(tasks, blocks)};
}

/// All n - s first messages decode, and no fewer (Tandon et al., ICML 2017).
std::optional<BarrierRound> cyclicRound(const std::vector<TaskLaw>& laws, std::size_t tolerance,
                                        double messages)
{
    std::vector<TaskLaw> tasks;
    for (const TaskLaw& law : laws) {
        tasks.push_back(law.forWork(static_cast<double>(tolerance + 1)));
    }
    const std::size_t needed = laws.size() - tolerance;
    return BarrierRound{.seconds = expectedKth(tasks, needed) + messages,
                        .waiting = expectedWaiting(tasks, needed)};
}

/// Whether the engine falls back to repetition because every cyclic code would be ill-conditioned.
bool hasCyclicCode(std::size_t workers, std::size_t tolerance, std::uint64_t seed)
{
    try {
        static_cast<void>(cyclicRepetition(workers, tolerance, seed));
        return true;
    } catch (const Error&) {
        return false;
    }
}

GroupOutlook uncodedOutlook(const Configuration& configuration, const Group& group)
{
    return {.round =
                uncodedRound(lawsOf(configuration, group), configuration, configuration.groups.size() == 1),
            .gradients = static_cast<double>(group.size()),
            .nodes = group.size()};
}

GroupOutlook codedOutlook(const Configuration& configuration, const Group& group, std::size_t tolerance,
                          const StrategyInfo& info)
{
    const double messages = 2 * configuration.message_seconds;
    const std::string code = wordParam(info, configuration.choice, "code");
    const auto size = static_cast<double>(group.size());
    const bool is_early = code == "approximate"
        && std::ceil(realParam(info, configuration.choice, "enough") * size)
            < size - static_cast<double>(tolerance);
    GroupOutlook outlook{.round = {}, .gradients = {}, .nodes = group.size()};
    // Work that is not cancelled in time delays the next round; and a share by measured speed depends on the past.
    if (is_early || code == "heterogeneous") {
        return outlook;
    }
    const bool is_cyclic = code == "cyclic" && hasCyclicCode(group.size(), tolerance, configuration.seed);
    if (!is_cyclic) {
        outlook.gradients = static_cast<double>(group.size() / (tolerance + 1));
    }
    if (configuration.hasQueue() || !configuration.is_preemptive) {
        return outlook;
    }
    const std::vector<TaskLaw> laws = lawsOf(configuration, group);
    outlook.round =
        is_cyclic ? cyclicRound(laws, tolerance, messages) : fractionalRound(laws, tolerance, messages);
    return outlook;
}

std::string groupCount(std::size_t groups)
{
    return groups == 1 ? "one group" : std::to_string(groups) + " groups";
}

} // namespace

Prediction predictGroups(const StrategyInfo& info, const Configuration& configuration)
{
    if (configuration.groups.size() == configuration.laws.size() && configuration.groups.size() > 1) {
        return predictAlone(info, configuration);
    }
    std::vector<GroupOutlook> groups;
    for (const Group& group : configuration.groups) {
        groups.push_back(uncodedOutlook(configuration, group));
    }
    Prediction prediction = combined(groups, configuration);
    prediction.basis = groupCount(groups.size());
    if (prediction.updates_per_second) {
        prediction.basis += configuration.hasQueue()
            ? ": the last of the messages that the server takes one by one"
            : ": a round is E[max] of the group's task times" + costOfMessages(configuration);
        prediction.basis += "; idle is what a round exceeds its tasks by";
    } else {
        prediction.basis += ": no closed form where messages wait in line";
    }
    if (groups.size() > 1 && prediction.mean_staleness) {
        prediction.basis += "; staleness (R - r) / r for a group that makes r of R updates";
    }
    return prediction;
}

Prediction predictCodedGroups(const StrategyInfo& info, const Configuration& configuration)
{
    std::vector<GroupOutlook> groups;
    bool is_coded = false;
    for (std::size_t g = 0; g < configuration.groups.size(); ++g) {
        const Group& group = configuration.groups[g];
        const auto tolerance =
            std::min(static_cast<std::size_t>(std::max(configuration.tolerance[g], 0)), group.size() - 1);
        groups.push_back(tolerance == 0 ? uncodedOutlook(configuration, group)
                                        : codedOutlook(configuration, group, tolerance, info));
        is_coded = is_coded || tolerance > 0;
    }
    if (!is_coded) {
        return predictGroups(info, configuration);
    }
    // A round in hand may wait for ever for a dead node, and nobody knows for whom.
    if (configuration.laws.size() < configuration.nodes
        && wordParam(info, configuration.choice, "beyond") == "wait") {
        return noPrediction("a node is down, and a coded round may wait for it to come back");
    }
    Prediction prediction = combined(groups, configuration);
    prediction.basis = groupCount(groups.size());
    if (!prediction.updates_per_second) {
        prediction.basis += ": no closed form for this code, cluster or server";
        return prediction;
    }
    prediction.basis += ": a round is E[time until decodable] with s + 1 times the work, cancelled at once"
        + costOfMessages(configuration);
    return prediction;
}

} // namespace lab
