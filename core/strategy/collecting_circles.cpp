// Who compares clocks with whom: from the start, after the warm-up, and by hand.

#include "core/strategy/collecting.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lab {

void CollectingServer::setCircles(const Partition& circles)
{
    circles_.assign(circles.size(), {});
    for (std::size_t c = 0; c < circles.size(); ++c) {
        circles_[c].members = circles[c];
        for (const NodeId node : circles[c]) {
            nodes_[node.index()].circle = c;
            nodes_[node.index()].clock = 0;
            nodes_[node.index()].credit = 0;
        }
        findSlowest(c);
    }
}

void CollectingServer::findSlowest(std::size_t circle)
{
    Circle& found = circles_[circle];
    found.slowest = std::numeric_limits<std::int64_t>::max();
    found.at_slowest = 0;
    for (const NodeId id : found.members) {
        const Node& node = nodes_[id.index()];
        if (node.doing == Doing::Down) {
            continue;
        }
        if (node.clock < found.slowest) {
            found.slowest = node.clock;
            found.at_slowest = 0;
        }
        found.at_slowest += node.clock == found.slowest ? 1 : 0;
    }
}

bool CollectingServer::planAfterWarmUp(Outbox& out)
{
    if (!rules_.planner) {
        return false;
    }
    for (; measured_ < nodes_.size(); ++measured_) {
        if (nodes_[measured_].doing != Doing::Down
            && speeds_.count(NodeId{measured_}) < rules_.warm_up_tasks) {
            return false;
        }
    }
    const GroupPlan plan = std::exchange(rules_.planner, nullptr)->firstPlan(speeds_);
    for (const std::string& reason : plan.reasons) {
        out.note(NodeId{}, reason);
    }
    setCircles(plan.groups);
    announce(out);
    return true;
}

void CollectingServer::moved(NodeId id, GroupId to, Outbox& out)
{
    rules_.planner.reset(); // who groups by hand does not want to be overruled
    Node& node = nodes_[id.index()];
    std::erase(circles_[node.circle].members, id);
    findSlowest(node.circle);
    node.circle = std::min(to.index(), circles_.size());
    if (node.circle == circles_.size()) {
        circles_.emplace_back();
    }
    // As a node that comes back, it starts level with the slowest of those that it joins.
    const bool is_alone = circles_[node.circle].members.empty();
    findSlowest(node.circle);
    if (!is_alone && slowestClock(node.circle) != std::numeric_limits<std::int64_t>::max()) {
        node.clock = slowestClock(node.circle);
    }
    node.credit = 0;
    circles_[node.circle].members.push_back(id);
    std::ranges::sort(circles_[node.circle].members);
    findSlowest(node.circle);
    announce(out);
    startBlockedIfAllowed(out);
}

void CollectingServer::announce(Outbox& out) const
{
    Partition groups;
    for (const Circle& circle : circles_) {
        groups.push_back(circle.members);
    }
    while (groups.size() > 1 && groups.back().empty()) {
        groups.pop_back();
    }
    const std::size_t count = groups.size();
    out.grouped(std::move(groups), std::vector<int>(count, 0));
}

} // namespace lab
