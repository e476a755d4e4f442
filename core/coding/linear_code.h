#pragma once

#include "core/coding/gradient_code.h"

#include <Eigen/Core>

namespace lab {

/// All a with a B = 1: a = particular + null_space y, for any y.
struct LeftSolutions {
    Eigen::VectorXd particular; ///< [workers], the one of least norm
    Eigen::MatrixXd null_space; ///< [workers x (workers - rank)], orthonormal columns
};

/// Nothing where no a has a B = 1. `encoding` [workers x partitions]. One QR with column pivoting.
[[nodiscard]] std::optional<LeftSolutions> leftSolutions(const Eigen::MatrixXd& encoding);

/// A code known by its matrix alone: decodes whatever the matrix allows, be it fewer messages than the tolerance
/// promises.
///
/// decode() solves for the missing workers instead of those that are in: with S missing, N_S y = -a0_S, where a0 + N y
/// are all the solutions with everybody in. That is a system of |S| equations and workers - rank (as a rule: tolerance)
/// unknowns, whatever the number of workers. Every answer is checked against the matrix: |a B - 1|_inf < 1e-8.
class LinearCode final : public GradientCode {
public:
    /// What to make of fewer messages than the tolerance promises, where the matrix happens to decode them.
    enum class Early : bool { Allowed, Refused };

    /// `encoding` [workers x partitions]; a worker may have a row of zeros and then has no shares and no say. That any
    /// `tolerance` of the others may be missing is the caller's claim, not checked here.
    /// Requires that all messages together decode.
    LinearCode(const Eigen::MatrixXd& encoding, std::size_t tolerance, Early early);

    [[nodiscard]] std::size_t workers() const override { return shares_.size(); }
    [[nodiscard]] std::size_t partitions() const override { return partitions_; }
    [[nodiscard]] std::size_t tolerance() const override { return tolerance_; }
    [[nodiscard]] std::span<const Share> shares(std::size_t worker) const override;
    [[nodiscard]] std::optional<Decoding> decode(const std::vector<bool>& is_in) const override;
    [[nodiscard]] Decoding approximate(const std::vector<bool>& is_in) const override;

private:
    [[nodiscard]] Eigen::VectorXd shortfall(const Eigen::VectorXd& weights) const;
    [[nodiscard]] Eigen::VectorXd leastSquares(const std::vector<bool>& is_in, double threshold) const;

    std::size_t partitions_;
    std::size_t tolerance_;
    Early early_;
    std::vector<std::vector<Share>> shares_; ///< [workers]
    LeftSolutions solutions_;                ///< rows of workers without shares are 0
};

} // namespace lab
