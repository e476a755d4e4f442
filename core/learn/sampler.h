#pragma once

#include "core/base/ids.h"
#include "core/learn/dataset.h"
#include "core/learn/dataset_catalog.h"

#include <cstdint>
#include <vector>

namespace lab {

/// Says which training row stands at each place of each node's endless stream of rows.
///
/// A node goes through the rows it may use once per epoch, in an order that is a pure function of (seed, node, epoch);
/// so any part of any stream can be had at any time, on any thread, and two strategies that reach the same place
/// train on the same rows.
class Sampler {
public:
    /// Requires at least one node and one training row. With `Sharded` and `ByLabel` and fewer rows than nodes, shards overlap.
    Sampler(const Dataset& training, PartitionKind partition, std::size_t nodes, std::uint64_t seed);

    /// Rows that stand at first … first+count-1 of the node's stream, appended to `rows`. Any number of threads.
    void append(NodeId stream, std::int64_t first, std::int64_t count,
                std::vector<std::uint32_t>& rows) const;

    /// How many rows the node may use: the length of its epoch.
    [[nodiscard]] std::int64_t epochLength(NodeId node) const;

private:
    std::uint64_t seed_;
    std::size_t training_rows_;
    std::vector<std::vector<std::uint32_t>> shards_; ///< per node; empty lists: all training rows
};

} // namespace lab
