#include "core/coding/gradient_code.h"

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/coding/code_search.h"
#include "core/coding/linear_code.h"

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <numbers>

// The matrix is found in two steps.
//
// 1. A core of m = tolerance + 1 + (workers mod (tolerance + 1)) workers, by the paper's algorithm 1: an H
//    [tolerance x m] with H 1 = 0; row i of B solves H B_i = 0 on its support, so that all rows of B are in the null
//    space of H, which holds 1. The paper draws H from a Gaussian. Its worst pattern then needs weights in the hundreds
//    even for a dozen workers. Waves with frequencies next to the highest one there is (half a turn per worker) do far
//    better: they are as far as can be from the all-ones vector, which is the one that has to be reached, and where
//    parity allows, B is circulant, as that of Raviv, Tamo, Tandon, Dimakis, "Gradient Coding from Cyclic MDS Codes and
//    Expander Graphs", ICML 2018. So they are tried first, then with a little noise, then Gaussian draws.
// 2. The core's solutions a (a B = 1) are a point per worker (code_search.h), and its first tolerance + 1 points are
//    repeated as often as it takes. Each tolerance + 1 consecutive workers are then on points that are consecutive in
//    the core or a rotation of the first ones, so a cyclic code for any number of workers amplifies rounding no more
//    than its core. Drawn for all workers at once, H needs weights of 1e4 for 64 workers and 4 stragglers; so, 10.
//    Workers that share a point count as one when they are missing: some patterns of more than `tolerance` would
//    decode. They are refused, so that a round with the cyclic code lasts (s + 1) T(n - s), as the paper's does.
//
// Where tolerance + 1 divides the workers there is nothing left of the core: every coefficient is 1, and the workers
// i, i + (tolerance + 1), … compute each partition once.

namespace lab {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Cosines and sines of tolerance frequencies, as close as possible to half a turn per worker.
MatrixXd waves(Index tolerance, Index workers)
{
    MatrixXd waves(tolerance, workers);
    Index row = 0;
    for (double offset = tolerance % 2 == 1 ? 0.0 : 0.5; row < tolerance; offset += 1.0) {
        for (Index worker = 0; worker < workers; ++worker) {
            const double sign = worker % 2 == 0 ? 1.0 : -1.0;
            const double angle =
                2.0 * std::numbers::pi * offset * static_cast<double>(worker) / static_cast<double>(workers);
            waves(row, worker) = sign * std::cos(angle);
            if (offset > 0.0) {
                waves(row + 1, worker) = sign * std::sin(angle);
            }
        }
        row += offset > 0.0 ? 2 : 1;
    }
    return waves;
}

/// H of attempt 0, 1, …
MatrixXd constraints(Index tolerance, Index workers, std::uint64_t seed, std::size_t attempt)
{
    constexpr std::array k_noise{0.02, 0.1};
    Rng rng(seed, Purpose::Code, static_cast<std::uint64_t>(tolerance), attempt);
    MatrixXd h = waves(tolerance, workers);
    if (attempt > 0) {
        const std::size_t kind = attempt % (k_noise.size() + 1);
        for (double& entry : h.reshaped()) {
            entry = kind < k_noise.size() ? entry * (1.0 + k_noise.at(kind) * rng.normal()) : rng.normal();
        }
    }
    h.colwise() -= VectorXd(h.rowwise().mean());
    return h;
}

/// The core's points, or nothing for an H in which some neighbouring columns depend on each other.
std::optional<CodeDesign> core(const MatrixXd& h)
{
    const Index tolerance = h.rows();
    const Index workers = h.cols();
    MatrixXd encoding = MatrixXd::Zero(workers, workers);
    for (Index worker = 0; worker < workers; ++worker) {
        std::vector<Index> others;
        for (Index i = 1; i <= tolerance; ++i) {
            others.push_back((worker + i) % workers);
        }
        const VectorXd row = MatrixXd(h(Eigen::all, others)).partialPivLu().solve(-h.col(worker));
        if (!row.allFinite()) {
            return std::nullopt;
        }
        encoding(worker, worker) = 1.0;
        encoding(worker, others) = row.transpose();
    }
    const std::optional<LeftSolutions> solutions = leftSolutions(encoding);
    if (!solutions || solutions->null_space.cols() != tolerance) {
        return std::nullopt;
    }
    CodeDesign design{MatrixXd(tolerance + 1, workers), VectorXd::Unit(tolerance + 1, 0)};
    design.points.row(0) = solutions->particular.transpose();
    design.points.bottomRows(tolerance) = solutions->null_space.transpose();
    return design;
}

/// Worker i computes partitions i … i + tolerance; all but the last `core_workers` repeat the core's first points.
Placement cyclicPlacement(std::size_t workers, std::size_t tolerance, std::size_t core_workers)
{
    Placement placement;
    const std::size_t repeated = workers - core_workers;
    for (std::size_t worker = 0; worker < workers; ++worker) {
        placement.point_of.push_back(worker < repeated ? worker % (tolerance + 1) : worker - repeated);
        std::vector<std::size_t>& holders = placement.holders.emplace_back();
        for (std::size_t i = 0; i <= tolerance; ++i) {
            holders.push_back((worker + workers - i) % workers);
        }
    }
    return placement;
}

} // namespace

std::shared_ptr<const GradientCode> cyclicRepetition(std::size_t workers, std::size_t tolerance,
                                                     std::uint64_t seed)
{
    LAB_EXPECTS(tolerance < workers);
    if (tolerance == 0) {
        return uncoded(workers);
    }
    const std::size_t rest = workers % (tolerance + 1);
    const std::size_t core_workers = tolerance + 1 + rest;
    const Placement placement = cyclicPlacement(workers, tolerance, rest == 0 ? workers : core_workers);
    if (rest == 0) {
        MatrixXd ones = MatrixXd::Zero(static_cast<Index>(workers), static_cast<Index>(workers));
        for (std::size_t partition = 0; partition < workers; ++partition) {
            for (const std::size_t worker : placement.holders[partition]) {
                ones(static_cast<Index>(worker), static_cast<Index>(partition)) = 1.0;
            }
        }
        return std::make_shared<LinearCode>(ones, tolerance, LinearCode::Early::Refused);
    }
    const auto design = [&](std::size_t attempt) {
        return core(
            constraints(static_cast<Index>(tolerance), static_cast<Index>(core_workers), seed, attempt));
    };
    return std::make_shared<LinearCode>(searchCode(design, placement, tolerance, seed, "cyclic"), tolerance,
                                        LinearCode::Early::Refused);
}

} // namespace lab
