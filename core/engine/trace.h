#pragma once

#include "core/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace lab {

/// Recorded seconds of tasks: of each node, one per iteration, replayed from the top when they are used up.
class Trace {
public:
    /// `seconds` [nodes x iterations], node by node. Requires at least one of each.
    Trace(std::vector<double> seconds, std::size_t iterations);

    [[nodiscard]] std::size_t nodes() const { return seconds_.size() / iterations_; }
    [[nodiscard]] std::size_t iterations() const { return iterations_; }
    /// Seconds of the node's task number `task` = 0, 1, 2 …
    [[nodiscard]] double seconds(NodeId node, std::int64_t task) const
    {
        return seconds_[node.index() * iterations_ + static_cast<std::size_t>(task) % iterations_];
    }

private:
    std::vector<double> seconds_;
    std::size_t iterations_;
};

/// Reads a CSV file with the header `node,iteration,seconds`, both counted from 0, rows in any order, every pair
/// exactly once. Throws ExperimentError with the file's name, the line and the remedy, also where the trace has fewer
/// nodes than the cluster.
[[nodiscard]] Trace loadTrace(const std::filesystem::path& file, std::size_t cluster_nodes);

} // namespace lab
