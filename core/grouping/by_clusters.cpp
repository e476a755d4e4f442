#include "core/base/error.h"
#include "core/grouping/grouping.h"
#include "core/grouping/ordered_nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace lab {
namespace {

/// Sums over the first i values, of which every segment's cost follows in O(1).
class Prefix {
public:
    explicit Prefix(const std::vector<double>& values) : sums_{0}, squares_{0}
    {
        for (const double value : values) {
            sums_.push_back(sums_.back() + value);
            squares_.push_back(squares_.back() + value * value);
        }
    }
    [[nodiscard]] double sum(std::size_t from, std::size_t to) const { return sums_[to] - sums_[from]; }
    /// Squared distances to the mean of values from … to-1.
    [[nodiscard]] double scatter(std::size_t from, std::size_t to) const
    {
        const double total = sum(from, to);
        return std::max(0.0, squares_[to] - squares_[from] - total * total / static_cast<double>(to - from));
    }

private:
    std::vector<double> sums_;
    std::vector<double> squares_;
};

/// Where the segments of the cheapest split of 0 … n-1 into 1 … most segments begin (the first, 0, left out):
/// starts[k - 1] for k segments. least[k][j] = min over i of least[k - 1][i] + cost(i, j). Of equal splits the first.
template <class Cost>
std::vector<std::vector<std::size_t>> cheapestSplits(std::size_t n, std::size_t most, const Cost& cost)
{
    std::vector<double> least(n + 1);
    for (std::size_t to = 1; to <= n; ++to) {
        least[to] = cost(0, to);
    }
    std::vector<std::vector<std::size_t>> last{std::vector<std::size_t>(n + 1, 0)};
    for (std::size_t k = 2; k <= most; ++k) {
        std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
        std::vector<std::size_t> from(n + 1, 0);
        for (std::size_t to = k; to <= n; ++to) {
            for (std::size_t i = k - 1; i < to; ++i) {
                const double candidate = least[i] + cost(i, to);
                // A whisker, so that rounding does not decide between equals.
                if (candidate < next[to] - 1e-12 * std::abs(candidate)) {
                    next[to] = candidate;
                    from[to] = i;
                }
            }
        }
        least = std::move(next);
        last.push_back(std::move(from));
    }
    std::vector<std::vector<std::size_t>> splits;
    for (std::size_t k = 1; k <= most; ++k) {
        std::vector<std::size_t> starts;
        for (std::size_t j = k, to = n; j > 1; --j) {
            to = last[j - 1][to];
            starts.insert(starts.begin(), to);
        }
        splits.push_back(std::move(starts));
    }
    return splits;
}

/// The logarithms, taken from the fastest node so that the sums stay small.
std::vector<double> logOf(const std::vector<NodeId>& nodes, std::span<const double> seconds)
{
    std::vector<double> logs;
    logs.reserve(nodes.size());
    for (const NodeId node : nodes) {
        logs.push_back(std::log(seconds[node.index()] / seconds[nodes.front().index()]));
    }
    return logs;
}

/// -2 log likelihood + parameters * log n of a Gaussian mixture in which each value belongs to its segment; the
/// parameters are a mean and a variance per segment, and the weights, of which one follows from the others.
double bayesianCriterion(const Prefix& prefix, std::size_t n, const std::vector<std::size_t>& starts)
{
    constexpr double k_least_variance = 0.05 * 0.05;
    double twice_log_likelihood = 0;
    for (std::size_t k = 0; k <= starts.size(); ++k) {
        const std::size_t from = k == 0 ? 0 : starts[k - 1];
        const std::size_t to = k == starts.size() ? n : starts[k];
        const auto size = static_cast<double>(to - from);
        const double scatter = prefix.scatter(from, to);
        const double variance = std::max(scatter / size, k_least_variance);
        twice_log_likelihood += 2 * size * std::log(size / static_cast<double>(n))
            - size * std::log(2 * std::numbers::pi * variance) - scatter / variance;
    }
    const double parameters = 3 * static_cast<double>(starts.size() + 1) - 1;
    return parameters * std::log(static_cast<double>(n)) - twice_log_likelihood;
}

} // namespace

Partition groupByClusters(std::span<const double> seconds, std::size_t count)
{
    LAB_EXPECTS(count >= 1 && count <= seconds.size());
    const std::vector<NodeId> nodes = fastestFirst(seconds);
    const Prefix prefix(logOf(nodes, seconds));
    const auto cost = [&](std::size_t from, std::size_t to) { return prefix.scatter(from, to); };
    return cutBefore(nodes, cheapestSplits(nodes.size(), count, cost).back());
}

Partition groupByClusters(std::span<const double> seconds)
{
    LAB_EXPECTS(!seconds.empty());
    const std::vector<NodeId> nodes = fastestFirst(seconds);
    const Prefix prefix(logOf(nodes, seconds));
    const auto cost = [&](std::size_t from, std::size_t to) { return prefix.scatter(from, to); };
    const std::size_t most = std::min<std::size_t>(9, nodes.size());
    const auto splits = cheapestSplits(nodes.size(), most, cost);
    std::size_t best = 0;
    for (std::size_t k = 1; k < splits.size(); ++k) {
        if (bayesianCriterion(prefix, nodes.size(), splits[k])
            < bayesianCriterion(prefix, nodes.size(), splits[best])) {
            best = k;
        }
    }
    return cutBefore(nodes, splits[best]);
}

Partition groupByThroughput(std::span<const double> seconds, std::size_t count)
{
    LAB_EXPECTS(count >= 1 && count <= seconds.size());
    const std::vector<NodeId> nodes = fastestFirst(seconds);
    std::vector<double> rates;
    rates.reserve(nodes.size());
    for (const NodeId node : nodes) {
        rates.push_back(seconds[nodes.front().index()] / seconds[node.index()]);
    }
    const Prefix prefix(rates);
    const double share = prefix.sum(0, nodes.size()) / static_cast<double>(count);
    const auto cost = [&](std::size_t from, std::size_t to) {
        const double excess = prefix.sum(from, to) - share;
        return excess * excess;
    };
    return cutBefore(nodes, cheapestSplits(nodes.size(), count, cost).back());
}

} // namespace lab
