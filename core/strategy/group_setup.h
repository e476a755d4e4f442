#pragma once

#include "core/strategy/group_planner.h"
#include "core/strategy/group_rules.h"
#include "core/strategy/strategy.h"

#include <functional>
#include <vector>

namespace lab {

// What the catalogue lines of the group engine share: from what the experiment file says to the engine's rules.

/// The rules for a setup; reads parameters through the catalogue line that is passed in.
using GroupRulesOf = std::function<GroupRules(const StrategyInfo&, const StrategySetup&)>;

/// The catalogue line with a factory that makes the group engine with these rules.
[[nodiscard]] StrategyInfo grouped(StrategyInfo info, GroupRulesOf rules);

[[nodiscard]] Partition oneGroupOfAll(std::size_t nodes);
[[nodiscard]] Partition oneGroupEach(std::size_t nodes);

/// Uncoded groups that change by hand only.
[[nodiscard]] GroupRules fixedGroups(Partition groups);

/// Which nodes belong together and how that is found out; the tolerance of groups that are known from the start is set.
[[nodiscard]] GroupRules groupsAsAsked(const StrategySetup& setup, PlannerRules planner);

/// The parameters that say how groups are made, and what they make of the planner.
[[nodiscard]] std::vector<ParamSpec> groupingParams();
[[nodiscard]] PlannerRules plannerOf(const StrategyInfo& info, const StrategySetup& setup);

} // namespace lab
