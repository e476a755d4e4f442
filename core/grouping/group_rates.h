#pragma once

#include "core/grouping/by_objective.h"

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace lab {

/// How fast one group is.
struct GroupRate {
    double batches_per_second =
        0;              ///< |G| / seconds; hugely negative where the failure limit forbids the group
    double seconds = 0; ///< expected for a round
    int tolerance = 0;
};

/// Expected rounds of many groups of the same nodes: every node's law is tabulated once on a common quadrature, so that a
/// candidate costs nodes * places * tolerance multiplications. A planner's workbench, made for one plan.
class GroupRates {
public:
    /// Borrows the request's spans. `heeds_failures`: groups that violate the failure limit are forbidden.
    GroupRates(const PlanRequest& request, bool heeds_failures);

    /// `nodes` ascending, not empty; tolerance below their number.
    [[nodiscard]] GroupRate with(std::span<const std::size_t> nodes, std::size_t tolerance);
    /// With the best tolerance, the least of equally good ones.
    [[nodiscard]] GroupRate best(std::span<const std::size_t> nodes);
    /// best() of nodes[0 … size) for every size in `sizes` (ascending), by adding one node at a time.
    [[nodiscard]] std::vector<GroupRate> bestOfStarts(std::span<const std::size_t> nodes,
                                                      std::span<const std::size_t> sizes);
    /// J of groups with these rates.
    [[nodiscard]] double cost(std::size_t groups, double batches_per_second) const;

private:
    /// P(a node is unfinished) at the places of a quadrature, for tasks of `load` batches.
    struct Table {
        std::vector<double> weight;                  ///< [places]
        std::vector<std::vector<double>> unfinished; ///< [nodes][places]
    };
    /// P(more than `tolerance` of the nodes added so far are unfinished), at every place.
    struct Barrier {
        std::vector<std::vector<double>> counts; ///< [tolerance + 1][places]: exactly j are unfinished
        std::vector<double> more;                ///< [places]
        Barrier(std::size_t tolerance, std::size_t places);
        void add(const std::vector<double>& unfinished);
    };
    /// For loads `least` and `most` on one quadrature: index 0 and 1, the same where they are equal.
    [[nodiscard]] const std::vector<Table>& tables(std::size_t least, std::size_t most);
    [[nodiscard]] double roundOfCount(std::span<const std::size_t> nodes, std::size_t tolerance);
    [[nodiscard]] double roundOfBlocks(std::span<const std::size_t> nodes, std::size_t tolerance);
    [[nodiscard]] GroupRate rated(std::span<const std::size_t> nodes, std::size_t tolerance,
                                  double seconds) const;
    [[nodiscard]] std::size_t mostTolerance(std::size_t nodes) const;

    PlanRequest request_;
    bool heeds_failures_;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Table>> tables_;
};

} // namespace lab
