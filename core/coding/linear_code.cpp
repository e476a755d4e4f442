#include "core/coding/linear_code.h"

#include "core/base/error.h"

#include <Eigen/QR>

#include <algorithm>

namespace lab {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Below this share of the largest pivot a row of B is taken to depend on the others. Rounding leaves about 1e-14; a
/// code whose independent rows come this close is of no use anyway.
constexpr double k_rank_threshold = 1e-9;

/// What a B may miss of 1. A thousandth of what rounding the messages to float32 does.
constexpr double k_exact = 1e-8;

/// A residual this large, for solutions of norm 1, is not rounding: the missing messages are needed.
constexpr double k_surely_missing = 1e-6;

/// The least squares of approximate() leave out directions in which weights would have to grow beyond about its inverse.
constexpr double k_least_squares_threshold = 1e-6;

std::vector<Index> workersWithShares(const std::vector<std::vector<Share>>& shares)
{
    std::vector<Index> list;
    for (std::size_t worker = 0; worker < shares.size(); ++worker) {
        if (!shares[worker].empty()) {
            list.push_back(static_cast<Index>(worker));
        }
    }
    return list;
}

Decoding decodingBy(const VectorXd& weights, std::size_t partitions, double error)
{
    return {std::vector<double>(weights.begin(), weights.end()), std::vector<bool>(partitions, true), error};
}

} // namespace

std::optional<LeftSolutions> leftSolutions(const MatrixXd& encoding)
{
    const Index workers = encoding.rows();
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(k_rank_threshold);
    qr.compute(encoding);
    const Index rank = qr.rank();

    // B P = Q [R; 0]: the last columns of Q are the left null space; a = Q [z; 0] needs R^T z = P^T 1 = 1.
    VectorXd z = VectorXd::Zero(workers);
    z.head(rank).setOnes();
    qr.matrixR()
        .topLeftCorner(rank, rank)
        .triangularView<Eigen::Upper>()
        .transpose()
        .solveInPlace(z.head(rank));
    MatrixXd rest = MatrixXd::Zero(workers, workers - rank);
    rest.bottomRows(workers - rank).setIdentity();

    LeftSolutions solutions{qr.householderQ() * z, qr.householderQ() * rest};
    const VectorXd off = encoding.transpose() * solutions.particular - VectorXd::Ones(encoding.cols());
    if (!(off.cwiseAbs().maxCoeff() < k_exact)) {
        return std::nullopt;
    }
    return solutions;
}

LinearCode::LinearCode(const MatrixXd& encoding, std::size_t tolerance, Early early)
    : partitions_(static_cast<std::size_t>(encoding.cols())),
      tolerance_(tolerance),
      early_(early),
      shares_(static_cast<std::size_t>(encoding.rows()))
{
    for (std::size_t worker = 0; worker < workers(); ++worker) {
        for (std::size_t partition = 0; partition < partitions_; ++partition) {
            const double coefficient = encoding(static_cast<Index>(worker), static_cast<Index>(partition));
            if (coefficient != 0.0) {
                shares_[worker].push_back({partition, coefficient});
            }
        }
    }
    const std::vector<Index> active = workersWithShares(shares_);
    const std::optional<LeftSolutions> solutions = leftSolutions(encoding(active, Eigen::all));
    LAB_EXPECTS(solutions.has_value());
    solutions_.particular = VectorXd::Zero(encoding.rows());
    solutions_.particular(active) = solutions->particular;
    solutions_.null_space = MatrixXd::Zero(encoding.rows(), solutions->null_space.cols());
    solutions_.null_space(active, Eigen::all) = solutions->null_space;
}

std::span<const Share> LinearCode::shares(std::size_t worker) const
{
    LAB_EXPECTS(worker < workers());
    return shares_[worker];
}

std::optional<Decoding> LinearCode::decode(const std::vector<bool>& is_in) const
{
    LAB_EXPECTS(is_in.size() == workers());
    std::vector<Index> missing;
    for (std::size_t worker = 0; worker < workers(); ++worker) {
        if (!is_in[worker] && !shares_[worker].empty()) {
            missing.push_back(static_cast<Index>(worker));
        }
    }
    if (early_ == Early::Refused && missing.size() > tolerance_) {
        return std::nullopt;
    }
    VectorXd weights = solutions_.particular;
    if (!missing.empty() && solutions_.null_space.cols() > 0) {
        const MatrixXd of_missing = solutions_.null_space(missing, Eigen::all);
        const VectorXd y = of_missing.completeOrthogonalDecomposition().solve(VectorXd(-weights(missing)));
        weights += solutions_.null_space * y;
    }
    const double left = missing.empty() ? 0.0 : weights(missing).cwiseAbs().maxCoeff();
    weights(missing).setZero();
    if (shortfall(weights).cwiseAbs().maxCoeff() < k_exact) {
        return decodingBy(weights, partitions_, 0.0);
    }
    if (!(left < k_surely_missing * (1.0 + weights.norm()))) {
        return std::nullopt;
    }
    // The rare case between: too badly conditioned this way round, perhaps not the other.
    weights = leastSquares(is_in, Eigen::NumTraits<double>::epsilon() * static_cast<double>(workers()));
    if (shortfall(weights).cwiseAbs().maxCoeff() < k_exact) {
        return decodingBy(weights, partitions_, 0.0);
    }
    return std::nullopt;
}

Decoding LinearCode::approximate(const std::vector<bool>& is_in) const
{
    LAB_EXPECTS(std::find(is_in.begin(), is_in.end(), true) != is_in.end());
    if (std::optional<Decoding> exact = decode(is_in)) {
        return *std::move(exact);
    }
    const VectorXd weights = leastSquares(is_in, k_least_squares_threshold);
    return decodingBy(weights, partitions_, shortfall(weights).norm());
}

/// a B - 1.
VectorXd LinearCode::shortfall(const VectorXd& weights) const
{
    VectorXd sum = VectorXd::Constant(static_cast<Index>(partitions_), -1.0);
    for (std::size_t worker = 0; worker < workers(); ++worker) {
        const double weight = weights(static_cast<Index>(worker));
        if (weight != 0.0) {
            for (const Share& share : shares_[worker]) {
                sum(static_cast<Index>(share.partition)) += weight * share.coefficient;
            }
        }
    }
    return sum;
}

/// The a of least norm among those with support in the messages that are in and the least |a B - 1|_2.
VectorXd LinearCode::leastSquares(const std::vector<bool>& is_in, double threshold) const
{
    std::vector<Index> in;
    for (const Index worker : workersWithShares(shares_)) {
        if (is_in[static_cast<std::size_t>(worker)]) {
            in.push_back(worker);
        }
    }
    VectorXd weights = VectorXd::Zero(static_cast<Index>(workers()));
    if (in.empty()) {
        return weights;
    }
    MatrixXd transposed = MatrixXd::Zero(static_cast<Index>(partitions_), static_cast<Index>(in.size()));
    for (std::size_t column = 0; column < in.size(); ++column) {
        for (const Share& share : shares_[static_cast<std::size_t>(in[column])]) {
            transposed(static_cast<Index>(share.partition), static_cast<Index>(column)) = share.coefficient;
        }
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
    decomposition.setThreshold(threshold);
    decomposition.compute(transposed);
    const VectorXd of_those = decomposition.solve(VectorXd::Ones(transposed.rows()));
    weights(in) = of_those;
    return weights;
}

} // namespace lab
