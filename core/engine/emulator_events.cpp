// What each kind of event does to the emulation.

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/engine/emulator.h"

#include <utility>

namespace lab {

void Emulator::handle(NodeId node, MessageDue& event)
{
    Node& end = nodes_[node.index()];
    if (event.transfer) {
        recorder_.transferEnded(*event.transfer);
    }
    const bool is_lost = event.life != end.life || !end.is_up;
    if (!is_lost && event.transfer) {
        end.transfers -= 1;
        noteActivity(node);
    }
    if (is_lost) {
        if (isServer(event.to)) {
            recorder_.settle(node, event.message.task, false);
        }
        return;
    }
    if (isServer(event.to) && desk_.takesTime()) {
        queue_.push(desk_.takeService(now_), node, ServiceDue{std::move(event.message), server_life_});
        return;
    }
    dispatch(event.to, [&](Actor& actor, Outbox& out) { actor.receive(std::move(event.message), out); });
}

void Emulator::handle(NodeId node, LinkDue& event)
{
    MessageDue upload = std::move(event.upload);
    recorder_.transferEnded(*upload.transfer);
    const TimePoint arrival = desk_.takeLink(now_);
    upload.transfer = recorder_.transferBegan(node, true, now_, arrival);
    queue_.push(arrival, node, std::move(upload));
}

void Emulator::handle(NodeId /*node*/, ServiceDue& event)
{
    if (event.life != server_life_) {
        return; // it was for the strategy before, which had its task settled when it ended
    }
    dispatch(server_, [&](Actor& actor, Outbox& out) { actor.receive(std::move(event.message), out); });
}

void Emulator::handle(NodeId id, ComputeDue& /*event*/)
{
    Node& node = nodes_[id.index()];
    Running done = std::move(*node.running);
    node.running.reset();
    recorder_.taskTime(id, done.due - done.started);
    if (meter_) {
        meter_->ended(id, done.due, *done.time_up);
    }
    noteActivity(id);
    // In a live run it is there; what else there is to do is for the workers.
    Params value =
        setup_.workload || meter_ ? done.gradient.take(meter_ ? nullptr : &executor_) : setup_.start_at;
    Gradient gradient{.value = std::move(value), .task = done.task, .took = done.due - done.started};
    dispatch(workerOf(id), [&](Actor& actor, Outbox& out) { actor.computed(std::move(gradient), out); });
}

void Emulator::handle(NodeId /*node*/, TimerDue& event)
{
    dispatch(event.actor, [&](Actor& actor, Outbox& out) { actor.woke(event.tag, out); });
}

void Emulator::handle(NodeId /*node*/, ChangeDue& event)
{
    std::visit([this](const auto& one) { change(one); }, event.change);
}

void Emulator::handle(NodeId id, SlowOver& /*event*/)
{
    reSpeed(id, [](NodeClockwork& clockwork) { clockwork.endPassing(); });
    recorder_.log(now_, LogEntry::Kind::Slow, id,
                  nameOf(id) + " is back to slowdown "
                      + shortNumber(nodes_[id.index()].clockwork.slowdown()));
}

void Emulator::handle(NodeId id, RecoveryDue& /*event*/) { recover(id); }

void Emulator::handle(NodeId id, DetectionDue& /*event*/)
{
    nodes_[id.index()].is_known_down = true;
    theory_.changed("a node failed during the run");
    recorder_.log(now_, LogEntry::Kind::Detected, id, "the failure of " + nameOf(id) + " was noticed");
    dispatch(server_, [id](Actor& actor, Outbox& out) { actor.peerDown(id, out); });
}

void Emulator::handle(NodeId /*node*/, SwitchDue& event)
{
    Switch& next = setup_.switches[event.number];
    recorder_.log(now_, LogEntry::Kind::Switch, NodeId{}, "from here on: " + next.title);
    theory_.switched(next.predict);
    // Nothing of the old strategy is of use to the new one: work in hand and messages on their way are lost, as in a
    // restart. A node that is down has lost them already, and what becomes of it goes on.
    server_life_ += 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& node = nodes_[i];
        if (!node.is_up) {
            continue;
        }
        node.life += 1;
        node.transfers = 0;
        if (const auto lost = std::exchange(node.running, std::nullopt)) {
            dropLive(NodeId{i}, *lost);
        }
        node.worker = setup_.make_worker(NodeId{i});
        noteActivity(NodeId{i});
    }
    recorder_.discardHeld();
    recorder_.grouped({}, now_);
    setup_.nodes_can_move = next.nodes_can_move;
    setup_.server = next.make_server(params_, version_, rows_taken_);
    dispatch(server_, [](Actor& server, Outbox& out) { server.start(out); });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].is_known_down) {
            dispatch(server_, [i](Actor& actor, Outbox& out) { actor.peerDown(NodeId{i}, out); });
        }
    }
}

void Emulator::change(const Slow& slow)
{
    Node& node = nodes_[slow.node.index()];
    node.slow_ticket = ++tickets_;
    std::string text = nameOf(slow.node) + " takes " + shortNumber(slow.factor) + " times as long";
    reSpeed(slow.node, [&](NodeClockwork& clockwork) {
        if (slow.lasting) {
            clockwork.slowForAWhile(slow.factor);
        } else {
            clockwork.slowFor(slow.factor);
        }
    });
    if (slow.lasting) {
        queue_.push(now_ + *slow.lasting, slow.node, SlowOver{slow.node, node.slow_ticket});
        text += " for " + shortNumber(toSeconds(*slow.lasting)) + " s";
    }
    recorder_.log(now_, LogEntry::Kind::Slow, slow.node, std::move(text));
}

template <class SetFactor> void Emulator::reSpeed(NodeId id, SetFactor setFactor)
{
    Node& node = nodes_[id.index()];
    const double before = node.clockwork.slowdown();
    setFactor(node.clockwork);
    const double after = node.clockwork.slowdown();
    if (before == after) {
        return;
    }
    recorder_.slowdown(id, after, now_);
    if (now_ == TimePoint{}) {
        theory_.forget(); // so it has been from the start
    } else {
        theory_.changed("a node's speed changed during the run");
    }
    if (!node.running) {
        return;
    }
    if (meter_) {
        reMeasure(id, before, after);
    }
    if (node.running->time_up) {
        return; // nothing is left that a slowdown could stretch
    }
    node.running->due = now_ + rescaled(node.running->due - now_, before, after);
    node.running->ticket = ++tickets_;
    queue_.push(node.running->due, id, ComputeDue{id, node.running->ticket});
}

void Emulator::change(const Fail& fail)
{
    const NodeId id = fail.node;
    Node& node = nodes_[id.index()];
    if (!node.is_up) {
        recorder_.log(now_, LogEntry::Kind::Fail, id, nameOf(id) + " is down already");
        return;
    }
    node.is_up = false;
    node.life += 1;
    theory_.changed("a node failed during the run");
    node.transfers = 0;
    const std::optional<Running> lost = std::exchange(node.running, std::nullopt);
    noteActivity(id);
    if (lost) {
        dropLive(id, *lost);
        recorder_.settle(id, lost->task, false);
    }
    std::string text = nameOf(id) + " fails";
    if (fail.lasting) {
        queue_.push(now_ + *fail.lasting, id, RecoveryDue{id, node.life});
        text += " for " + shortNumber(toSeconds(*fail.lasting)) + " s";
    }
    recorder_.log(now_, LogEntry::Kind::Fail, id, std::move(text));
    if (setup_.cluster.failure_detection_seconds) {
        const Duration delay = fromSeconds(*setup_.cluster.failure_detection_seconds);
        queue_.push(now_ + delay, id, DetectionDue{id, node.life});
    }
}

void Emulator::change(const Recover& recovery)
{
    if (nodes_[recovery.node.index()].is_up) {
        recorder_.log(now_, LogEntry::Kind::Recover, recovery.node, nameOf(recovery.node) + " is up already");
        return;
    }
    recover(recovery.node);
}

void Emulator::recover(NodeId id)
{
    Node& node = nodes_[id.index()];
    node.is_up = true;
    node.life += 1;
    theory_.changed("a node came back during the run");
    node.worker = setup_.make_worker(id);
    noteActivity(id);
    recorder_.log(now_, LogEntry::Kind::Recover, id, nameOf(id) + " is back");
    // A node that restarts says so, which is news of its failure too where nobody had noticed.
    if (!std::exchange(node.is_known_down, false)) {
        dispatch(server_, [id](Actor& actor, Outbox& out) { actor.peerDown(id, out); });
    }
    dispatch(server_, [id](Actor& actor, Outbox& out) { actor.peerUp(id, out); });
}

void Emulator::change(const Move& move)
{
    if (!setup_.nodes_can_move) {
        recorder_.log(now_, LogEntry::Kind::Move, move.node,
                      nameOf(move.node) + " stays where it is: this strategy has no groups to move between");
        return;
    }
    recorder_.log(now_, LogEntry::Kind::Move, move.node,
                  nameOf(move.node) + " is to join group " + std::to_string(move.group.value())
                      + " at its next round");
    theory_.changed("a node was moved during the run");
    dispatch(server_, [&](Actor& actor, Outbox& out) { actor.moved(move.node, move.group, out); });
}

void Emulator::noteActivity(NodeId id)
{
    const Node& node = nodes_[id.index()];
    if (!node.is_up) {
        recorder_.activity(id, Activity::Down, now_);
    } else if (node.running) {
        recorder_.activity(id, Activity::Computing, now_, node.running->task);
    } else {
        recorder_.activity(id, node.transfers > 0 ? Activity::Communicating : Activity::Waiting, now_);
    }
}

} // namespace lab
