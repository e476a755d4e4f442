#include "core/grouping/group_rates.h"

#include "core/base/error.h"
#include "core/grouping/order_statistics.h"
#include "core/grouping/quadrature.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {
namespace {

constexpr double k_forbidden = -1e15; // batches per second: no sum of allowed groups makes up for it
constexpr std::size_t k_many_nodes = 64;
/// Among many nodes a fractional code, which cannot be judged node by node, is tried for groups up to this size.
constexpr std::size_t k_largest_blocks = 16;

GroupRate rateOf(const PlanRequest& request, std::size_t size, std::size_t tolerance, double seconds)
{
    const double with_server = seconds + request.server_seconds * static_cast<double>(size);
    // Tasks that take no time at all are as good as infinitely fast.
    return {.batches_per_second = static_cast<double>(size) / std::max(with_server, 1e-12),
            .seconds = with_server,
            .tolerance = static_cast<int>(tolerance)};
}

} // namespace

double costOf(const PlanRequest& request, std::size_t groups, double batches_per_second)
{
    if (batches_per_second <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double longest = std::max(1 / batches_per_second, request.server_seconds);
    return (1 + request.staleness_penalty * (static_cast<double>(groups) - 1)) * longest;
}

GroupRate exactRate(const PlanRequest& request, std::span<const std::size_t> nodes, std::size_t tolerance)
{
    std::vector<TaskLaw> laws;
    if (!request.is_fractional || tolerance == 0) {
        for (const std::size_t node : nodes) {
            laws.push_back(request.laws[node].forWork(static_cast<double>(tolerance + 1)));
        }
        return rateOf(request, nodes.size(), tolerance, expectedKth(laws, nodes.size() - tolerance));
    }
    const std::vector<std::size_t> starts = fractionalBlocks(nodes.size(), tolerance);
    std::vector<std::vector<std::size_t>> blocks;
    for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
        auto& members = blocks.emplace_back();
        for (std::size_t i = starts[block]; i < starts[block + 1]; ++i) {
            members.push_back(i);
            laws.push_back(
                request.laws[nodes[i]].forWork(static_cast<double>(starts[block + 1] - starts[block])));
        }
    }
    return rateOf(request, nodes.size(), tolerance, expectedFractional(laws, blocks));
}

GroupRates::Barrier::Barrier(std::size_t tolerance, Eigen::Index places)
    : counts(tolerance + 1, Eigen::ArrayXd::Zero(places)),
      more(Eigen::ArrayXd::Zero(places))
{
    counts[0].setOnes();
}

void GroupRates::Barrier::add(const Eigen::ArrayXd& unfinished)
{
    more += counts.back() * unfinished;
    for (std::size_t j = counts.size() - 1; j > 0; --j) {
        counts[j] += unfinished * (counts[j - 1] - counts[j]);
    }
    counts[0] *= 1 - unfinished;
    added += 1;
}

GroupRates::GroupRates(const PlanRequest& request, bool heeds_failures)
    : request_(request),
      heeds_failures_(heeds_failures && !request.failure_probability.empty() && request.most_tolerance > 0)
{
    LAB_EXPECTS(!request.laws.empty());
    LAB_EXPECTS(request.staleness_penalty >= 0 && request.most_tolerance >= 0 && request.server_seconds >= 0);
    LAB_EXPECTS(request.failure_probability.empty()
                || request.failure_probability.size() == request.laws.size());
    // A block has 2 s + 1 workers at most.
    least_.resize(2 * static_cast<std::size_t>(request.most_tolerance) + 1);
    medians_.resize(least_.size());
    for (const TaskLaw& law : request.laws) {
        means_.push_back(law.mean());
        for (std::size_t load = 1; load <= least_.size(); ++load) {
            const TaskLaw task = law.forWork(static_cast<double>(load));
            const std::vector<double> corners = task.corners();
            least_[load - 1].push_back(corners.empty() ? 0 : corners.front());
            medians_[load - 1].push_back(task.median());
        }
    }
}

const std::vector<GroupRates::Table>& GroupRates::tables(std::size_t least, std::size_t most)
{
    const auto [place, is_new] = tables_.try_emplace({least, most});
    if (!is_new) {
        return place->second;
    }
    std::vector<TaskLaw> laws;
    for (std::size_t load = least; load <= most; ++load) {
        for (const TaskLaw& law : request_.laws) {
            laws.push_back(law.forWork(static_cast<double>(load)));
        }
    }
    const Quadrature quadrature =
        quadratureFor(laws, {.tolerance = 1e-3, .most_pieces = 160, .most_halvings = 5});
    const auto places = static_cast<Eigen::Index>(quadrature.at.size());
    auto law = laws.begin();
    for (std::size_t load = least; load <= most; ++load) {
        Table table{.weight = Eigen::Map<const Eigen::VectorXd>(quadrature.weight.data(), places),
                    .unfinished = {}};
        for (std::size_t i = 0; i < request_.laws.size(); ++i, ++law) {
            Eigen::ArrayXd unfinished(places);
            for (Eigen::Index j = 0; j < places; ++j) {
                unfinished[j] = law->survival(quadrature.at[static_cast<std::size_t>(j)]);
            }
            table.unfinished.push_back(std::move(unfinished));
        }
        place->second.push_back(std::move(table));
    }
    return place->second;
}

double GroupRates::roundOfCount(std::span<const std::size_t> nodes, std::size_t tolerance)
{
    const Table& table = tables(tolerance + 1, tolerance + 1).front();
    Barrier barrier(tolerance, table.weight.size());
    for (const std::size_t node : nodes) {
        barrier.add(table.unfinished[node]);
    }
    return table.weight.dot(barrier.more.matrix());
}

double GroupRates::roundOfBlocks(std::span<const std::size_t> nodes, std::size_t tolerance)
{
    const std::vector<std::size_t> starts = fractionalBlocks(nodes.size(), tolerance);
    const std::size_t least = starts[1];
    const std::size_t most = starts.back() - starts[starts.size() - 2];
    const std::vector<Table>& loads = tables(least, most);
    const Eigen::Index places = loads.front().weight.size();
    Eigen::ArrayXd some = Eigen::ArrayXd::Zero(places);
    Eigen::ArrayXd whole(places);
    for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
        const std::size_t size = starts[block + 1] - starts[block];
        whole.setOnes();
        for (const std::size_t node : nodes.subspan(starts[block], size)) {
            whole *= loads[size - least].unfinished[node];
        }
        some += (1 - some) * whole;
    }
    return loads.front().weight.dot(some.matrix());
}

std::size_t GroupRates::mostTolerance(std::size_t nodes) const
{
    if (request_.is_fractional && request_.laws.size() > k_many_nodes && nodes > k_largest_blocks) {
        return 0;
    }
    return std::min(static_cast<std::size_t>(request_.most_tolerance), nodes - 1);
}

double GroupRates::fixedRound(std::span<const std::size_t> nodes, std::size_t tolerance,
                              const std::vector<std::vector<double>>& seconds) const
{
    if (!request_.is_fractional || tolerance == 0) {
        std::vector<double> mine;
        for (const std::size_t node : nodes) {
            mine.push_back(seconds[tolerance][node]);
        }
        const auto last = mine.begin() + static_cast<std::ptrdiff_t>(nodes.size() - tolerance - 1);
        std::ranges::nth_element(mine, last);
        return *last;
    }
    const std::vector<std::size_t> starts = fractionalBlocks(nodes.size(), tolerance);
    double last = 0;
    for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
        const std::size_t size = starts[block + 1] - starts[block];
        double first = std::numeric_limits<double>::infinity();
        for (const std::size_t node : nodes.subspan(starts[block], size)) {
            first = std::min(first, seconds[size - 1][node]);
        }
        last = std::max(last, first);
    }
    return last;
}

double GroupRates::leastSeconds(std::span<const std::size_t> nodes, std::size_t tolerance) const
{
    if (tolerance > 0) {
        return fixedRound(nodes, tolerance, least_);
    }
    double last = 0;
    for (const std::size_t node : nodes) {
        last = std::max(last, means_[node]);
    }
    return last;
}

bool GroupRates::isPredictable(std::span<const std::size_t> nodes, std::size_t tolerance) const
{
    return fixedRound(nodes, tolerance, medians_) < fixedRound(nodes, 0, medians_) * (1 - 1e-9);
}

double GroupRates::atMost(std::span<const std::size_t> nodes) const
{
    double seconds = leastSeconds(nodes, 0);
    for (std::size_t s = 1; s <= mostTolerance(nodes.size()); ++s) {
        seconds = std::min(seconds, leastSeconds(nodes, s));
    }
    return rateOf(request_, nodes.size(), 0, seconds * (1 - 1e-2))
        .batches_per_second; // the tables are coarse
}

GroupRate GroupRates::rated(std::span<const std::size_t> nodes, std::size_t tolerance, double seconds) const
{
    GroupRate rate = rateOf(request_, nodes.size(), tolerance, seconds);
    if (heeds_failures_) {
        std::vector<double> dead;
        for (const std::size_t node : nodes) {
            dead.push_back(request_.failure_probability[node]);
        }
        if (chanceOfMoreThan(tolerance, dead) > request_.failure_limit) {
            rate.batches_per_second += k_forbidden;
        }
    }
    return rate;
}

template <class Round>
GroupRate GroupRates::bestBy(std::span<const std::size_t> nodes, const Round& round) const
{
    GroupRate best = rated(nodes, 0, round(0));
    for (std::size_t s = 1; s <= mostTolerance(nodes.size()); ++s) {
        if (best.batches_per_second > 0
            && rateOf(request_, nodes.size(), s, leastSeconds(nodes, s)).seconds >= best.seconds) {
            continue; // redundancy alone costs more than stragglers do
        }
        if (!request_.codes_predictable && isPredictable(nodes, s)) {
            continue;
        }
        const GroupRate other = rated(nodes, s, round(s));
        if (other.batches_per_second > best.batches_per_second + 1e-9 * std::abs(best.batches_per_second)) {
            best = other;
        }
    }
    return best;
}

GroupRate GroupRates::best(std::span<const std::size_t> nodes)
{
    const bool has_key = request_.laws.size() <= 64;
    std::uint64_t key = 0;
    if (has_key) {
        for (const std::size_t node : nodes) {
            key |= std::uint64_t{1} << node;
        }
        if (const auto known = known_.find(key); known != known_.end()) {
            return known->second;
        }
    }
    const GroupRate best = bestBy(nodes, [&](std::size_t s) {
        return request_.is_fractional && s > 0 ? roundOfBlocks(nodes, s) : roundOfCount(nodes, s);
    });
    if (has_key) {
        known_.emplace(key, best);
    }
    return best;
}

std::vector<GroupRate> GroupRates::bestOfStarts(std::span<const std::size_t> nodes,
                                                std::span<const std::size_t> sizes)
{
    std::vector<GroupRate> rates;
    std::vector<const Table*> loads;
    std::vector<Barrier> barriers;
    for (const std::size_t size : sizes) {
        const auto members = nodes.first(size);
        std::vector<std::size_t> sorted(members.begin(), members.end());
        std::ranges::sort(sorted);
        rates.push_back(bestBy(sorted, [&](std::size_t s) {
            if (request_.is_fractional && s > 0) {
                return roundOfBlocks(sorted, s);
            }
            while (barriers.size() <= s) {
                loads.push_back(&tables(barriers.size() + 1, barriers.size() + 1).front());
                barriers.emplace_back(barriers.size(), loads.back()->weight.size());
            }
            Barrier& barrier = barriers[s];
            while (barrier.added < size) {
                barrier.add(loads[s]->unfinished[nodes[barrier.added]]);
            }
            return loads[s]->weight.dot(barrier.more.matrix());
        }));
    }
    return rates;
}

} // namespace lab
