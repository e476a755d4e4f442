#pragma once

#include "core/grouping/group_rates.h"

#include <cstddef>
#include <vector>

namespace lab {

/// Groups with their rates, while a planner works on them.
struct Draft {
    std::vector<std::vector<std::size_t>> groups; ///< nodes, ascending; none empty
    std::vector<GroupRate> rates;                 ///< [groups]
    double cost = 0;
};

/// What groups with these rates cost.
[[nodiscard]] double costOf(const PlanRequest& request, const std::vector<GroupRate>& rates);

/// Moves single nodes to other groups (a new one of their own included) and swaps pairs while the cost falls: the
/// first improvement in node order is taken, at most `most` times. Where the request names a count, no group is
/// opened or emptied.
[[nodiscard]] Draft spread(Draft draft, GroupRates& bench, std::size_t most = 200);

} // namespace lab
