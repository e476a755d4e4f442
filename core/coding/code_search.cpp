#include "core/coding/code_search.h"

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/text.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace lab {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pattern = std::vector<Index>; // missing points

constexpr double k_good = 50;
constexpr double k_bearable = 1e4;
constexpr std::size_t k_all_patterns = 1000;
constexpr std::size_t k_drawn_patterns = 200;

/// Rng ids below this belong to the designs.
constexpr std::uint64_t k_pattern_stream = std::uint64_t{1} << 32;

/// min(n over k, limit + 1).
std::size_t combinations(std::size_t n, std::size_t k, std::size_t limit)
{
    std::size_t count = 1;
    for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
        count = count * (n - i + 1) / i;
        if (count > limit) {
            return limit + 1;
        }
    }
    return count;
}

std::vector<Pattern> allPatterns(std::size_t points, std::size_t missing)
{
    std::vector<char> is_missing(points, 0);
    std::fill_n(is_missing.begin(), missing, 1);
    std::vector<Pattern> patterns;
    do {
        Pattern pattern;
        for (std::size_t point = 0; point < points; ++point) {
            if (is_missing[point] != 0) {
                pattern.push_back(static_cast<Index>(point));
            }
        }
        patterns.push_back(std::move(pattern));
    } while (std::prev_permutation(is_missing.begin(), is_missing.end()));
    return patterns;
}

std::vector<Pattern> somePatterns(std::size_t points, std::size_t missing, std::uint64_t seed)
{
    std::vector<Pattern> patterns;
    for (std::size_t first = 0; first < points; ++first) {
        Pattern pattern;
        for (std::size_t i = 0; i < missing; ++i) {
            pattern.push_back(static_cast<Index>((first + i) % points));
        }
        patterns.push_back(std::move(pattern));
    }
    Pattern deck(points);
    std::iota(deck.begin(), deck.end(), Index{0});
    Rng rng(seed, Purpose::Code, k_pattern_stream, missing);
    for (std::size_t draw = 0; draw < k_drawn_patterns; ++draw) {
        for (std::size_t i = 0; i < missing; ++i) {
            std::swap(deck[i], deck[i + rng.below(points - i)]);
        }
        patterns.emplace_back(deck.begin(), deck.begin() + static_cast<std::ptrdiff_t>(missing));
    }
    return patterns;
}

/// Coefficients of the partitions, one column each; nothing where holders' points depend on each other.
std::optional<MatrixXd> coefficients(const CodeDesign& design, const Placement& placement)
{
    const auto partitions = static_cast<Index>(placement.holders.size());
    MatrixXd encoding = MatrixXd::Zero(static_cast<Index>(placement.point_of.size()), partitions);
    Pattern points;
    VectorXd column;
    for (Index partition = 0; partition < partitions; ++partition) {
        const std::vector<std::size_t>& holders = placement.holders[static_cast<std::size_t>(partition)];
        Pattern points_here;
        for (const std::size_t worker : holders) {
            points_here.push_back(static_cast<Index>(placement.point_of[worker]));
        }
        if (points_here != points) { // neighbouring partitions are often on the same points
            points = std::move(points_here);
            column = MatrixXd(design.points(Eigen::all, points)).partialPivLu().solve(design.target);
            if (!column.allFinite()) {
                return std::nullopt;
            }
        }
        for (std::size_t i = 0; i < holders.size(); ++i) {
            encoding(static_cast<Index>(holders[i]), partition) = column(static_cast<Index>(i));
        }
    }
    return encoding;
}

/// Largest |a|_inf, with a = x C * scale; infinite where a pattern does not decode at all.
double amplification(const CodeDesign& design, const VectorXd& scale, const std::vector<Pattern>& patterns)
{
    const Index dimensions = design.points.rows();
    const VectorXd wanted = VectorXd::Unit(dimensions, 0);
    double worst = 0;
    for (const Pattern& pattern : patterns) {
        MatrixXd conditions(dimensions, dimensions); // x target = 1, x C_S = 0
        conditions.row(0) = design.target.transpose();
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            conditions.row(static_cast<Index>(i) + 1) = design.points.col(pattern[i]).transpose();
        }
        const VectorXd x = conditions.partialPivLu().solve(wanted);
        const VectorXd weights = (design.points.transpose() * x).cwiseProduct(scale);
        if (!weights.allFinite()) {
            return std::numeric_limits<double>::infinity();
        }
        worst = std::max(worst, weights.cwiseAbs().maxCoeff());
    }
    return worst;
}

/// How many candidates may be tried within about a second.
std::size_t attemptsWithin(const Placement& placement, std::size_t tolerance)
{
    const auto dimensions = static_cast<double>(tolerance + 1);
    const auto patterns = static_cast<double>(k_drawn_patterns + placement.holders.size());
    const double operations = dimensions * dimensions * dimensions * patterns;
    return static_cast<std::size_t>(std::clamp(1e9 / operations, 2.0, 60.0));
}

} // namespace

std::optional<CodeCandidate> evaluate(const CodeDesign& design, const Placement& placement,
                                      std::uint64_t seed)
{
    std::optional<MatrixXd> encoding = coefficients(design, placement);
    if (!encoding) {
        return std::nullopt;
    }
    // Scaled so, a weight of 1 makes as much of a message's rounding as plain summing would.
    VectorXd scale = VectorXd::Zero(design.points.cols());
    for (Index worker = 0; worker < encoding->rows(); ++worker) {
        const double largest = encoding->row(worker).cwiseAbs().maxCoeff();
        if (largest > 0.0) {
            encoding->row(worker) /= largest;
            auto& at_point = scale(static_cast<Index>(placement.point_of[static_cast<std::size_t>(worker)]));
            at_point = std::max(at_point, largest);
        }
    }
    const auto points = static_cast<std::size_t>(design.points.cols());
    const auto missing = static_cast<std::size_t>(design.points.rows()) - 1;
    const bool are_few = combinations(points, missing, k_all_patterns) <= k_all_patterns;
    const double worst = amplification(
        design, scale, are_few ? allPatterns(points, missing) : somePatterns(points, missing, seed));
    return CodeCandidate{*std::move(encoding), worst};
}

MatrixXd searchCode(const DesignSource& design, const Placement& placement, std::size_t tolerance,
                    std::uint64_t seed, const char* kind)
{
    CodeCandidate best{{}, std::numeric_limits<double>::infinity()};
    const std::size_t attempts = attemptsWithin(placement, tolerance);
    for (std::size_t attempt = 0; attempt < attempts && best.amplification > k_good; ++attempt) {
        const std::optional<CodeDesign> drawn = design(attempt);
        std::optional<CodeCandidate> candidate = drawn ? evaluate(*drawn, placement, seed) : std::nullopt;
        if (candidate && candidate->amplification < best.amplification) {
            best = *std::move(candidate);
        }
    }
    if (!(best.amplification <= k_bearable)) {
        throw Error(std::string(kind) + " code for " + std::to_string(placement.point_of.size())
                    + " nodes and " + std::to_string(tolerance) + " stragglers amplifies rounding "
                    + shortNumber(best.amplification, 1)
                    + " times; use fewer stragglers, code fractional, or smaller groups");
    }
    return std::move(best.encoding);
}

} // namespace lab
