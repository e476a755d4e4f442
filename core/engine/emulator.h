#pragma once

#include "core/base/fingerprint.h"
#include "core/cluster/change.h"
#include "core/cluster/node_spec.h"
#include "core/engine/event_queue.h"
#include "core/engine/executor.h"
#include "core/engine/node_clockwork.h"
#include "core/engine/server_desk.h"
#include "core/engine/task_meter.h"
#include "core/engine/theory.h"
#include "core/engine/wall_clock.h"
#include "core/engine/workload.h"
#include "core/record/recorder.h"
#include "core/strategy/actor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// When a run ends: at the first condition met.
struct Limits {
    std::optional<TimePoint> time;
    std::optional<std::int64_t> updates;
    std::optional<std::int64_t> samples;
    std::optional<double> loss; ///< training loss at an evaluation
};

/// Another strategy, which takes over in mid-run.
struct Switch {
    TimePoint at;
    std::string title; ///< of the strategy, for the log
    bool nodes_can_move = false;
    Predict predict{}; ///< empty: no theory beside the measurement
    /// A server that goes on from these parameters and version; `rows_taken` [nodes] of each stream.
    std::function<std::unique_ptr<Actor>(Params, Version, std::vector<std::int64_t> rows_taken)> make_server;
};

/// Everything an emulation is made of.
struct EmulatorSetup {
    ClusterSpec cluster;
    std::optional<Trace> trace;
    std::uint64_t seed = 0;
    std::vector<Intervention> events;
    Limits limits;
    int evaluate_every_updates = 10;
    bool nodes_can_move = false; ///< the strategy has groups that a user may rearrange
    std::shared_ptr<const Workload>
        workload; ///< null: a run for its times alone, without gradients and losses
    std::optional<std::size_t> message_bytes; ///< nothing: 4 x parameters
    Params start_at;                          ///< parameters at version 0
    std::unique_ptr<Actor> server;
    std::function<std::unique_ptr<Actor>(NodeId)> make_worker;
    WallClock* wall = nullptr; ///< live runs only: what measures them; outlives emulation and executor
    Predict predict{};         ///< empty: no theory beside the measurement
    std::vector<Switch> switches{};
    bool keeps_history = true; ///< updates and spans, for the record and for frames
};

/// The loop: pops the earliest event, lets one actor handle it, and carries out what the actor asked for.
///
/// Virtual time jumps from event to event. Gradients are submitted when a task starts and joined when it is due, so
/// all nodes that compute at the same virtual moment really compute in parallel, and the result is the same for any
/// number of threads: a gradient depends on immutable inputs only, due times never on real time, and handlers run
/// one at a time in the queue's order.
///
/// A live run goes through the same loop. Its driver waits until the wall shows an event's time, and a task is done
/// when its time is up and its gradient is really there, at the moment that the wall shows then. All else follows
/// from these measured moments, so that the virtual clock repeats a live run to the nanosecond from its task times.
class Emulator {
public:
    Emulator(EmulatorSetup setup, Executor& executor);
    Emulator(const Emulator&) = delete; // nodes point into its setup
    Emulator& operator=(const Emulator&) = delete;

    /// When the next thing happens, an event or the end; nothing when the run is over or can never go on, or a live
    /// run can only go on with a gradient that is still being computed.
    [[nodiscard]] std::optional<TimePoint> nextAt() const;
    /// Live: a task's time is up and its gradient is not there.
    [[nodiscard]] bool awaitsGradient() const { return awaited_ > 0; }
    /// Live: takes note of the gradients that have come in, which may bring nextAt() forward.
    void gatherGradients();
    [[nodiscard]] bool isOver() const { return stop_reason_.has_value(); }
    /// Of the latest event.
    [[nodiscard]] TimePoint now() const { return now_; }
    [[nodiscard]] Version version() const { return version_; }

    /// Handles one event, or ends the run where the next one lies past the time limit or will never come.
    void advance();
    /// Who waits for whom, one sentence.
    [[nodiscard]] std::string waitingFor() const { return setup_.server->waitingFor(); }
    /// Puts a change in at `at`, after everything that has happened. Requires at > now().
    void interrupt(TimePoint at, Change change);

    /// Live: brings a trace of the nodes' tasks (RunRecord::task_seconds) up to `now`. Only the last task of each node
    /// and what came after it is written: what was there before is final.
    void extendTrace(std::vector<std::vector<double>>& trace, TimePoint now) const;
    /// The state at `now`, which lies between the latest event and the next.
    [[nodiscard]] Frame frame(TimePoint now);
    [[nodiscard]] Recorder& recorder() { return recorder_; }
    /// Evaluates the final parameters where that has not been done, which may show that the run has diverged, and
    /// closes the books. Requires isOver().
    void conclude();
    /// What the run came to, after conclude(): its record without the lists, but for the last evaluation.
    [[nodiscard]] RunRecord ending();
    /// The whole run, once only, after conclude().
    [[nodiscard]] RunRecord takeRecord();
    /// Live: for each node the seconds of its tasks so far, of which the last may still change; else empty.
    [[nodiscard]] std::span<const std::vector<double>> taskSeconds() const;

private:
    struct Running {
        TaskId task = 0;
        std::uint64_t ticket = 0;
        TimePoint started;
        TimePoint due;
        Deferred<Params> gradient;
        std::uint64_t launch = 0;         ///< live: the ticket that it was started with
        bool is_computed = false;         ///< live: the gradient is there
        std::optional<TimePoint> time_up; ///< live: when the emulated time was over
        bool is_measured = false;         ///< live: both, and `due` is when that was seen
        bool is_abandoned = false;        ///< the server has no use for it, but the node does not know yet
    };
    struct Node {
        NodeClockwork clockwork;
        std::unique_ptr<Actor> worker;
        std::optional<Running> running;
        std::uint32_t life =
            0; ///< changes with every failure and recovery; what was sent to an older life is lost
        bool is_up = true;
        bool is_known_down = false;
        int transfers = 0;
        std::uint64_t slow_ticket = 0;
    };

    void process(const Event& event);
    // one handler per kind of event
    void handle(NodeId node, MessageDue& event);
    void handle(NodeId node, LinkDue& event);
    void handle(NodeId node, ServiceDue& event);
    void handle(NodeId node, ComputeDue& event);
    void handle(NodeId node, TimerDue& event);
    void handle(NodeId node, ChangeDue& event);
    void handle(NodeId node, SlowOver& event);
    void handle(NodeId node, RecoveryDue& event);
    void handle(NodeId node, DetectionDue& event);
    void handle(NodeId node, SwitchDue& event);

    // what a change does
    void change(const Slow& slow);
    void change(const Fail& fail);
    void change(const Recover& recover);
    void change(const Move& move);
    void recover(NodeId id);
    template <class SetFactor> void reSpeed(NodeId id, SetFactor setFactor);

    // what an actor asks for
    /// Lets the actor handle something, handler(actor, outbox), and does what it asks for.
    template <class Handler> void dispatch(ActorId actor, Handler handler)
    {
        out_.restart(now_);
        handler(isServer(actor) ? *setup_.server : *nodes_[actor.index()].worker, out_);
        carryOutAll(actor);
    }
    void carryOutAll(ActorId actor);
    void carryOut(ActorId actor, Outbox::Send& send);
    void carryOut(ActorId actor, Outbox::Compute& compute);
    void carryOut(ActorId actor, Outbox::Cancel& cancel);
    void carryOut(ActorId actor, Outbox::Wake& wake);
    void carryOut(ActorId actor, Outbox::Discard& discard);
    void carryOut(ActorId actor, Outbox::Abandon& abandon);
    void carryOut(ActorId actor, Outbox::Grouped& grouped);
    void carryOut(ActorId actor, Outbox::Note& note);
    void carryOut(ActorId actor, Applied& update);

    // live
    [[nodiscard]] std::function<Params()> timed(std::function<Params()> work, NodeId node,
                                                std::uint64_t launch);
    [[nodiscard]] bool isToBeMeasured(const Event& event);
    void measure(NodeId id);
    void dropLive(NodeId id, const Running& running);
    void reMeasure(NodeId id, double before, double after);

    /// What only the emulation knows of a run that is over.
    void complete(RunRecord& record);
    void evaluateNow(const Params& params);
    void stopIfReached();
    void stop(StopReason reason, TimePoint at);
    void stopDiverged();
    void noteActivity(NodeId id);
    [[nodiscard]] std::vector<Theory::Node> nodesForTheory() const;
    [[nodiscard]] bool isStale(const Event& event) const;
    [[nodiscard]] static NodeId causeOf(const Event& event);
    [[nodiscard]] bool isServer(ActorId actor) const { return actor == server_; }
    [[nodiscard]] const std::string& nameOf(NodeId node) const
    {
        return setup_.cluster.nodes[node.index()].name;
    }

    EmulatorSetup setup_;
    Executor& executor_;
    Recorder recorder_;
    EventQueue queue_;
    ServerDesk desk_;
    Theory theory_;
    ActorId server_;
    std::uint32_t server_life_ = 0; ///< changes with every strategy; what an older one had begun is lost
    std::vector<std::int64_t> rows_taken_; ///< [nodes] of each stream, by tasks that have started
    std::vector<Node> nodes_;
    Outbox out_{TimePoint{}};        ///< of the handler at work; one for all, for the room that it has
    std::optional<TaskMeter> meter_; ///< live
    int awaited_ = 0;                ///< live: tasks whose time is up and whose gradient is not there
    TimePoint now_;
    NodeId cause_; ///< whose doing it is what happens now
    Version version_ = 0;
    Params params_;
    TaskId tasks_ = 0;
    std::uint64_t tickets_ = 0;
    std::optional<StopReason> stop_reason_;
    std::string message_;
    Fingerprint schedule_;
    Fingerprint numbers_;
};

} // namespace lab
