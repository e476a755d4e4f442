#pragma once

#include "core/base/partition.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// All nodes by ascending `seconds` [nodes], equal ones in node order. Requires seconds > 0.
[[nodiscard]] std::vector<NodeId> fastestFirst(std::span<const double> seconds);

/// Cuts ordered nodes before every place that `starts` names (ascending; 0 need not be named).
[[nodiscard]] Partition cutBefore(const std::vector<NodeId>& nodes, const std::vector<std::size_t>& starts);

} // namespace lab
