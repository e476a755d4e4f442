#include "core/strategy/group_planner.h"

#include "core/base/text.h"
#include "core/grouping/grouping.h"
#include "core/strategy/server_core.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

/// [nodes] seconds per batch; a node that was never seen to work counts as the median of the others.
std::vector<double> mediansOf(const SpeedEstimate& speeds)
{
    std::vector<double> known;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        if (const auto seconds = speeds.seconds(NodeId{i})) {
            known.push_back(*seconds);
        }
    }
    std::ranges::sort(known);
    const double usual = known.empty() ? 1 : known[known.size() / 2];
    std::vector<double> medians;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        // A task that takes no time at all would have no logarithm.
        medians.push_back(std::max(speeds.seconds(NodeId{i}).value_or(usual), 1e-9));
    }
    return medians;
}

RegroupRules regroupRules(const PlannerRules& rules)
{
    RegroupRules policy;
    policy.staleness_penalty = rules.staleness_penalty;
    policy.most_tolerance = rules.plans_tolerance ? k_most_tolerance : 0;
    policy.count = rules.count;
    policy.is_fractional = rules.is_fractional;
    return policy;
}

std::string describe(std::size_t number, const std::vector<NodeId>& members, int tolerance,
                     const std::vector<double>& medians, const std::vector<std::string>& names)
{
    double slowest = 0;
    double fastest = medians[members.front().index()];
    for (const NodeId node : members) {
        slowest = std::max(slowest, medians[node.index()]);
        fastest = std::min(fastest, medians[node.index()]);
    }
    std::string text = "group " + letterOf(GroupId{number}) + ": " + listOf(members, names) + ", median "
        + shortNumber(fastest) + " to " + shortNumber(slowest) + " s per batch";
    if (tolerance > 0) {
        text += ", rides out " + std::to_string(tolerance) + (tolerance == 1 ? " straggler" : " stragglers");
    }
    return text;
}

} // namespace

SpeedPlanner::SpeedPlanner(PlannerRules rules) : rules_(std::move(rules)), policy_(regroupRules(rules_)) {}

std::vector<int> SpeedPlanner::tolerancesFor(const Partition& groups) const
{
    std::vector<int> tolerance;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const int wanted = rules_.tolerance[std::min(g, rules_.tolerance.size() - 1)];
        const int most = std::max(static_cast<int>(groups[g].size()) - 1, 0);
        tolerance.push_back(std::min(wanted, most));
    }
    return tolerance;
}

Plan SpeedPlanner::planBySpeed(const SpeedEstimate& speeds, const std::vector<double>& medians) const
{
    const std::vector<TaskLaw> laws = lawsFrom(speeds);
    PlanRequest request;
    request.laws = laws;
    request.staleness_penalty = rules_.staleness_penalty;
    request.most_tolerance = rules_.plans_tolerance ? k_most_tolerance : 0;
    request.count = rules_.count;
    request.is_fractional = rules_.is_fractional;

    Plan plan;
    if (rules_.fixed.empty() && rules_.method == PlannerRules::Method::Objective) {
        plan = planGroups(request);
    } else {
        if (!rules_.fixed.empty()) {
            plan.groups = rules_.fixed;
        } else if (rules_.method == PlannerRules::Method::Clusters) {
            plan.groups = rules_.count ? groupByClusters(medians, *rules_.count) : groupByClusters(medians);
        } else if (rules_.method == PlannerRules::Method::Throughput) {
            plan.groups = groupByThroughput(medians, rules_.count.value_or(1));
        } else if (rules_.method == PlannerRules::Method::OneGroup) {
            plan.groups = groupByClusters(medians, 1);
        } else {
            plan.groups = groupByGap(medians);
        }
        if (rules_.plans_tolerance) {
            plan = planTolerances(plan.groups, request);
        }
    }
    if (!rules_.plans_tolerance) {
        plan.tolerance = tolerancesFor(plan.groups);
    }
    return plan;
}

GroupPlan SpeedPlanner::firstPlan(const SpeedEstimate& speeds)
{
    medians_then_ = mediansOf(speeds);
    was_alive_.assign(speeds.nodes(), true);
    Plan plan = planBySpeed(speeds, medians_then_);
    GroupPlan result;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        if (!plan.groups[g].empty()) {
            result.reasons.push_back(
                describe(g, plan.groups[g], plan.tolerance[g], medians_then_, rules_.names));
        }
    }
    if (!plan.why.empty()) {
        result.reasons.push_back(std::move(plan.why));
    }
    result.groups = std::move(plan.groups);
    result.tolerance = std::move(plan.tolerance);
    return result;
}

std::optional<GroupPlan> SpeedPlanner::replan(const GroupPlan& current, const SpeedEstimate& speeds,
                                              const std::vector<bool>& is_alive, std::int64_t rounds)
{
    if (!rules_.regroups) {
        return std::nullopt;
    }
    // The policy counts rounds of one group.
    const auto groups = std::max<std::int64_t>(
        1, std::ranges::count_if(current.groups, [](const auto& one) { return !one.empty(); }));
    ClusterOutlook outlook;
    outlook.rounds = rounds / groups;
    outlook.is_alive = &is_alive;
    outlook.is_urgent = is_alive != std::exchange(was_alive_, is_alive);
    // An urgent question goes through even while the policy cools down: it keeps it in mind.
    if (!policy_.isDue(outlook.rounds, outlook.is_urgent) && !outlook.is_urgent) {
        return std::nullopt; // laws cost more to make than a round that changes nothing
    }
    const std::vector<TaskLaw> laws = lawsFrom(speeds);
    outlook.laws = laws;
    auto next = policy_.consider(current.groups, current.tolerance, outlook);
    if (!next) {
        return std::nullopt;
    }
    const std::vector<double> medians = mediansOf(speeds);
    if (!rules_.plans_tolerance) {
        next->tolerance = tolerancesFor(next->groups);
    }
    GroupPlan result;
    result.reasons =
        explainChange(current.groups, current.tolerance, *next, medians_then_, medians, rules_.names);
    result.groups = std::move(next->groups);
    result.tolerance = std::move(next->tolerance);
    medians_then_ = medians;
    return result;
}

} // namespace lab
