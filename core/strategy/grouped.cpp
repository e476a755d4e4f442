#include "core/strategy/grouped.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace lab {

GroupedServer::GroupedServer(StrategySetup setup, GroupRules rules)
    : core_(std::move(setup)),
      rules_(std::move(rules)),
      codes_(rules_.code, core_.setup().seed),
      nodes_(core_.setup().nodes),
      is_warming_up_(rules_.warm_up_tasks > 0),
      needs_speeds_(rules_.planner || rules_.balances_batches || rules_.code == CodeKind::Heterogeneous),
      speeds_(needs_speeds_ ? core_.setup().nodes : 0, k_speed_window)
{
    LAB_EXPECTS(rules_.tolerance.size() == rules_.groups.size());
    for (std::size_t g = 0; g < rules_.groups.size(); ++g) {
        for (const NodeId node : rules_.groups[g]) {
            nodes_[node.index()].group = GroupId{g};
        }
        Group& group = groups_.emplace_back();
        group.members = std::move(rules_.groups[g]);
        group.tolerance = rules_.tolerance[g];
    }
    rules_.groups.clear(); // they change from here on
    LAB_EXPECTS(std::ranges::all_of(nodes_, [](const Node& node) { return node.group.isValid(); }));
}

std::vector<bool> GroupedServer::Group::areIn(bool or_to_come) const
{
    std::vector<bool> is_in;
    for (const Seat& seat : seats) {
        is_in.push_back(seat.push.has_value() || (or_to_come && !seat.is_lost));
    }
    return is_in;
}

GroupedServer::Seat& GroupedServer::Group::seatOf(NodeId node)
{
    const auto seat = std::ranges::lower_bound(seats, node, {}, &Seat::node);
    LAB_EXPECTS(seat != seats.end() && seat->node == node);
    return *seat;
}

void GroupedServer::start(Outbox& out)
{
    announce(out);
    if (is_warming_up_) {
        out.note(NodeId{},
                 "measuring: every node runs alone until it has finished "
                     + std::to_string(rules_.warm_up_tasks) + " tasks, then the groups are made");
    }
    beginRoundOfEachIdleGroup(out);
}

void GroupedServer::beginRoundOfEachIdleGroup(Outbox& out)
{
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (!groups_[g].hasRound()) {
            beginRound(GroupId{g}, out);
        }
    }
}

void GroupedServer::beginRound(GroupId id, Outbox& out)
{
    Group& group = groups_[id.index()];
    LAB_EXPECTS(!group.hasRound());
    for (const NodeId member : group.members) {
        Node& node = nodes_[member.index()];
        if (node.isFree()) {
            node.busy_in = id;
            group.seats.push_back({.node = member, .rows = {}, .order = {}, .push = {}});
        }
    }
    if (group.seats.empty()) {
        return;
    }
    group.round = ++rounds_begun_;
    group.began = out.now();
    giveOutWork(group);
    for (const Seat& seat : group.seats) {
        (seat.is_lost ? group.lost : group.awaited) += 1;
        if (!seat.is_lost) {
            sendOrder(group, seat, out);
        }
    }
}

/// Draws the round's rows and says who computes which of them.
void GroupedServer::giveOutWork(Group& group)
{
    const auto batch = static_cast<std::int64_t>(core_.setup().batch);
    const bool needs_speeds = rules_.balances_batches || rules_.code == CodeKind::Heterogeneous;
    const std::vector<double> speeds = needs_speeds ? speedsOf(group.seats) : std::vector<double>();
    std::vector<std::int64_t> batches; // empty: all alike
    if (rules_.balances_batches && !speeds.empty()) {
        batches = proportionalParts(batch * static_cast<std::int64_t>(group.seats.size()), speeds, 1);
    }
    fitCode(group, speeds);
    for (std::size_t i = 0; i < group.seats.size(); ++i) {
        Seat& seat = group.seats[i];
        const std::int64_t count = batches.empty() ? batch : batches[i];
        seat.rows = core_.takeRows(seat.node, count * rules_.local_steps);
        seat.order.pieces = {seat.rows};
        seat.order.pieces.begin()->count = count; // each local step takes as many again
        seat.order.work = static_cast<double>(count) / static_cast<double>(batch);
        seat.order.local_steps = rules_.local_steps;
        seat.order.local_rate = core_.setup().learning_rate / static_cast<double>(batch);
    }
    if (!group.isUncoded()) {
        cutIntoShares(group);
    }
}

/// Makes partitions of the rows that every worker would compute without a code, and gives each its share of those.
void GroupedServer::cutIntoShares(Group& group) const
{
    const auto batch = static_cast<double>(core_.setup().batch);
    const GradientCode& code = group.decoder->code();
    std::vector<Piece> rows;
    for (const Seat& seat : group.seats) {
        rows.push_back(seat.order.pieces.at(0));
    }
    // With one partition per worker, partition p is what worker p would compute without a code: coded and uncoded
    // groups then go through the same rows.
    group.partitions.clear();
    if (code.partitions() == group.seats.size()) {
        for (const Piece& piece : rows) {
            group.partitions.push_back({piece});
        }
    } else {
        group.partitions = cutRows(rows, code.partitions());
    }
    for (std::size_t i = 0; i < group.seats.size(); ++i) {
        Seat& seat = group.seats[i];
        seat.order.pieces.clear();
        std::int64_t count = 0;
        for (const Share& share : code.shares(i)) {
            for (Piece piece : group.partitions[share.partition]) {
                piece.coefficient = share.coefficient;
                count += piece.count;
                seat.order.pieces.push_back(piece);
            }
        }
        seat.is_lost = count == 0; // too slow for any share of the work
        seat.order.work = static_cast<double>(count) / batch;
    }
}

/// A code for those who take part; one that depends on speeds is made anew now and then, as estimates move.
void GroupedServer::fitCode(Group& group, const std::vector<double>& speeds)
{
    constexpr std::int64_t k_rounds_between_fits = 20;
    const std::vector<double> equal(group.tolerance > 0 ? group.seats.size() : 0, 1);
    if (group.tolerance == 0 || group.seats.size() == 1) {
        const bool fits =
            group.decoder && group.isUncoded() && group.decoder->code().workers() == group.seats.size();
        if (!fits) {
            group.decoder = codes_.decoder(group.seats.size(), 0, equal);
            group.coded_for.clear();
        }
        return;
    }
    std::vector<NodeId> workers;
    for (const Seat& seat : group.seats) {
        workers.push_back(seat.node);
    }
    const bool is_due =
        rules_.code == CodeKind::Heterogeneous && group.rounds_with_code >= k_rounds_between_fits;
    group.rounds_with_code += 1;
    if (group.decoder && group.coded_for == workers && !is_due) {
        return;
    }
    group.decoder = codes_.decoder(workers.size(), static_cast<std::size_t>(group.tolerance),
                                   speeds.empty() ? equal : speeds);
    group.coded_for = std::move(workers);
    group.rounds_with_code = 0;
}

void GroupedServer::sendOrder(const Group& group, const Seat& seat, Outbox& out)
{
    Message task = core_.parameters(group.round);
    task.order = seat.order;
    out.send(workerOf(seat.node), std::move(task));
}

void GroupedServer::receive(Message push, Outbox& out)
{
    const NodeId id = nodeOf(push.from);
    const GroupId busy_in = nodes_[id.index()].busy_in;
    if (needs_speeds_) {
        speeds_.add(id, push.took, push.order.work * push.order.local_steps);
    }
    if (Node& node = nodes_[id.index()]; node.finishing != 0 && node.finishing == push.round) {
        node.finishing = 0;
        out.discard(id, push.task);
        if (!groups_[node.group.index()].hasRound()) {
            beginRound(node.group, out);
        }
        return;
    }
    if (!busy_in.isValid() || groups_[busy_in.index()].round != push.round) {
        out.discard(id, push.task);
        return;
    }
    Group& group = groups_[busy_in.index()];
    Seat& seat = group.seatOf(id);
    if (seat.is_lost) {
        out.discard(id, push.task);
        return;
    }
    seat.push = {.body = std::move(push.body), .version = push.version, .task = push.task};
    group.awaited -= 1;
    planAfterWarmUp(out);
    endRoundIfPossible(busy_in, out);
}

void GroupedServer::endRoundIfPossible(GroupId id, Outbox& out)
{
    Group& group = groups_[id.index()];
    if (group.isUncoded() && !rules_.enough) {
        if (group.awaited == 0 && group.lost == 0) {
            endRound(id, group.decoder->complete(), out);
        } else if (group.awaited == 0) {
            endHopelessRound(id, out);
        }
        return; // while anything is to come, every push but the last passes here
    }
    const std::vector<bool> is_in = group.areIn(false);
    const auto in = static_cast<std::size_t>(std::ranges::count(is_in, true));
    if (const auto decoding = group.decoder->decode(is_in)) {
        endRound(id, *decoding, out);
        return;
    }
    if (rules_.enough && in > 0
        && static_cast<double>(in) >= *rules_.enough * static_cast<double>(group.seats.size())) {
        endRound(id, group.decoder->code().approximate(is_in), out);
        return;
    }
    // While nobody is lost everything is still to come, and everything decodes.
    if (group.lost > 0 && !group.decoder->decode(group.areIn(true))) {
        endHopelessRound(id, out);
    }
}

void GroupedServer::endRound(GroupId id, const Decoding& decoding, Outbox& out)
{
    Group& group = groups_[id.index()];
    for (std::size_t i = 0; i < group.seats.size(); ++i) {
        const Seat& seat = group.seats[i];
        if (seat.push && decoding.weights[i] == 0) {
            out.discard(seat.node, seat.push->task);
        } else if (!seat.push && !seat.is_lost) {
            giveUpOrMeasure(group, seat, out);
        }
    }
    apply(id, decoding, out);
    freeSeats(id);
    replan(out);
    if (!groups_[id.index()].hasRound()) {
        beginRound(id, out);
    }
    // Those who leave for another group find it between rounds only when it has nobody else at work.
    for (const NodeId node : freed_) {
        const GroupId next = nodes_[node.index()].group;
        if (!nodes_[node.index()].busy_in.isValid() && !groups_[next.index()].hasRound()) {
            beginRound(next, out);
        }
    }
}

/// Nobody waits for this member's task any more.
void GroupedServer::giveUpOrMeasure(const Group& group, const Seat& seat, Outbox& out)
{
    constexpr std::int64_t k_rounds_between = 5;
    const bool is_due = group.rounds_with_code % k_rounds_between == k_rounds_between - 1;
    if (rules_.measures_late_tasks && is_due) {
        nodes_[seat.node.index()].finishing = group.round;
        return;
    }
    out.abandon(seat.node);
    if (needs_speeds_) {
        speeds_.addCancelled(seat.node, out.now() - group.began, seat.order.work);
    }
}

void GroupedServer::freeSeats(GroupId id)
{
    Group& group = groups_[id.index()];
    freed_.clear();
    for (const Seat& seat : group.seats) {
        GroupId& busy_in = nodes_[seat.node.index()].busy_in;
        if (busy_in == id) { // one that was lost may be at work elsewhere by now
            busy_in = GroupId{};
        }
        freed_.push_back(seat.node);
    }
    group.seats.clear();
    group.awaited = 0;
    group.lost = 0;
}

void GroupedServer::apply(GroupId id, const Decoding& decoding, Outbox& out)
{
    const Group& group = groups_[id.index()];
    UpdateTerms update;
    update.decode_error = decoding.error;
    for (std::size_t i = 0; i < group.seats.size(); ++i) { // by node, whatever the order of arrival
        if (decoding.weights[i] == 0) {
            continue;
        }
        const Push& push = *group.seats[i].push;
        update.terms.push_back({.coefficient = decoding.weights[i], .gradient = push.body});
        update.parts.push_back(
            {.node = group.seats[i].node, .task = push.task, .read_version = push.version});
    }
    for (std::size_t p = 0; p < decoding.is_covered.size(); ++p) {
        if (!decoding.is_covered[p]) {
            continue;
        }
        if (group.isUncoded()) {
            update.samples += group.seats[p].rows.count;
            continue;
        }
        for (const Piece& piece : group.partitions[p]) {
            update.samples += piece.count * rules_.local_steps;
        }
    }
    core_.apply(std::move(update), id, out);
}

std::vector<double> GroupedServer::speedsOf(const std::vector<Seat>& seats) const
{
    std::vector<double> speeds;
    for (const Seat& seat : seats) {
        const auto seconds = speeds_.seconds(seat.node);
        if (!seconds) {
            return {};
        }
        speeds.push_back(1 / *seconds);
    }
    return speeds;
}

} // namespace lab
