#pragma once

#include "core/base/partition.h"

#include <cstddef>
#include <span>

namespace lab {

/// Every algorithm here takes `seconds` [nodes], each node's time for one batch (> 0, finite), and gives groups that
/// are contiguous in speed, fastest first. What is compared is the logarithm of the time: a barrier's loss is a ratio,
/// so 1 s beside 2 s is as bad as 10 s beside 20 s. Equal times keep node order.

/// Splits wherever a node is more than `gap` times as slow as the next faster one, and wherever a group would
/// otherwise spread over more than `spread` times its fastest node, so that many small gaps cannot chain into one
/// wide group. O(n log n). Requires gap >= 1 and spread >= 1.
[[nodiscard]] Partition groupByGap(std::span<const double> seconds, double gap = 1.5, double spread = 2.0);

/// Splits at the `count - 1` widest gaps. Requires 1 <= count <= nodes.
[[nodiscard]] Partition groupByWidestGaps(std::span<const double> seconds, std::size_t count);

} // namespace lab
