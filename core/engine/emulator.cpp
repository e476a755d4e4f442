#include "core/engine/emulator.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab {
namespace {

std::size_t messageBytes(const EmulatorSetup& setup)
{
    return setup.message_bytes.value_or(sizeof(float) * static_cast<std::size_t>(setup.start_at->size()));
}

} // namespace

Emulator::Emulator(EmulatorSetup setup, Executor& executor)
    : setup_(std::move(setup)),
      executor_(executor),
      recorder_(setup_.cluster.nodes.size(), setup_.keeps_history),
      desk_(setup_.cluster, messageBytes(setup_)),
      theory_(setup_.cluster, toSeconds(desk_.flight()), setup_.predict),
      server_(setup_.cluster.nodes.size()),
      rows_taken_(setup_.cluster.nodes.size(), 0),
      params_(setup_.start_at)
{
    const Trace* trace = setup_.trace ? &*setup_.trace : nullptr;
    for (std::size_t i = 0; i < setup_.cluster.nodes.size(); ++i) {
        const NodeId id{i};
        nodes_.push_back({.clockwork = NodeClockwork(setup_.cluster, id, setup_.seed, trace),
                          .worker = setup_.make_worker(id),
                          .running = std::nullopt});
        recorder_.slowdown(id, nodes_.back().clockwork.slowdown(), now_);
    }
    if (setup_.wall != nullptr) {
        meter_.emplace(nodes_.size(), machineThreads());
    }
    for (const Intervention& event : setup_.events) {
        queue_.pushChange(event.at, event.change);
    }
    for (std::size_t i = 0; i < setup_.switches.size(); ++i) {
        queue_.push(setup_.switches[i].at, NodeId{}, SwitchDue{i});
    }
    evaluateNow(params_);
    dispatch(server_, [](Actor& server, Outbox& out) { server.start(out); });
}

std::optional<TimePoint> Emulator::nextAt() const
{
    if (isOver()) {
        return std::nullopt;
    }
    if (queue_.empty()) {
        return awaitsGradient() ? setup_.limits.time : std::nullopt;
    }
    const TimePoint next = queue_.nextAt();
    return setup_.limits.time ? std::min(next, *setup_.limits.time) : next;
}

void Emulator::advance()
{
    LAB_EXPECTS(!isOver());
    if (version_ == 0) {
        stopIfReached(); // the parameters may be good enough, or hopeless, before anything has been learnt
        if (isOver()) {
            return;
        }
    }
    if (queue_.empty() && !awaitsGradient()) {
        message_ = waitingFor();
        stop(StopReason::Stalled, now_);
        return;
    }
    if (setup_.limits.time && (queue_.empty() || queue_.nextAt() > *setup_.limits.time)) {
        stop(StopReason::Seconds, *setup_.limits.time);
        return;
    }
    queue_.takeNext([this](const Event& event) { process(event); });
}

void Emulator::process(const Event& event)
{
    if (isStale(event) || isToBeMeasured(event)) {
        return; // and time stands still: a run that stalls ends at the last thing that happened
    }
    now_ = event.at;
    schedule_.add(static_cast<std::int64_t>(event.at.time_since_epoch().count()));
    schedule_.add(static_cast<std::uint64_t>(event.what.index()));
    schedule_.add(event.node.value());
    cause_ = causeOf(event);
    recorder_.causedBy(cause_);
    std::visit([&](auto& what) { handle(event.node, what); }, event.what);
}

NodeId Emulator::causeOf(const Event& event)
{
    // What the server sends comes about by whoever made it send; what a node sends, fails or finishes is its own doing.
    const auto* message = std::get_if<MessageDue>(&event.what);
    return message != nullptr ? message->cause : event.node;
}

bool Emulator::isStale(const Event& event) const
{
    if (const auto* compute = std::get_if<ComputeDue>(&event.what)) {
        const auto& running = nodes_[compute->node.index()].running;
        return !running || running->ticket != compute->ticket;
    }
    if (const auto* over = std::get_if<SlowOver>(&event.what)) {
        return nodes_[over->node.index()].slow_ticket != over->ticket;
    }
    if (const auto* recovery = std::get_if<RecoveryDue>(&event.what)) {
        return nodes_[recovery->node.index()].life != recovery->life;
    }
    if (const auto* detection = std::get_if<DetectionDue>(&event.what)) {
        return nodes_[detection->node.index()].life != detection->life;
    }
    if (const auto* timer = std::get_if<TimerDue>(&event.what)) {
        return timer->life != (isServer(timer->actor) ? server_life_ : nodes_[timer->actor.index()].life);
    }
    return false;
}

void Emulator::interrupt(TimePoint at, Change change)
{
    LAB_EXPECTS(at > now_);
    queue_.pushChange(at, std::move(change));
}

void Emulator::stop(StopReason reason, TimePoint at)
{
    if (isOver()) {
        return;
    }
    stop_reason_ = reason;
    now_ = at;
}

void Emulator::stopDiverged()
{
    message_ = "the loss is no longer a finite number at update " + std::to_string(version_);
    stop_reason_ = StopReason::Diverged;
}

void Emulator::evaluateNow(const Params& params)
{
    const auto began = WallClock::Wall::now();
    Evaluation evaluation = setup_.workload
        ? evaluate(setup_.workload, params, executor_, setup_.wall == nullptr)
        : noEvaluation();
    if (setup_.wall != nullptr && setup_.wall->isPaced()) {
        setup_.wall->leaveOut(began); // looking at the loss takes none of the run's time
    }
    evaluation.time = now_;
    evaluation.update = version_;
    evaluation.samples = recorder_.samples();
    recorder_.evaluated(evaluation);
    numbers_.add(std::span(params->data(), static_cast<std::size_t>(params->size())));
}

void Emulator::stopIfReached()
{
    const Evaluation& latest = *recorder_.latestEvaluation();
    const bool is_fresh = setup_.workload && latest.update == version_;
    if (is_fresh && !std::isfinite(latest.train_loss)) {
        stopDiverged();
    } else if (is_fresh && setup_.limits.loss && latest.train_loss <= *setup_.limits.loss) {
        stop(StopReason::Loss, now_);
    } else if (setup_.limits.updates && version_ >= *setup_.limits.updates) {
        stop(StopReason::Updates, now_);
    } else if (setup_.limits.samples && recorder_.samples() >= *setup_.limits.samples) {
        stop(StopReason::Samples, now_);
    }
}

std::vector<Theory::Node> Emulator::nodesForTheory() const
{
    std::vector<Theory::Node> nodes;
    for (const Node& node : nodes_) {
        nodes.push_back({.slowdown = node.clockwork.slowdown(),
                         .is_up = node.is_up,
                         .is_known_down = node.is_known_down});
    }
    return nodes;
}

Frame Emulator::frame(TimePoint now)
{
    Frame frame = recorder_.frame(now);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].running) {
            frame.nodes[i].due = nodes_[i].running->due;
        }
    }
    frame.server_utilisation = desk_.utilisation(now);
    if (meter_) {
        frame.live = meter_->figures();
    }
    frame.theory = theory_.now(nodesForTheory(), recorder_.groups());
    frame.stop_reason = stop_reason_;
    frame.message = message_;
    return frame;
}

void Emulator::conclude()
{
    LAB_EXPECTS(isOver());
    if (recorder_.latestEvaluation()->update != version_) {
        evaluateNow(params_);
        if (setup_.workload && !std::isfinite(recorder_.latestEvaluation()->train_loss)) {
            stopDiverged();
        }
    }
    recorder_.log(now_, LogEntry::Kind::Stop, NodeId{},
                  std::string("stopped: ") + stopReasonName(*stop_reason_)
                      + (message_.empty() ? "" : ": " + message_));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const auto& running = nodes_[i].running;
        if (running) {
            dropLive(NodeId{i}, *running);
        }
        if (running && running->is_abandoned) {
            recorder_.activity(NodeId{i}, Activity::Waiting, now_);
            recorder_.settle(NodeId{i}, running->task, false);
        }
    }
    recorder_.close(now_);
}

void Emulator::complete(RunRecord& record)
{
    record.stop_reason = *stop_reason_;
    record.last.server_utilisation = desk_.utilisation(now_);
    record.last.theory = theory_.ofRun(nodesForTheory(), record.last.groups);
    record.last.stop_reason = stop_reason_;
    record.last.message = message_;
    if (meter_) {
        record.last.live = meter_->figures();
        record.task_seconds = meter_->seconds();
    }
    record.last.state = RunState::Finished;
    if (setup_.workload) {
        record.instruction_set = setup_.workload->model->instructionSet();
    }
    record.schedule_fingerprint = schedule_.value();
    record.number_fingerprint = numbers_.value();
}

RunRecord Emulator::ending()
{
    LAB_EXPECTS(isOver());
    RunRecord record;
    record.end = now_;
    record.last = recorder_.frame(now_);
    record.curve = {*recorder_.latestEvaluation()};
    complete(record);
    return record;
}

RunRecord Emulator::takeRecord()
{
    RunRecord record = recorder_.takeRecord();
    complete(record);
    return record;
}

std::span<const std::vector<double>> Emulator::taskSeconds() const
{
    return meter_ ? std::span(meter_->seconds()) : std::span<const std::vector<double>>();
}

} // namespace lab
