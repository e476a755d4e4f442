#include "core/grouping/contiguous.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace lab {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t k_most_places = 256; // to cut at

using Nodes = std::vector<std::size_t>;

class ContiguousPlanner {
public:
    ContiguousPlanner(Nodes order, GroupRates& bench)
        : order_(std::move(order)),
          request_(bench.request()),
          bench_(bench)
    {
        const std::size_t n = order_.size();
        const bool has_many_groups = request_.count.value_or(1) > k_most_places;
        const std::size_t step = has_many_groups ? 1 : (n + k_most_places - 1) / k_most_places;
        for (std::size_t place = 0; place < n; place += step) {
            places_.push_back(place);
        }
        places_.push_back(n);
    }

    /// The cheapest drafts of different numbers of groups, cheapest first, `most` of them.
    std::vector<Draft> plans(std::size_t most)
    {
        rateSegments();
        const std::size_t pieces = places_.size() - 1;
        // sums[j]: the best rate of all groups up to places_[j]; last_[m][j]: where the last of m + 1 groups begins.
        std::vector<double> sums(pieces + 1, -k_infinity);
        sums[0] = 0;
        cost_by_count.assign(order_.size(), k_infinity);
        Nodes counts;
        for (std::size_t m = 1; m <= request_.count.value_or(pieces); ++m) {
            sums = withOneMore(sums);
            cost_by_count[m - 1] = costOf(request_, m, sums[pieces]);
            if (!request_.count || m == *request_.count) {
                counts.push_back(m);
            }
        }
        // By cost to nine digits, so that of equals the fewest groups win.
        std::ranges::stable_sort(counts, {}, [this](std::size_t m) {
            return std::nearbyint(std::log(cost_by_count[m - 1]) * 1e9);
        });
        counts.resize(std::min(most, counts.size()));
        std::vector<Draft> drafts;
        for (const std::size_t m : counts) {
            drafts.push_back(draftOf(m));
        }
        return drafts;
    }

    std::vector<double> cost_by_count; ///< [nodes]

private:
    void rateSegments()
    {
        for (std::size_t i = 0; i + 1 < places_.size(); ++i) {
            Nodes sizes;
            for (std::size_t j = i + 1; j < places_.size(); ++j) {
                sizes.push_back(places_[j] - places_[i]);
            }
            rates_.push_back(bench_.bestOfStarts(std::span(order_).subspan(places_[i]), sizes));
        }
    }

    std::vector<double> withOneMore(const std::vector<double>& sums)
    {
        std::vector<double> next(sums.size(), -k_infinity);
        Nodes from(sums.size(), 0);
        for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
            if (sums[i] == -k_infinity) {
                continue;
            }
            for (std::size_t j = i + 1; j < sums.size(); ++j) {
                const double sum = sums[i] + rates_[i][j - i - 1].batches_per_second;
                if (sum > next[j]) {
                    next[j] = sum;
                    from[j] = i;
                }
            }
        }
        last_.push_back(std::move(from));
        return next;
    }

    Draft draftOf(std::size_t count)
    {
        Draft draft;
        std::size_t end = places_.size() - 1;
        for (std::size_t m = count; m > 0; --m) {
            const std::size_t begin = last_[m - 1][end];
            Nodes members(order_.begin() + static_cast<std::ptrdiff_t>(places_[begin]),
                          order_.begin() + static_cast<std::ptrdiff_t>(places_[end]));
            std::ranges::sort(members);
            draft.groups.insert(draft.groups.begin(), std::move(members));
            draft.rates.insert(draft.rates.begin(), rates_[begin][end - begin - 1]);
            end = begin;
        }
        draft.cost = costOf(request_, draft.rates);
        return draft;
    }

    Nodes order_;
    const PlanRequest& request_;
    GroupRates& bench_;
    Nodes places_;                              ///< where groups may begin, and the end
    std::vector<std::vector<GroupRate>> rates_; ///< [place][later place - 1 - place]
    std::vector<Nodes> last_;
};

} // namespace

std::vector<std::size_t> orderedBy(std::span<const TaskLaw> laws, double (TaskLaw::*seconds)() const)
{
    Nodes order(laws.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> keys;
    for (const TaskLaw& law : laws) {
        keys.push_back((law.*seconds)());
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t node) { return keys[node]; });
    return order;
}

std::vector<std::size_t> mixedByRisk(std::span<const TaskLaw> laws, std::vector<std::size_t> order)
{
    const auto risk = [&](std::size_t node) {
        return laws[node].mean() / std::max(laws[node].median(), 1e-12);
    };
    for (auto begin = order.begin(); begin != order.end();) {
        const double fastest = laws[*begin].median();
        const auto end = std::find_if(begin, order.end(),
                                      [&](std::size_t node) { return laws[node].median() > 1.1 * fastest; });
        Nodes run(begin, end);
        std::ranges::stable_sort(run, std::greater{}, risk);
        const int bits = static_cast<int>(std::bit_width(run.size() - 1));
        for (std::size_t place = 0; place < std::size_t{1} << bits; ++place) {
            std::size_t reversed = 0;
            for (int bit = 0; bit < bits; ++bit) {
                reversed |= (place >> bit & 1U) << (bits - 1 - bit);
            }
            if (reversed < run.size()) {
                *begin++ = run[reversed];
            }
        }
    }
    return order;
}

ContiguousPlans planContiguous(const std::vector<std::size_t>& order, GroupRates& bench, std::size_t most)
{
    ContiguousPlanner planner(order, bench);
    std::vector<Draft> drafts = planner.plans(most);
    return {.drafts = std::move(drafts), .cost_by_count = std::move(planner.cost_by_count)};
}

} // namespace lab
