#include "core/experiment/checks.h"
#include "core/experiment/json_tree.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>

namespace lab {
namespace {

constexpr int k_most_group = 1'000'000;

/// What is in force at a moment.
const StrategyChoice& strategyAt(const Experiment& experiment, TimePoint at)
{
    const auto later = std::ranges::upper_bound(experiment.switches, at, {}, &StrategySwitch::at);
    return later == experiment.switches.begin() ? experiment.strategy : std::prev(later)->strategy;
}

struct EventCheck {
    const Experiment& experiment;
    TimePoint at;
    const std::string& where;
    Checks& checks;

    void lasting(const std::optional<Duration>& duration) const
    {
        if (duration) {
            checks.aboveTo(toSeconds(*duration), 0, k_most_seconds, where + ".for");
        }
    }
    void operator()(const Slow& slow) const
    {
        checks.slowdown(slow.factor, where + ".factor");
        lasting(slow.lasting);
    }
    void operator()(const Fail& fail) const { lasting(fail.lasting); }
    void operator()(const Recover& /*recover*/) const {}
    void operator()(const Move& move) const
    {
        checks.whole(move.group.value(), 0, k_most_group, where + ".group");
        const std::string& kind = strategyAt(experiment, at).kind;
        const StrategyInfo* info = findStrategy(kind);
        checks.that(info == nullptr || info->uses_groups, where + ".do",
                    "cannot be \"move\": " + kind + " has no groups to move between");
    }
};

} // namespace

void checkEvents(const Experiment& experiment, Checks& checks)
{
    for (std::size_t i = 0; i < experiment.events.size(); ++i) {
        const Intervention& event = experiment.events[i];
        const std::string where = itemPath("events", i);
        checks.fromTo(toSeconds(event.at), 0, k_most_seconds, where + ".at");
        const NodeId node = nodeOf(event.change);
        checks.that(node.isValid() && node.index() < experiment.cluster.nodes.size(), where + ".node",
                    "is no node of this cluster");
        std::visit(EventCheck{experiment, event.at, where, checks}, event.change);
    }
}

void checkSwitches(const Experiment& experiment, Checks& checks)
{
    for (std::size_t i = 0; i < experiment.switches.size(); ++i) {
        const StrategySwitch& one = experiment.switches[i];
        const std::string where = itemPath("switches", i);
        checks.fromTo(toSeconds(one.at), 0, k_most_seconds, where + ".at");
        Experiment then = experiment;
        then.strategy = one.strategy;
        then.groups = one.groups;
        Checks part;
        checkGroups(then, part);
        checkStrategy(then, part);
        checks.within(where, std::move(part));
    }
}

} // namespace lab
