// What the emulation does for an actor that asks.

#include "core/base/error.h"
#include "core/engine/emulator.h"

#include <algorithm>
#include <utility>

namespace lab {

void Emulator::carryOutAll(ActorId actor)
{
    for (auto& action : out_.actions()) {
        if (isOver()) {
            break; // what would have come after the last update never happens
        }
        std::visit([&](auto& one) { carryOut(actor, one); }, action);
    }
    out_.restart(now_); // lets go of parameters
}

void Emulator::carryOut(ActorId from, Outbox::Send& send)
{
    // One of the two ends is a node; that node's link is what the message takes.
    const bool is_upload = isServer(send.to);
    const NodeId id = nodeOf(is_upload ? from : send.to);
    Node& node = nodes_[id.index()];
    send.message.from = from;
    MessageDue due{.to = send.to,
                   .message = std::move(send.message),
                   .life = node.life,
                   .cause = cause_,
                   .transfer = {}};
    if (!setup_.cluster.network) {
        queue_.push(now_, id, std::move(due));
        return;
    }
    const bool queues_up = is_upload && desk_.isLinkShared();
    const bool queues_down = !is_upload && desk_.isLinkShared();
    const TimePoint leaves = queues_down ? desk_.takeLink(now_) : now_;
    const TimePoint arrives = leaves + desk_.flight();
    due.transfer = recorder_.transferBegan(id, is_upload, now_, arrives);
    if (node.is_up) {
        node.transfers += 1;
        noteActivity(id);
    }
    if (queues_up) {
        queue_.push(arrives, id, LinkDue{std::move(due)});
    } else {
        queue_.push(arrives, id, std::move(due));
    }
}

void Emulator::carryOut(ActorId actor, Outbox::Compute& compute)
{
    const NodeId id = nodeOf(actor);
    Node& node = nodes_[id.index()];
    LAB_EXPECTS(node.is_up && !node.running);
    for (const Piece& piece : compute.order.pieces) {
        std::int64_t& taken = rows_taken_[piece.stream.index()];
        taken = std::max(taken, piece.first + piece.count);
    }
    const Duration takes = node.clockwork.startTask(compute.order.work);
    Running running;
    running.task = compute.part_of ? *compute.part_of : ++tasks_;
    running.ticket = ++tickets_;
    running.started = now_;
    running.due = now_ + takes;
    running.launch = running.ticket;
    if (meter_) {
        meter_->started(id, now_, takes, compute.order.work, node.clockwork.slowdown());
    }
    if (setup_.workload) {
        auto work = [workload = setup_.workload, at = std::move(compute.at),
                     order = std::move(compute.order)] { return workload->gradient(*at, order); };
        running.gradient = meter_ ? executor_.submit(timed(std::move(work), id, running.launch))
                                  : executor_.submit(std::move(work));
    } else if (meter_) {
        running.gradient =
            executor_.submit(timed([nothing = setup_.start_at] { return nothing; }, id, running.launch));
    }
    queue_.push(running.due, id, ComputeDue{id, running.ticket});
    node.running = std::move(running);
    noteActivity(id);
}

void Emulator::carryOut(ActorId actor, Outbox::Cancel& /*cancel*/)
{
    const NodeId id = nodeOf(actor);
    const std::optional<Running> cancelled = std::exchange(nodes_[id.index()].running, std::nullopt);
    LAB_EXPECTS(cancelled.has_value());
    dropLive(id, *cancelled);
    noteActivity(id);
    recorder_.settle(id, cancelled->task, false);
}

void Emulator::carryOut(ActorId actor, Outbox::Wake& wake)
{
    const bool is_server = isServer(actor);
    const NodeId id = is_server ? NodeId{} : nodeOf(actor);
    const std::uint32_t life = is_server ? server_life_ : nodes_[id.index()].life;
    queue_.push(now_ + wake.after, id, TimerDue{.actor = actor, .tag = wake.tag, .life = life});
}

void Emulator::carryOut(ActorId /*actor*/, Outbox::Discard& discard)
{
    recorder_.settle(discard.node, discard.task, false);
}

void Emulator::carryOut(ActorId /*actor*/, Outbox::Abandon& abandon)
{
    if (auto& running = nodes_[abandon.node.index()].running) {
        running->is_abandoned = true;
    }
}

void Emulator::carryOut(ActorId /*actor*/, Outbox::Grouped& grouped)
{
    recorder_.grouped(grouped, now_);
    theory_.grouped(now_);
}

void Emulator::carryOut(ActorId /*actor*/, Outbox::Note& note)
{
    recorder_.log(now_, LogEntry::Kind::Note, note.node, std::move(note.text));
}

void Emulator::carryOut(ActorId /*actor*/, Applied& update)
{
    version_ = update.version;
    params_ = update.params;
    recorder_.applied(update, now_);
    if (setup_.workload && version_ % setup_.evaluate_every_updates == 0) {
        evaluateNow(params_);
    }
    stopIfReached();
}

} // namespace lab
