#pragma once

#include "core/record/run_record.h"
#include "core/strategy/actor.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace lab {

/// Watches a run from inside the loop and writes down what happened; decides nothing.
///
/// The ledger: at every moment each node does exactly one thing, so that its times add up to the run's, in integers.
/// The span of a task is held back as computing until its gradient is used or thrown away.
class Recorder {
public:
    /// Without history it keeps no updates and spans, only what they add up to.
    explicit Recorder(std::size_t nodes, bool keeps_history = true);

    /// The node does this from `now` on; `task` names the task of Computing. Going on with the same thing changes
    /// nothing.
    void activity(NodeId node, Activity activity, TimePoint now, TaskId task = 0);
    /// What is recorded from now on was set off by this node: its message came in, it failed or came back. Whoever
    /// stops waiting by it had waited for it. Invalid: by no node.
    void causedBy(NodeId node) { cause_ = node; }
    /// The gradient of this task was used, or will never be.
    void settle(NodeId node, TaskId task, bool is_used);
    /// None of the work that is done and waits to be used will be.
    void discardHeld();
    /// One update; also settles the tasks of its parts as used.
    void applied(const Applied& update, TimePoint now);
    void evaluated(const Evaluation& evaluation) { curve_.push_back(evaluation); }
    void grouped(const Outbox::Grouped& groups, TimePoint now);
    /// The node's tasks take `factor` times as long from `now` on.
    void slowdown(NodeId node, double factor, TimePoint now);
    void taskTime(NodeId node, Duration took) { nodes_[node.index()].task_time = took; }
    void log(TimePoint now, LogEntry::Kind kind, NodeId node, std::string text);
    /// A message is under way until `end`; answered by a number for transferEnded().
    std::size_t transferBegan(NodeId node, bool up, TimePoint start, TimePoint end);
    void transferEnded(std::size_t transfer);

    [[nodiscard]] const std::vector<GroupFrame>& groups() const { return groups_; }
    [[nodiscard]] std::int64_t samples() const { return samples_; }
    [[nodiscard]] const Evaluation* latestEvaluation() const
    {
        return curve_.empty() ? nullptr : &curve_.back();
    }

    /// The state at `now`, without fresh entries. O(nodes).
    [[nodiscard]] Frame frame(TimePoint now) const;
    /// What came since the last call, moved into the frame's fresh lists (copies; the record keeps its own).
    void addFresh(Frame& frame);
    /// Lets go of what addFresh() has passed on, so that a run that is only watched needs no more room the longer it
    /// goes on. What takeRecord() gives then begins here.
    void forgetPassedOn();
    /// Closes the books at `end`; work in hand counts as computing. Nothing may be recorded afterwards.
    void close(TimePoint end);
    /// Everything that was recorded, once only, after close(). Spans by node, then by start.
    [[nodiscard]] RunRecord takeRecord();

private:
    struct HeldSpan {
        TaskId task = 0;
        Span span;
    };
    struct NodeBook {
        Activity activity = Activity::Waiting;
        TimePoint since;
        TaskId task = 0;
        GroupId group;
        double slowdown = 1;
        ActivityTimes times;
        std::vector<HeldSpan> held;
        Duration cost_others{0};
        std::int64_t gradients = 0;
        std::int64_t staleness_sum = 0;
        std::int64_t staleness_max = 0;
        std::int64_t staleness_last = 0;
        std::optional<Duration> task_time;
    };
    struct FedSoFar {
        std::size_t updates = 0;
        std::size_t evaluations = 0;
        std::size_t spans = 0;
        std::size_t log = 0;
        std::size_t groupings = 0;
        std::size_t slowdowns = 0;
    };

    void keep(const Span& span);
    void closeSpan(NodeId node, NodeBook& book, TimePoint now);
    void settle(NodeBook& book, HeldSpan& held, bool is_used);

    std::vector<NodeBook> nodes_;
    NodeId cause_;
    bool keeps_history_;
    std::vector<GroupFrame> groups_;
    bool is_measuring_ = false;
    std::vector<std::optional<TransferFrame>> transfers_;
    std::vector<std::size_t> free_transfers_;
    StalenessHistogram staleness_;
    std::int64_t samples_ = 0;
    Version version_ = 0;
    std::vector<UpdateRecord> updates_;
    std::vector<Evaluation> curve_;
    std::vector<Span> spans_;
    std::vector<LogEntry> log_;
    std::vector<GroupingRecord> groupings_;
    std::vector<SlowdownRecord> slowdowns_;
    FedSoFar fed_;
    TimePoint end_;
};

} // namespace lab
