#pragma once

#include "core/grouping/spreading.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// The nodes by a key of their laws, ascending; equal ones in node order.
[[nodiscard]] std::vector<std::size_t> orderedBy(std::span<const TaskLaw> laws,
                                                 double (TaskLaw::*seconds)() const);

/// The order with nodes of like median (within 10 % of the run's first) mixed so that any stretch of a run has its
/// share of the risky ones, mean / median: those from risky to safe, at their places' bit reversal.
[[nodiscard]] std::vector<std::size_t> mixedByRisk(std::span<const TaskLaw> laws,
                                                   std::vector<std::size_t> order);

/// Groups contiguous in an order.
struct ContiguousPlans {
    std::vector<Draft> drafts;         ///< of different numbers of groups, cheapest first
    std::vector<double> cost_by_count; ///< [nodes] with 1, 2 … groups; infinite for what was not tried
};

/// The best groups contiguous in `order` for every number of them, of which the `most` cheapest are drafted: a
/// dynamic programme, since the groups' rates add up. More than 256 nodes may be cut at every second, third … place
/// only.
[[nodiscard]] ContiguousPlans planContiguous(const std::vector<std::size_t>& order, GroupRates& bench,
                                             std::size_t most);

} // namespace lab
