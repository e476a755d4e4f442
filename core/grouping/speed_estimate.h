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
class SpeedEstimate {
public:
    /// `window`: how many of a node's latest tasks count.
    SpeedEstimate(std::size_t nodes, std::size_t window);

    /// A task of `work` ordinary batches took this long. Requires work > 0.
    void add(NodeId node, Duration took, double work);

    /// Median seconds for one ordinary batch; nothing before the first task.
    [[nodiscard]] std::optional<double> seconds(NodeId node) const;

    /// Tasks seen so far, those that no longer count included.
    [[nodiscard]] std::size_t count(NodeId node) const { return nodes_[node.index()].seen; }

    /// The latest tasks' seconds for one batch, oldest first; at most `window`.
    [[nodiscard]] std::vector<double> recent(NodeId node) const;

private:
    struct History {
        std::vector<double> ring;
        std::size_t seen = 0;
    };
    std::size_t window_;
    std::vector<History> nodes_;
};

} // namespace lab
