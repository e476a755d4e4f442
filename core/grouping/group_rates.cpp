#include "core/grouping/group_rates.h"

#include "core/base/error.h"
#include "core/grouping/order_statistics.h"
#include "core/grouping/quadrature.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lab {
namespace {

constexpr double k_forbidden = -1e15; // batches per second: no sum of allowed groups makes up for it
constexpr std::size_t k_many_nodes = 64;
/// Among many nodes a fractional code, which cannot be judged node by node, is tried for groups up to this size.
constexpr std::size_t k_largest_blocks = 16;

double dot(const std::vector<double>& one, const std::vector<double>& other)
{
    return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

} // namespace

GroupRates::Barrier::Barrier(std::size_t tolerance, std::size_t places)
    : counts(tolerance + 1, std::vector<double>(places, 0.0)),
      more(places, 0.0)
{
    std::ranges::fill(counts[0], 1.0);
}

void GroupRates::Barrier::add(const std::vector<double>& unfinished)
{
    const std::size_t places = more.size();
    for (std::size_t i = 0; i < places; ++i) {
        more[i] += counts.back()[i] * unfinished[i];
    }
    for (std::size_t j = counts.size() - 1; j > 0; --j) {
        double* const here = counts[j].data();
        const double* const fewer = counts[j - 1].data();
        for (std::size_t i = 0; i < places; ++i) {
            here[i] += unfinished[i] * (fewer[i] - here[i]);
        }
    }
    for (std::size_t i = 0; i < places; ++i) {
        counts[0][i] *= 1 - unfinished[i];
    }
}

GroupRates::GroupRates(const PlanRequest& request, bool heeds_failures)
    : request_(request),
      heeds_failures_(heeds_failures && !request.failure_probability.empty() && request.most_tolerance > 0)
{
    LAB_EXPECTS(!request.laws.empty());
    LAB_EXPECTS(request.staleness_penalty >= 0 && request.most_tolerance >= 0 && request.server_seconds >= 0);
    LAB_EXPECTS(request.failure_probability.empty()
                || request.failure_probability.size() == request.laws.size());
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
    const bool is_coarse = request_.laws.size() > k_many_nodes;
    const Quadrature places =
        quadratureFor(laws, {.tolerance = 1e-4, .most_pieces = is_coarse ? 128U : 512U, .most_halvings = 6});
    auto law = laws.begin();
    for (std::size_t load = least; load <= most; ++load) {
        Table table{.weight = places.weight, .unfinished = {}};
        for (std::size_t i = 0; i < request_.laws.size(); ++i, ++law) {
            std::vector<double> unfinished;
            unfinished.reserve(places.at.size());
            for (const double t : places.at) {
                unfinished.push_back(law->survival(t));
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
    return dot(table.weight, barrier.more);
}

double GroupRates::roundOfBlocks(std::span<const std::size_t> nodes, std::size_t tolerance)
{
    const std::vector<std::size_t> starts = fractionalBlocks(nodes.size(), tolerance);
    const std::size_t least = starts[1];
    const std::size_t most = starts.back() - starts[starts.size() - 2];
    const std::vector<Table>& loads = tables(least, most);
    std::vector<double> some(loads.front().weight.size(), 0.0);
    std::vector<double> whole(some.size());
    for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
        const Table& table = loads[starts[block + 1] - starts[block] - least];
        std::ranges::fill(whole, 1.0);
        for (const std::size_t node : nodes.subspan(starts[block], starts[block + 1] - starts[block])) {
            const std::vector<double>& unfinished = table.unfinished[node];
            for (std::size_t i = 0; i < whole.size(); ++i) {
                whole[i] *= unfinished[i];
            }
        }
        for (std::size_t i = 0; i < some.size(); ++i) {
            some[i] += (1 - some[i]) * whole[i];
        }
    }
    return dot(loads.front().weight, some);
}

std::size_t GroupRates::mostTolerance(std::size_t nodes) const
{
    if (request_.is_fractional && request_.laws.size() > k_many_nodes && nodes > k_largest_blocks) {
        return 0;
    }
    return std::min(static_cast<std::size_t>(request_.most_tolerance), nodes - 1);
}

GroupRate GroupRates::rated(std::span<const std::size_t> nodes, std::size_t tolerance, double seconds) const
{
    const auto size = static_cast<double>(nodes.size());
    GroupRate rate{.batches_per_second = 0,
                   .seconds = seconds + request_.server_seconds * size,
                   .tolerance = static_cast<int>(tolerance)};
    // Tasks that take no time at all are as good as infinitely fast.
    rate.batches_per_second = size / std::max(rate.seconds, 1e-12);
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

GroupRate GroupRates::with(std::span<const std::size_t> nodes, std::size_t tolerance)
{
    const bool has_blocks = request_.is_fractional && tolerance > 0;
    return rated(nodes, tolerance,
                 has_blocks ? roundOfBlocks(nodes, tolerance) : roundOfCount(nodes, tolerance));
}

namespace {

bool isFaster(const GroupRate& one, const GroupRate& other)
{
    return one.batches_per_second > other.batches_per_second + 1e-9 * std::abs(other.batches_per_second);
}

} // namespace

GroupRate GroupRates::best(std::span<const std::size_t> nodes)
{
    GroupRate best = with(nodes, 0);
    for (std::size_t s = 1; s <= mostTolerance(nodes.size()); ++s) {
        const GroupRate other = with(nodes, s);
        if (isFaster(other, best)) {
            best = other;
        }
    }
    return best;
}

std::vector<GroupRate> GroupRates::bestOfStarts(std::span<const std::size_t> nodes,
                                                std::span<const std::size_t> sizes)
{
    std::vector<GroupRate> rates;
    if (request_.is_fractional) {
        for (const std::size_t size : sizes) {
            std::vector<std::size_t> members(nodes.begin(),
                                             nodes.begin() + static_cast<std::ptrdiff_t>(size));
            std::ranges::sort(members);
            rates.push_back(best(members));
        }
        return rates;
    }
    std::vector<const Table*> loads;
    std::vector<Barrier> barriers;
    for (std::size_t s = 0; s <= mostTolerance(nodes.size()); ++s) {
        loads.push_back(&tables(s + 1, s + 1).front());
        barriers.emplace_back(s, loads.back()->weight.size());
    }
    auto size = sizes.begin();
    for (std::size_t i = 0; i < nodes.size() && size != sizes.end(); ++i) {
        for (std::size_t s = 0; s < loads.size(); ++s) {
            barriers[s].add(loads[s]->unfinished[nodes[i]]);
        }
        if (*size != i + 1) {
            continue;
        }
        ++size;
        const auto members = nodes.first(i + 1);
        GroupRate best = rated(members, 0, dot(loads[0]->weight, barriers[0].more));
        for (std::size_t s = 1; s <= mostTolerance(members.size()); ++s) {
            const GroupRate other = rated(members, s, dot(loads[s]->weight, barriers[s].more));
            if (isFaster(other, best)) {
                best = other;
            }
        }
        rates.push_back(best);
    }
    return rates;
}

double GroupRates::cost(std::size_t groups, double batches_per_second) const
{
    if (batches_per_second <= 0) {
        return std::numeric_limits<double>::infinity();
    }
    const double longest = std::max(1 / batches_per_second, request_.server_seconds);
    return (1 + request_.staleness_penalty * (static_cast<double>(groups) - 1)) * longest;
}

} // namespace lab
