#include "core/strategy/collecting.h"

#include "core/base/error.h"
#include "core/strategy/group_setup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace lab {

CollectingServer::CollectingServer(StrategySetup setup, CollectingRules rules)
    : core_(std::move(setup)),
      rules_(std::move(rules)),
      nodes_(core_.setup().nodes),
      speeds_(core_.setup().nodes, k_speed_window)
{
    LAB_EXPECTS(rules_.gather >= 1);
    doing_[static_cast<std::size_t>(Doing::Resting)] = nodes_.size();
    setCircles(rules_.clocks.empty() ? oneGroupOfAll(nodes_.size()) : rules_.clocks);
}

void CollectingServer::start(Outbox& out)
{
    announce(out);
    startEveryoneAllowed(out);
}

void CollectingServer::set(Node& node, Doing doing)
{
    doing_[static_cast<std::size_t>(node.doing)] -= 1;
    doing_[static_cast<std::size_t>(doing)] += 1;
    node.doing = doing;
}

void CollectingServer::startTask(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    set(node, Doing::Working);
    node.round = ++rounds_begun_;
    node.rows = core_.takeRows(id, core_.setup().batch);
    Message task = core_.parameters(node.round);
    if (rules_.compensation != 0) {
        node.read = task.body;
    }
    task.order.pieces = {node.rows};
    task.order.goes_on = rules_.after == CollectingRules::After::GoesOn;
    out.send(workerOf(id), std::move(task));
}

void CollectingServer::startIfAllowed(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    if (rules_.bound) {
        const std::int64_t ahead = node.clock - slowestClock(node.circle);
        if (ahead > *rules_.bound) {
            if (node.credit == 0 && rules_.credit > 0 && node.doing != Doing::Blocked) {
                node.credit = grantedCredit(id, out.now());
            }
            if (node.credit == 0 || ahead > *rules_.bound + rules_.credit) {
                set(node, Doing::Blocked);
                return;
            }
            node.credit -= 1;
        } else {
            node.credit = 0;
        }
    }
    startTask(id, out);
}

void CollectingServer::startEveryoneAllowed(Outbox& out)
{
    if (count(Doing::Working) + count(Doing::Down) == nodes_.size()) {
        return;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].doing != Doing::Working && nodes_[i].doing != Doing::Down) {
            startIfAllowed(NodeId{i}, out);
        }
    }
}

/// A synchronous rule takes newcomers in at its next round; where nobody works there would never be one.
void CollectingServer::startRestingIfNobodyWorks(Outbox& out)
{
    if (count(Doing::Working) > 0) {
        return;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].doing == Doing::Resting) {
            startIfAllowed(NodeId{i}, out);
        }
    }
}

void CollectingServer::receive(Message push, Outbox& out)
{
    const NodeId id = nodeOf(push.from);
    Node& node = nodes_[id.index()];
    if (node.doing != Doing::Working || push.round != node.round) {
        out.discard(id, push.task);
        return;
    }
    if (push.order.goes_on) {
        node.rows = core_.takeRows(id, core_.setup().batch); // it has begun them already
    } else {
        set(node, Doing::Waiting);
    }
    node.interval = out.now() - node.pushed;
    node.pushed = out.now();

    const std::int64_t staleness = core_.version() - push.version;
    const bool is_late = rules_.needs_fresh && staleness > 0;
    const bool is_too_stale = rules_.threshold && staleness >= *rules_.threshold;
    if (is_late || is_too_stale) {
        out.discard(id, push.task);
        startIfAllowed(id, out);
        return;
    }
    node.clock += 1;
    bool may_unblock = false;
    if (Circle& circle = circles_[node.circle];
        node.clock - 1 == circle.slowest && --circle.at_slowest == 0) {
        findSlowest(node.circle);
        may_unblock = true;
    }
    if (rules_.planner) {
        speeds_.add(id, push.took, 1);
    }
    gathered_.push_back(std::move(push));
    updateIfGathered(out);
    may_unblock = planAfterWarmUp(out) || may_unblock;
    if (rules_.after == CollectingRules::After::Reads && node.doing == Doing::Waiting) {
        startIfAllowed(id, out);
    }
    if (may_unblock) {
        startBlockedIfAllowed(out);
    }
}

void CollectingServer::startBlockedIfAllowed(Outbox& out)
{
    for (std::size_t i = 0; count(Doing::Blocked) > 0 && i < nodes_.size(); ++i) {
        if (nodes_[i].doing == Doing::Blocked) {
            startIfAllowed(NodeId{i}, out);
        }
    }
}

void CollectingServer::updateIfGathered(Outbox& out)
{
    if (!gathered_.empty() && static_cast<std::int64_t>(gathered_.size()) >= needed()) {
        update(out);
    }
}

void CollectingServer::update(Outbox& out)
{
    std::vector<Message> pushes = std::exchange(gathered_, {});
    if (rules_.cancels_late) {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (nodes_[i].doing == Doing::Working) {
                core_.giveBack(nodes_[i].rows);
                set(nodes_[i], Doing::Waiting);
                out.abandon(NodeId{i});
            }
        }
    }
    const GroupId group{nodes_[nodeOf(pushes.front().from).index()].circle};
    core_.apply(termsOf(std::move(pushes)), group, out);
    if (rules_.after != CollectingRules::After::Reads) {
        startEveryoneAllowed(out);
    }
}

UpdateTerms CollectingServer::termsOf(std::vector<Message> pushes) const
{
    // In node order, a node's own in the order of its tasks, so that the sum has the same bits whoever came first.
    std::ranges::sort(pushes, [](const Message& a, const Message& b) {
        return std::pair(a.from, a.task) < std::pair(b.from, b.task);
    });
    UpdateTerms update;
    double damping = 0;
    for (const Message& push : pushes) {
        const NodeId id = nodeOf(push.from);
        const std::int64_t rows = rowsOf(push.order);
        const double factor = dampingOf(core_.version() - push.version);
        damping += factor;
        Params gradient = push.body;
        const Params& read = nodes_[id.index()].read;
        if (rules_.compensation != 0 && read != core_.params()) {
            // g~ = g + lambda g (.) g (.) (w - w_read) for the mean gradient g (Zheng et al., equation 10)
            const auto scale = static_cast<float>(rules_.compensation / static_cast<double>(rows));
            gradient = std::make_shared<const Vector>(
                (gradient->array()
                 + scale * gradient->array().square() * (core_.params()->array() - read->array()))
                    .matrix());
        }
        update.terms.push_back({.coefficient = factor, .gradient = std::move(gradient)});
        update.parts.push_back({.node = id, .task = push.task, .read_version = push.version});
        update.samples += rows;
    }
    // Common damping is the update's weight; what is left in the coefficients is each gradient's share of it.
    damping /= static_cast<double>(pushes.size());
    for (Term& term : update.terms) {
        term.coefficient /= damping;
    }
    update.damping = damping;
    return update;
}

double CollectingServer::dampingOf(std::int64_t staleness) const
{
    if (!rules_.damps_by_staleness) {
        return 1;
    }
    const double stale = static_cast<double>(std::max<std::int64_t>(staleness, 1));
    // Weighed by samples the step holds a factor 1/nodes for the usual staleness of nodes - 1 already: only what is
    // staler than usual is damped then. Each update at the full rate is damped as published.
    const double usual = core_.setup().weigh_by_samples ? static_cast<double>(core_.setup().nodes) - 1 : 1;
    return std::min(1.0, std::max(usual, 1.0) / stale);
}

std::int64_t CollectingServer::needed() const
{
    if (rules_.after != CollectingRules::After::Waits) {
        return rules_.gather; // one node can give several
    }
    // Who has come back meanwhile rests until the next round: this one cannot count on it.
    const std::size_t taking_part = count(Doing::Working) + count(Doing::Waiting);
    return std::min(rules_.gather, static_cast<std::int64_t>(std::max<std::size_t>(taking_part, 1)));
}

/// DSSP: of 0 … credit further steps, the number after which the node would have to wait least for some push of the
/// slowest node, both going on at the pace of their latest two pushes (Zhao et al., algorithm 2).
std::int64_t CollectingServer::grantedCredit(NodeId id, TimePoint now) const
{
    const Node& mine = nodes_[id.index()];
    const std::int64_t slowest_clock = slowestClock(mine.circle);
    const auto slowest = std::ranges::find_if(nodes_, [&](const Node& node) {
        return node.circle == mine.circle && node.doing != Doing::Down && node.clock == slowest_clock;
    });
    if (slowest == nodes_.end() || slowest->interval <= Duration::zero()) {
        return 0;
    }
    std::int64_t best = 0;
    double least_wait = std::numeric_limits<double>::infinity();
    for (std::int64_t steps = 0; steps <= rules_.credit; ++steps) {
        const double done = toSeconds(now) + static_cast<double>(steps) * toSeconds(mine.interval);
        const double since = done - toSeconds(slowest->pushed);
        const double pushes = std::max(1.0, std::ceil(since / toSeconds(slowest->interval)));
        const double wait = toSeconds(slowest->pushed) + pushes * toSeconds(slowest->interval) - done;
        if (wait < least_wait) {
            least_wait = wait;
            best = steps;
        }
    }
    return best;
}

void CollectingServer::peerDown(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    if (node.doing == Doing::Working) {
        core_.giveBack(node.rows);
    }
    set(node, Doing::Down);
    findSlowest(node.circle);
    updateIfGathered(out);
    planAfterWarmUp(out);
    if (rules_.bound) {
        startEveryoneAllowed(out);
    }
    startRestingIfNobodyWorks(out);
}

void CollectingServer::peerUp(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    const std::int64_t slowest = slowestClock(node.circle); // of the others: this one still counts as down
    if (slowest != std::numeric_limits<std::int64_t>::max()) {
        node.clock = slowest;
    }
    set(node, Doing::Resting);
    measured_ = 0;
    findSlowest(node.circle);
    if (rules_.needs_fresh) {
        startRestingIfNobodyWorks(out);
    } else {
        startIfAllowed(id, out);
    }
}

std::string CollectingServer::waitingFor() const
{
    std::vector<NodeId> waiting;
    std::vector<NodeId> working;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].doing == Doing::Working) {
            working.emplace_back(i);
        } else if (nodes_[i].doing != Doing::Down) {
            waiting.emplace_back(i);
        }
    }
    if (waiting.empty() && working.empty()) {
        return "no node is alive";
    }
    return (waiting.empty() ? "the server" : listOf(waiting, core_.setup().names)) + " waits for "
        + (working.empty() ? "a node that can work" : listOf(working, core_.setup().names));
}

StrategyInfo collecting(StrategyInfo info, CollectingRulesOf rules)
{
    // The factory keeps a copy of the table that it reads its defaults from: lines of the catalogue may move.
    const auto table = std::make_shared<const StrategyInfo>(info);
    info.make_server = [table,
                        rules = std::move(rules)](const StrategySetup& setup) -> std::unique_ptr<Actor> {
        return std::make_unique<CollectingServer>(setup, rules(*table, setup));
    };
    return info;
}

} // namespace lab
