// Who belongs to which group of the group engine: by hand, after the warm-up, and while speeds drift.

#include "core/base/text.h"
#include "core/strategy/grouped.h"

#include <algorithm>
#include <utility>

namespace lab {

void GroupedServer::moved(NodeId id, GroupId to, Outbox& out)
{
    is_warming_up_ = false; // who groups by hand does not want to be overruled
    rules_.planner.reset();
    GroupPlan plan = currentPlan();
    if (to.index() >= plan.groups.size()) {
        to = GroupId{plan.groups.size()};
        plan.groups.emplace_back();
        plan.tolerance.push_back(groups_[nodes_[id.index()].group.index()].tolerance);
    }
    std::erase(plan.groups[nodes_[id.index()].group.index()], id);
    plan.groups[to.index()].push_back(id);
    std::ranges::sort(plan.groups[to.index()]);
    regroup(std::move(plan), out);
}

void GroupedServer::planAfterWarmUp(Outbox& out)
{
    if (!is_warming_up_) {
        return;
    }
    // Every push asks: what was found once is not looked at again.
    for (; measured_ < nodes_.size(); ++measured_) {
        if (nodes_[measured_].is_known_alive && speeds_.count(NodeId{measured_}) < rules_.warm_up_tasks) {
            return;
        }
    }
    is_warming_up_ = false;
    regroup(rules_.planner->firstPlan(speeds_), out);
}

void GroupedServer::replan(Outbox& out)
{
    if (is_warming_up_ || !rules_.planner) {
        return;
    }
    std::vector<bool> is_alive;
    for (const Node& node : nodes_) {
        is_alive.push_back(node.is_known_alive);
    }
    if (auto plan = rules_.planner->replan(currentPlan(), speeds_, is_alive, rounds_begun_)) {
        regroup(std::move(*plan), out);
    }
}

void GroupedServer::regroup(GroupPlan plan, Outbox& out)
{
    for (std::string& reason : plan.reasons) {
        out.note(NodeId{}, std::move(reason));
    }
    // Rounds in hand stay where they are, under the group's number; only membership changes, which beginRound reads.
    const std::size_t count = std::max(groups_.size(), plan.groups.size());
    groups_.resize(count);
    plan.groups.resize(count);
    plan.tolerance.resize(count, 0);
    for (std::size_t g = 0; g < count; ++g) {
        groups_[g].members = std::move(plan.groups[g]);
        groups_[g].tolerance = plan.tolerance[g];
        for (const NodeId node : groups_[g].members) {
            nodes_[node.index()].group = GroupId{g};
        }
    }
    announce(out);
    beginRoundOfEachIdleGroup(out);
}

GroupPlan GroupedServer::currentPlan() const
{
    GroupPlan plan;
    for (const Group& group : groups_) {
        plan.groups.push_back(group.members);
        plan.tolerance.push_back(group.tolerance);
    }
    while (!plan.groups.empty() && plan.groups.back().empty()) {
        plan.groups.pop_back();
        plan.tolerance.pop_back();
    }
    return plan;
}

void GroupedServer::announce(Outbox& out) const
{
    GroupPlan plan = currentPlan();
    out.grouped(std::move(plan.groups), std::move(plan.tolerance), is_warming_up_);
}

std::string GroupedServer::waitingFor() const
{
    const auto& names = core_.setup().names;
    std::string sentence;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        std::vector<NodeId> waiting;
        std::vector<NodeId> awaited;
        for (const Seat& seat : groups_[g].seats) {
            (seat.push ? waiting : awaited).push_back(seat.node);
        }
        if (awaited.empty()) {
            continue;
        }
        sentence += (sentence.empty() ? "" : "; ");
        sentence += waiting.empty() ? "group " + letterOf(GroupId{g}) : listOf(waiting, names);
        sentence += " waits for " + listOf(awaited, names);
    }
    return sentence.empty() ? "no node is alive" : sentence;
}

} // namespace lab
