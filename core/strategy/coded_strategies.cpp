// The strategies that code gradients inside groups.

#include "core/base/error.h"
#include "core/strategy/group_setup.h"
#include "core/strategy/predict_rules.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

void setTolerance(const StrategyInfo& info, const StrategySetup& setup, PlannerRules& rules)
{
    const ParamValue value = paramValue(info, setup.choice, "stragglers");
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        rules.tolerance = {static_cast<int>(*whole)};
    } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
               list != nullptr && !list->empty()) {
        rules.tolerance.assign(list->begin(), list->end());
    } else {
        rules.plans_tolerance = true;
    }
}

void setCode(const StrategyInfo& info, const StrategySetup& setup, GroupRules& rules)
{
    const std::string code = wordParam(info, setup.choice, "code");
    rules.code = code == "cyclic" ? CodeKind::Cyclic
        : code == "heterogeneous" ? CodeKind::Heterogeneous
                                  : CodeKind::Fractional;
    if (code == "approximate") {
        rules.enough = realParam(info, setup.choice, "enough");
    }
    const std::string beyond = wordParam(info, setup.choice, "beyond");
    rules.beyond = beyond == "wait" ? Beyond::Waits
        : beyond == "approximate"   ? Beyond::Approximates
                                    : Beyond::Reencodes;

    // Whatever cannot work is refused before the run; what was not asked for is cut to size instead.
    for (std::size_t g = 0; g < rules.groups.size(); ++g) {
        const auto size = static_cast<int>(rules.groups[g].size());
        if (setup.choice.values.contains("stragglers") && rules.tolerance[g] >= size && !rules.planner) {
            throw Error("stragglers must be below the number of nodes in the group: "
                        + std::to_string(rules.tolerance[g]) + " of " + std::to_string(size)
                        + " leaves nobody");
        }
        rules.tolerance[g] = std::min(rules.tolerance[g], size - 1);
        if (rules.code == CodeKind::Cyclic && rules.tolerance[g] > 0) {
            static_cast<void>(cyclicRepetition(rules.groups[g].size(),
                                               static_cast<std::size_t>(rules.tolerance[g]), setup.seed));
        }
    }
}

std::vector<ParamSpec> codeParams(ParamSpec::Type stragglers, const std::string& help)
{
    return {
        {.name = "stragglers",
         .title = "Stragglers tolerated",
         .help = help,
         .type = stragglers,
         .initial = std::int64_t{1},
         .least = 0,
         .most = 1000,
         .choices = {}},
        {.name = "code",
         .title = "Gradient code",
         .help = "fractional: replicated blocks; cyclic: neighbours overlap; heterogeneous: shares by speed; "
                 "approximate: replicated blocks, and a round ends early with what is in.",
         .type = ParamSpec::Type::Choice,
         .initial = std::string("cyclic"),
         .choices = {"fractional", "cyclic", "heterogeneous", "approximate"}},
        {.name = "beyond",
         .title = "When more are lost",
         .help = "What happens when more nodes are known to be dead than the code rides out: start the round "
                 "over with "
                 "a code for the survivors, approximate, or wait.",
         .type = ParamSpec::Type::Choice,
         .initial = std::string("re-encode"),
         .choices = {"re-encode", "approximate", "wait"}},
        {.name = "enough",
         .title = "Enough messages",
         .help = "For the approximate code: the share of a group's messages that ends a round even if some "
                 "samples are "
                 "missing then.",
         .type = ParamSpec::Type::Real,
         .initial = 0.5,
         .least = 0.01,
         .most = 1,
         .choices = {}},
    };
}

std::vector<ParamSpec> joined(std::vector<ParamSpec> first, const std::vector<ParamSpec>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const char* const k_tandon =
    "Tandon, Lei, Dimakis, Karampatziakis, \"Gradient Coding: Avoiding Stragglers in "
    "Distributed Learning\", ICML 2017; Wang et al., ICDCS 2019 (heterogeneous); Wang, "
    "Charles, Papailiopoulos, \"ErasureHead\", 2019 (approximate)";

} // namespace

StrategyInfo coded()
{
    return grouped(
        {.id = "coded",
         .title = "Gradient coding (BSP)",
         .short_title = "Gradient coding",
         .explanation =
             "Synchronous, but every sample is computed by s + 1 nodes, coded so that any s of them may be "
             "missing from a round. A severe straggler no longer matters; the price is s + 1 times the "
             "work, whether anybody straggles or not.",
         .source = k_tandon,
         .params = codeParams(ParamSpec::Type::Whole, "How many nodes (s) may be missing from any round."),
         .uses_groups = false,
         .make_server = {},
         .predict = predictCodedGroups},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            PlannerRules planner;
            planner.method = PlannerRules::Method::OneGroup;
            setTolerance(info, setup, planner);
            GroupRules rules = fixedGroups(oneGroupOfAll(setup.nodes));
            rules.tolerance = {planner.tolerance.front()};
            setCode(info, setup, rules);
            return rules;
        });
}

StrategyInfo hybridCoded()
{
    return grouped(
        {.id = "hybrid_coded",
         .title = "Hybrid + gradient coding",
         .explanation =
             "Synchronous inside a group, asynchronous between groups; inside a group the gradient is "
             "coded, so that the group loses nothing when up to s of its nodes are late or dead. Move what "
             "is predictable, code what is not.",
         .source = k_tandon,
         .params =
             joined(codeParams(ParamSpec::Type::WholesOrAuto,
                               "How many nodes (s) may be missing from a group's round: one number for all "
                               "groups, a list, or auto: chosen from measured risk."),
                    groupingParams()),
         .uses_groups = true,
         .make_server = {},
         .predict = predictCodedGroups},
        [](const StrategyInfo& info, const StrategySetup& setup) {
            PlannerRules planner = plannerOf(info, setup);
            setTolerance(info, setup, planner);
            planner.is_fractional = wordParam(info, setup.choice, "code") == "fractional";
            GroupRules rules = groupsAsAsked(setup, std::move(planner));
            setCode(info, setup, rules);
            return rules;
        });
}

} // namespace lab
