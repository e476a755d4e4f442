#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lab {

/// How fast each node is, from the tasks that it finished.
///
/// Pure compute time per unit of work goes in, so neither barriers nor queues reach the estimate. The median of the
/// latest tasks comes out: one transient, however long, does not move it.
///
/// A task that runs on, or was given up, says only "at least this long". Without that a node whose tasks are always
/// cancelled would never look slow, nor risky.
class SpeedEstimate {
public:
    /// `window`: how many of a node's latest tasks count for its speed; `memory` of them count for its risk.
    SpeedEstimate(std::size_t nodes, std::size_t window, std::size_t memory = 50);

    /// A task of `work` ordinary batches took this long. Requires work > 0.
    void add(NodeId node, Duration took, double work);

    /// A task of `work` ordinary batches has been running for `so_far` and goes on: the node is at least that slow
    /// until a task of it finishes. Requires work > 0.
    void addAtLeast(NodeId node, Duration so_far, double work);

    /// A task of `work` ordinary batches was given up after `so_far`: as addAtLeast(), and it counts for the risk.
    /// Call it once per cancelled task. Requires work > 0.
    void addCancelled(NodeId node, Duration so_far, double work);

    /// Median seconds for one ordinary batch, or the longest "at least" since the last task that finished, whichever
    /// is more; nothing before the first of either.
    [[nodiscard]] std::optional<double> seconds(NodeId node) const;

    /// The chance that a task takes more than `theta` times the node's median: (k + 1) / (N + 20) with k slow ones
    /// among the latest N tasks. The median is today's or that of the task's own time, whichever is more, so that a
    /// lasting change of speed is no risk in either direction.
    ///
    /// A cancelled task counts as slow to the share to which finished tasks at least as long were slow (Efron's
    /// redistribution to the right); where there is none, fully if it was past sqrt(theta) medians, else not at all.
    [[nodiscard]] double riskOf(NodeId node, double theta = 3) const;

    /// How many times the median those slow tasks took, oldest first; of a cancelled one what is known.
    [[nodiscard]] std::vector<double> slowRatios(NodeId node, double theta = 3) const;

    /// Tasks finished so far, those that no longer count included.
    [[nodiscard]] std::size_t count(NodeId node) const { return nodes_[node.index()].finished; }
    [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }

    /// The latest finished tasks' seconds for one batch, oldest first; at most `window`.
    [[nodiscard]] std::vector<double> recent(NodeId node) const;

private:
    struct Task {
        double seconds = 0;     ///< for one ordinary batch
        double median_then = 0; ///< of the node before it; 0: there was none
        bool is_finished = true;
    };
    struct History {
        std::vector<double> ring;    ///< the latest `window_` finished tasks
        std::vector<Task> memory;    ///< the latest `memory_` tasks, oldest first
        std::size_t finished = 0;    ///< all of them
        std::optional<double> bound; ///< the longest "at least" since the last finished task
    };
    void remember(History& history, double seconds, bool is_finished) const;
    [[nodiscard]] static bool isSlow(const Task& task, double median, double theta);

    std::size_t window_;
    std::size_t memory_;
    std::vector<History> nodes_;
};

} // namespace lab
