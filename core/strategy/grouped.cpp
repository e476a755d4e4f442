#include "core/strategy/grouped.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/grouping/grouping.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_warm_up_tasks = 5;
constexpr std::size_t k_speed_window = 10;

std::string listOf(const std::vector<NodeId>& nodes, const std::vector<std::string>& names)
{
    std::string list;
    for (const NodeId node : nodes) {
        list += (list.empty() ? "" : ", ") + names[node.index()];
    }
    return list;
}

} // namespace

GroupedServer::GroupedServer(const StrategySetup& setup, GroupRules rules)
    : setup_(setup),
      rules_(std::move(rules)),
      model_(setup.start_at, setup.learning_rate, setup.momentum),
      speeds_(setup.nodes, k_speed_window),
      nodes_(setup.nodes),
      is_measuring_(rules_.measures_first)
{
    for (const auto& members : rules_.groups) {
        for (const NodeId node : members) {
            nodes_[node.index()].group = GroupId{groups_.size()};
        }
        groups_.push_back({.members = members, .awaited = {}, .arrived = {}});
    }
    LAB_EXPECTS(std::ranges::all_of(nodes_, [](const Node& node) { return node.group.isValid(); }));
}

void GroupedServer::start(Outbox& out)
{
    announce(out);
    if (is_measuring_) {
        out.note(NodeId{},
                 "measuring: every node runs alone until it has finished " + std::to_string(k_warm_up_tasks)
                     + " tasks, then nodes of like speed are grouped");
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        beginRound(GroupId{g}, out);
    }
}

void GroupedServer::beginRound(GroupId group, Outbox& out)
{
    Group& mine = groups_[group.index()];
    LAB_EXPECTS(!mine.hasRound());
    mine.round = ++rounds_begun_;
    for (const NodeId id : mine.members) {
        Node& node = nodes_[id.index()];
        if (!node.is_known_alive || node.busy_in.isValid()) {
            continue;
        }
        node.busy_in = group;
        mine.awaited.push_back(id);

        Message task;
        task.version = model_.version();
        task.body = model_.params();
        task.round = mine.round;
        task.order.pieces = {{.stream = id, .first = node.cursor, .count = setup_.batch}};
        node.cursor += setup_.batch;
        out.send(workerOf(id), std::move(task));
    }
}

void GroupedServer::receive(Message push, Outbox& out)
{
    const NodeId id = nodeOf(push.from);
    const GroupId group = nodes_[id.index()].busy_in;
    if (!group.isValid() || groups_[group.index()].round != push.round) {
        out.discard(id, push.task);
        return;
    }
    speeds_.add(id, push.took, push.order.work);
    Group& mine = groups_[group.index()];
    std::erase(mine.awaited, id);
    mine.arrived.push_back(std::move(push));
    regroupIfMeasured(out);
    endRoundIfComplete(group, out);
}

void GroupedServer::endRoundIfComplete(GroupId group, Outbox& out)
{
    Group& mine = groups_[group.index()];
    if (!mine.awaited.empty()) {
        return;
    }
    if (!mine.arrived.empty()) {
        apply(group, out);
    }
    const std::vector<Message> done = std::exchange(mine.arrived, {});
    for (const Message& push : done) {
        nodes_[nodeOf(push.from).index()].busy_in = GroupId{};
    }
    beginRound(group, out);
    // Members that leave for another group find it between rounds only when it has nobody else at work.
    for (const Message& push : done) {
        const Node& node = nodes_[nodeOf(push.from).index()];
        if (!node.busy_in.isValid() && !groups_[node.group.index()].hasRound()) {
            beginRound(node.group, out);
        }
    }
}

void GroupedServer::apply(GroupId group, Outbox& out)
{
    // In node order whatever the order of arrival: sums then have the same bits under every clock.
    std::vector<Message>& pushes = groups_[group.index()].arrived;
    std::ranges::sort(pushes, {}, &Message::from);

    Applied update;
    std::vector<Term> terms;
    for (const Message& push : pushes) {
        terms.push_back({.coefficient = 1, .gradient = push.body});
        update.parts.push_back({.node = nodeOf(push.from), .task = push.task, .read_version = push.version});
        for (const Piece& piece : push.order.pieces) {
            update.samples += piece.count;
        }
    }
    update.weight = setup_.weigh_by_samples ? static_cast<double>(update.samples)
            / (static_cast<double>(setup_.batch) * static_cast<double>(setup_.nodes))
                                            : 1.0;
    model_.apply(terms, update.samples, update.weight);
    update.version = model_.version();
    update.params = model_.params();
    update.group = group;
    out.applied(std::move(update));
}

void GroupedServer::peerDown(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    node.is_known_alive = false;
    if (!node.busy_in.isValid()) {
        return;
    }
    const GroupId group = node.busy_in;
    Group& mine = groups_[group.index()];
    if (std::erase(mine.awaited, id) == 0) {
        return; // its gradient is in already, and stays good
    }
    node.busy_in = GroupId{};
    node.cursor -= setup_.batch; // the lost batch is drawn again
    endRoundIfComplete(group, out);
}

void GroupedServer::peerUp(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    node.is_known_alive = true;
    if (!node.busy_in.isValid() && !groups_[node.group.index()].hasRound()) {
        beginRound(node.group, out);
    }
}

void GroupedServer::moved(NodeId id, GroupId to, Outbox& out)
{
    is_measuring_ = false; // who groups by hand does not want to be overruled
    if (to.index() >= groups_.size()) {
        to = GroupId{groups_.size()};
        groups_.emplace_back();
    }
    Partition groups;
    for (const Group& group : groups_) {
        groups.push_back(group.members);
    }
    std::erase(groups[nodes_[id.index()].group.index()], id);
    groups[to.index()].push_back(id);
    std::ranges::sort(groups[to.index()]);
    regroup(std::move(groups), out);
}

void GroupedServer::regroupIfMeasured(Outbox& out)
{
    if (!is_measuring_) {
        return;
    }
    std::vector<double> seconds;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const std::size_t enough = nodes_[i].is_known_alive ? k_warm_up_tasks : 1;
        if (speeds_.count(NodeId{i}) < enough) {
            return;
        }
        // A task that takes no time at all would have no logarithm.
        seconds.push_back(std::max(*speeds_.seconds(NodeId{i}), 1e-9));
    }
    is_measuring_ = false;
    Partition groups = rules_.count ? groupByClusters(seconds, *rules_.count) : groupByGap(seconds);
    for (const auto& members : groups) {
        double slowest = 0;
        double fastest = seconds[members.front().index()];
        for (const NodeId node : members) {
            slowest = std::max(slowest, seconds[node.index()]);
            fastest = std::min(fastest, seconds[node.index()]);
        }
        const auto number = static_cast<std::size_t>(&members - groups.data());
        out.note(NodeId{},
                 "group " + std::to_string(number) + ": " + listOf(members, setup_.names) + ", median "
                     + shortNumber(fastest) + " to " + shortNumber(slowest) + " s per batch");
    }
    regroup(std::move(groups), out);
}

void GroupedServer::regroup(Partition groups, Outbox& out)
{
    // Rounds in hand stay where they are, under the group's number; only membership changes, which beginRound reads.
    groups_.resize(std::max(groups_.size(), groups.size()));
    groups.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        groups_[g].members = std::move(groups[g]);
        for (const NodeId node : groups_[g].members) {
            nodes_[node.index()].group = GroupId{g};
        }
    }
    announce(out);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (!groups_[g].hasRound()) {
            beginRound(GroupId{g}, out);
        }
    }
}

void GroupedServer::announce(Outbox& out) const
{
    Partition groups;
    for (const Group& group : groups_) {
        groups.push_back(group.members);
    }
    while (!groups.empty() && groups.back().empty()) {
        groups.pop_back();
    }
    const std::size_t count = groups.size();
    out.grouped(std::move(groups), std::vector<int>(count, 0));
}

std::string GroupedServer::waitingFor() const
{
    std::string sentence;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (groups_[g].awaited.empty()) {
            continue;
        }
        std::vector<NodeId> waiting;
        for (const Message& push : groups_[g].arrived) {
            waiting.push_back(nodeOf(push.from));
        }
        sentence += (sentence.empty() ? "" : "; ");
        sentence += waiting.empty() ? "group " + std::to_string(g) : listOf(waiting, setup_.names);
        sentence += " waits for " + listOf(groups_[g].awaited, setup_.names);
    }
    return sentence.empty() ? "no node is alive" : sentence;
}

} // namespace lab
