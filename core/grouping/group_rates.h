#pragma once

#include "core/grouping/by_objective.h"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
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

/// J of that many groups which together compute so many batches per second; infinite where that is not positive.
[[nodiscard]] double costOf(const PlanRequest& request, std::size_t groups, double batches_per_second);

/// A group's rate by the full quadrature. `nodes` ascending, not empty; tolerance below their number.
[[nodiscard]] GroupRate exactRate(const PlanRequest& request, std::span<const std::size_t> nodes,
                                  std::size_t tolerance);

/// Rates of many groups of the same nodes, good enough to choose by (about 1e-3): every node's law is tabulated once
/// on a common, coarser quadrature, so that a candidate costs nodes * places * tolerance multiplications. A planner's
/// workbench, made for one plan.
class GroupRates {
public:
    /// Borrows the request's spans, and uses no tolerance against predictable stragglers unless the request says so.
    /// `heeds_failures`: groups that violate the failure limit are forbidden.
    GroupRates(const PlanRequest& request, bool heeds_failures);

    /// With the best tolerance, the least of equally good ones. `nodes` ascending, not empty.
    [[nodiscard]] GroupRate best(std::span<const std::size_t> nodes);
    /// best() of nodes[0 … size) for every size in `sizes` (ascending), by adding one node at a time.
    [[nodiscard]] std::vector<GroupRate> bestOfStarts(std::span<const std::size_t> nodes,
                                                      std::span<const std::size_t> sizes);
    /// No tolerance makes the group faster than this many batches per second; cheap. A round is no shorter than any
    /// node's mean without a code, and than the last awaited node's least time with one.
    [[nodiscard]] double atMost(std::span<const std::size_t> nodes) const;

    [[nodiscard]] const PlanRequest& request() const { return request_; }

private:
    /// P(a node is unfinished) at the places of a quadrature, for tasks of some load.
    struct Table {
        Eigen::VectorXd weight;                 ///< [places]
        std::vector<Eigen::ArrayXd> unfinished; ///< [nodes][places]
    };
    /// P(more than `tolerance` of the nodes added so far are unfinished), at every place.
    struct Barrier {
        std::vector<Eigen::ArrayXd> counts; ///< [tolerance + 1][places]: exactly j are unfinished
        Eigen::ArrayXd more;                ///< [places]
        std::size_t added = 0;
        Barrier(std::size_t tolerance, Eigen::Index places);
        void add(const Eigen::ArrayXd& unfinished);
    };
    /// For loads least … most on one quadrature.
    [[nodiscard]] const std::vector<Table>& tables(std::size_t least, std::size_t most);
    [[nodiscard]] double roundOfCount(std::span<const std::size_t> nodes, std::size_t tolerance);
    [[nodiscard]] double roundOfBlocks(std::span<const std::size_t> nodes, std::size_t tolerance);
    [[nodiscard]] GroupRate rated(std::span<const std::size_t> nodes, std::size_t tolerance,
                                  double seconds) const;
    /// A round if every task of the node took a fixed time, as listed: [load - 1][nodes].
    [[nodiscard]] double fixedRound(std::span<const std::size_t> nodes, std::size_t tolerance,
                                    const std::vector<std::vector<double>>& seconds) const;
    [[nodiscard]] double leastSeconds(std::span<const std::size_t> nodes, std::size_t tolerance) const;
    [[nodiscard]] bool isPredictable(std::span<const std::size_t> nodes, std::size_t tolerance) const;
    [[nodiscard]] std::size_t mostTolerance(std::size_t nodes) const;
    template <class Round>
    [[nodiscard]] GroupRate bestBy(std::span<const std::size_t> nodes, const Round& round) const;

    PlanRequest request_;
    bool heeds_failures_;
    std::vector<double> means_;
    std::vector<std::vector<double>> least_;   ///< [load - 1][nodes] the least time of a task of that load
    std::vector<std::vector<double>> medians_; ///< [load - 1][nodes]
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Table>> tables_;
    std::map<std::uint64_t, GroupRate> known_; ///< by a bit per node, up to 64 nodes
};

} // namespace lab
