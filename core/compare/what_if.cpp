#include "core/compare/what_if.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/compare/target.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab {
namespace {

/// Times and losses closer than this are called the same.
constexpr double k_notable = 0.02;

const std::string& nameOf(const Experiment& journal, NodeId node)
{
    return journal.cluster.nodes.at(node.index()).name;
}

/// Whether a change that was made leaves nothing of a later one.
bool overrules(const Change& made, const Change& later)
{
    if (nodeOf(made) != nodeOf(later)) {
        return false;
    }
    if (std::holds_alternative<Recover>(made)) {
        return std::holds_alternative<Fail>(later) || std::holds_alternative<Recover>(later);
    }
    return made.index() == later.index();
}

bool isSame(double a, double b) { return std::abs(a - b) <= k_notable * std::max(std::abs(a), std::abs(b)); }

double lastLoss(const BranchSide& side)
{
    return side.curve.empty() ? std::nan("") : side.curve.back().train_loss;
}

std::string lossText(const BranchSide& side)
{
    const double loss = lastLoss(side);
    return std::isfinite(loss) ? shortNumber(loss) : std::string("no finite number");
}

std::string outcome(TimePoint at, const BranchSide& as_it_was, const BranchSide& branch)
{
    if (std::isfinite(lastLoss(as_it_was)) != std::isfinite(lastLoss(branch))) {
        return "the training loss ends at " + lossText(branch) + " instead of " + lossText(as_it_was);
    }
    const Target target{Target::Loss::Training,
                        std::max(lowestLoss(as_it_was.curve), lowestLoss(branch.curve))};
    const double then = timeToTarget(as_it_was.curve, target);
    const double now = timeToTarget(branch.curve, target);
    if (!std::isfinite(target.value) || (then <= toSeconds(at) && now <= toSeconds(at))) {
        return isSame(lastLoss(as_it_was), lastLoss(branch))
            ? "the training loss ends at " + lossText(branch) + " all the same"
            : "the training loss ends at " + lossText(branch) + " instead of " + lossText(as_it_was);
    }
    const std::string reached = "a training loss of " + shortNumber(target.value) + " is reached ";
    // What the branch can change is the time after it.
    if (isSame(then - toSeconds(at), now - toSeconds(at))) {
        return reached + "after " + shortNumber(now, 4) + " s all the same";
    }
    return reached + "after " + shortNumber(now, 4) + " s instead of " + shortNumber(then, 4) + " s";
}

std::string percent(double share) { return shortNumber(std::round(1000 * share) / 10) + " %"; }

} // namespace

WhatIf notSlow(const Experiment& journal, NodeId node, TimePoint at)
{
    // A factor goes on top of the node's own slowdown.
    return {.clause = nameOf(journal, node) + " runs at normal speed",
            .at = at,
            .changes = {Slow{node, 1 / journal.cluster.nodes.at(node.index()).slowdown, {}}},
            .strategy = {}};
}

WhatIf neverFails(const Experiment& journal, NodeId node, TimePoint at)
{
    return {.clause = nameOf(journal, node) + " does not fail",
            .at = at,
            .changes = {Recover{node}},
            .strategy = {}};
}

WhatIf otherStrategy(StrategyChoice choice, Grouping groups, TimePoint at)
{
    const StrategyInfo* info = findStrategy(choice.kind);
    LAB_EXPECTS(info != nullptr);
    return {.clause = shortTitle(*info) + " takes over",
            .at = at,
            .changes = {},
            .strategy = WhatIf::Strategy{std::move(choice), std::move(groups)}};
}

WhatIf splitGroup(const std::vector<NodeId>& members, GroupId group, GroupId fresh, TimePoint at)
{
    LAB_EXPECTS(members.size() > 1);
    WhatIf what_if{
        .clause = "group " + letterOf(group) + " is split in two", .at = at, .changes = {}, .strategy = {}};
    for (std::size_t i = (members.size() + 1) / 2; i < members.size(); ++i) {
        what_if.changes.emplace_back(Move{members[i], fresh});
    }
    return what_if;
}

Experiment branchOf(const Experiment& journal, const WhatIf& what_if)
{
    Experiment branch = journal;
    const bool has_groups = !what_if.strategy || findStrategy(what_if.strategy->choice.kind)->uses_groups;
    std::erase_if(branch.events, [&](const Intervention& event) {
        const bool is_overruled = std::ranges::any_of(
            what_if.changes, [&](const Change& made) { return overrules(made, event.change); });
        const bool is_idle_move = !has_groups && std::holds_alternative<Move>(event.change);
        return event.at >= what_if.at && (is_overruled || is_idle_move);
    });
    for (const Change& change : what_if.changes) {
        branch.events.push_back({.at = what_if.at, .change = change});
    }
    std::ranges::stable_sort(branch.events, {}, &Intervention::at);
    if (what_if.strategy) {
        std::erase_if(branch.switches, [&](const StrategySwitch& one) { return one.at >= what_if.at; });
        branch.switches.push_back(
            {.at = what_if.at, .strategy = what_if.strategy->choice, .groups = what_if.strategy->groups});
    }
    return branch;
}

std::string answerTo(const WhatIf& what_if, const BranchSide& as_it_was, const BranchSide& branch)
{
    std::string waiting = ", and nodes wait " + percent(branch.idle) + " of the time";
    if (std::abs(branch.idle - as_it_was.idle) >= 0.01) {
        waiting += " instead of " + percent(as_it_was.idle);
    }
    return "If " + what_if.clause + " from " + shortNumber(toSeconds(what_if.at), 4) + " s on, "
        + outcome(what_if.at, as_it_was, branch) + waiting + '.';
}

} // namespace lab
