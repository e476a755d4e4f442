#include "core/strategy/group_setup.h"

#include "core/strategy/grouped.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_warm_up_tasks = 5;

PlannerRules::Method methodOf(const StrategyInfo& info, const StrategySetup& setup)
{
    const std::string rule = wordParam(info, setup.choice, "rule");
    if (rule == "gap") {
        return PlannerRules::Method::Gap;
    }
    if (rule == "clusters") {
        return PlannerRules::Method::Clusters;
    }
    if (rule == "throughput") {
        return PlannerRules::Method::Throughput;
    }
    if (rule == "objective" || setup.grouping.by == Grouping::By::Coding) {
        return PlannerRules::Method::Objective;
    }
    return setup.grouping.count ? PlannerRules::Method::Clusters : PlannerRules::Method::Gap;
}

} // namespace

StrategyInfo grouped(StrategyInfo info, GroupRulesOf rules)
{
    const auto table = std::make_shared<const StrategyInfo>(info);
    info.make_server = [table,
                        rules = std::move(rules)](const StrategySetup& setup) -> std::unique_ptr<Actor> {
        return std::make_unique<GroupedServer>(setup, rules(*table, setup));
    };
    return info;
}

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

GroupRules fixedGroups(Partition groups)
{
    GroupRules rules;
    rules.tolerance.assign(groups.size(), 0);
    rules.groups = std::move(groups);
    return rules;
}

/// Which nodes belong together and how that is found out; the tolerance of groups that are known from the start is set.
GroupRules groupsAsAsked(const StrategySetup& setup, PlannerRules planner)
{
    const Grouping& wanted = setup.grouping;
    const auto count = static_cast<std::size_t>(wanted.count.value_or(0));
    const bool is_given = wanted.by == Grouping::By::Members;
    const bool is_one = planner.method == PlannerRules::Method::OneGroup || count == 1 || setup.nodes == 1;
    const bool is_each = count >= setup.nodes;
    if (is_given) {
        planner.fixed = wanted.members;
        planner.regroups = false;
    } else if (is_one) {
        planner.fixed = oneGroupOfAll(setup.nodes);
        planner.regroups = false;
    } else if (is_each) {
        planner.fixed = oneGroupEach(setup.nodes);
        planner.regroups = false;
    } else if (count > 0) {
        planner.count = count;
    }
    planner.names = setup.names;
    if (!planner.fixed.empty() && !planner.plans_tolerance) {
        GroupRules rules = fixedGroups(planner.fixed);
        for (std::size_t g = 0; g < rules.groups.size(); ++g) {
            rules.tolerance[g] = planner.tolerance[std::min(g, planner.tolerance.size() - 1)];
        }
        return rules;
    }
    GroupRules rules = fixedGroups(oneGroupEach(setup.nodes));
    rules.measures_late_tasks = planner.regroups && planner.plans_tolerance;
    rules.planner = std::make_shared<SpeedPlanner>(std::move(planner));
    rules.warm_up_tasks = k_warm_up_tasks;
    return rules;
}

PlannerRules plannerOf(const StrategyInfo& info, const StrategySetup& setup)
{
    PlannerRules rules;
    rules.method = methodOf(info, setup);
    rules.regroups = std::get<bool>(paramValue(info, setup.choice, "regroup"));
    rules.staleness_penalty = realParam(info, setup.choice, "staleness_penalty");
    return rules;
}

std::vector<ParamSpec> groupingParams()
{
    return {
        {.name = "rule",
         .title = "Grouping rule",
         .help = "How nodes are grouped by speed: where neighbours differ by more than half (gap), optimal "
                 "clusters of "
                 "log time (clusters), equal total speed (throughput), or least expected time with staleness "
                 "counted "
                 "(objective). auto: clusters where a count is given, else gap.",
         .type = ParamSpec::Type::Choice,
         .initial = std::string("auto"),
         .choices = {"auto", "gap", "clusters", "throughput", "objective"}},
        {.name = "regroup",
         .title = "Regroup when speeds drift",
         .help = "Look again every 20 rounds and regroup when it pays clearly, twice in a row.",
         .type = ParamSpec::Type::Toggle,
         .initial = true,
         .choices = {}},
        {.name = "staleness_penalty",
         .title = "Cost of staleness",
         .help = "For the objective: one more unit of mean staleness costs this share more samples (kappa).",
         .type = ParamSpec::Type::Real,
         .initial = 0.03,
         .least = 0,
         .most = 100,
         .choices = {}},
    };
}

} // namespace lab
