#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/record/frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

/// What a live run measures of its tasks: how long each took, kept as a trace that repeats the run under the virtual
/// clock, and how much of that was not the emulated cluster's doing but this machine's.
class TaskMeter {
public:
    explicit TaskMeter(std::size_t nodes, int cores);

    /// A node starts a task of `work` ordinary batches that is to take `nominal`.
    void started(NodeId node, TimePoint at, Duration nominal, double work, double slowdown);
    /// The node's slowdown changes in mid-task.
    void slowdownChanged(NodeId node, TimePoint at, double before, double after);
    /// The task was seen to be done at `seen`. When it is done for the run: then, or as few nanoseconds later as it takes
    /// for the trace to say so exactly. To be asked again where the slowdown changes before that moment has come.
    [[nodiscard]] TimePoint done(NodeId node, TimePoint seen);
    /// The task is over at `at`, though the cluster alone would have had it done at `due`.
    void ended(NodeId node, TimePoint at, TimePoint due);
    /// The task was cancelled, lost or still open at the end.
    void cut(NodeId node, TimePoint at);
    /// What seconds() would say of the node's latest task if it were cut at `at`. Requires that there is one.
    [[nodiscard]] double secondsIfCut(NodeId node, TimePoint at) const;
    /// A worker has computed the gradient of the node's task in `took`.
    void computed(NodeId node, Duration took);

    [[nodiscard]] LiveFigures figures() const;
    /// For each node, for each of its tasks in the order of their start: seconds of one ordinary batch at slowdown 1,
    /// so that seconds x work x slowdown (contract, section 2) is what was measured. A task that was cut is given as
    /// long as it would have taken, and longer than it lasted.
    [[nodiscard]] const std::vector<std::vector<double>>& seconds() const { return seconds_; }

private:
    struct Change {
        TimePoint at;
        double before;
        double after;
    };
    struct Task {
        TimePoint started;
        double work = 1;
        double slowdown = 1; ///< when it started
        std::vector<Change> changes;
        bool is_computing = false; ///< really, on this machine
    };
    void endComputing(Task& task);
    /// Seconds of one ordinary batch at slowdown 1 of a task that lasts until `until`.
    [[nodiscard]] static double batchSeconds(const Task& task, TimePoint until);
    /// When a node that takes its times from a trace is done with the task, to the nanosecond.
    [[nodiscard]] static TimePoint replayed(const Task& task, double batch_seconds);

    std::vector<Task> tasks_; ///< the latest of each node
    std::vector<std::vector<double>> seconds_;
    Duration measured_{0};
    Duration beyond_{0};
    Duration computing_{0};
    std::int64_t gradients_ = 0;
    int at_once_ = 0;
    int most_at_once_ = 0;
    int cores_;
};

} // namespace lab
