#include "core/grouping/by_objective.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/grouping/group_rates.h"
#include "core/grouping/spreading.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace lab {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t k_most_spread = 64;  // nodes, for the local search
constexpr std::size_t k_most_places = 256; // to cut at

using Nodes = std::vector<std::size_t>;

Nodes orderedBy(std::span<const TaskLaw> laws, double (TaskLaw::*seconds)() const)
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

/// The best groups contiguous in `order`, and the least cost for each number of them.
class ContiguousPlanner {
public:
    ContiguousPlanner(Nodes order, const PlanRequest& request, GroupRates& bench)
        : order_(std::move(order)),
          request_(request),
          bench_(bench)
    {
        const std::size_t n = order_.size();
        const bool has_many_groups = request.count.value_or(1) > k_most_places;
        const std::size_t step = has_many_groups ? 1 : (n + k_most_places - 1) / k_most_places;
        for (std::size_t place = 0; place < n; place += step) {
            places_.push_back(place);
        }
        places_.push_back(n);
    }

    Draft plan()
    {
        rateSegments();
        const std::size_t pieces = places_.size() - 1;
        // sums[j]: the best rate of all groups up to places_[j]; last_[m][j]: where the last of m + 1 groups begins.
        std::vector<double> sums(pieces + 1, -k_infinity);
        sums[0] = 0;
        cost_by_count.assign(order_.size(), k_infinity);
        std::size_t best = 0;
        for (std::size_t m = 1; m <= request_.count.value_or(pieces); ++m) {
            sums = withOneMore(sums);
            cost_by_count[m - 1] = bench_.cost(m, sums[pieces]);
            const bool counts = !request_.count || m == *request_.count;
            if (counts && (best == 0 || cost_by_count[m - 1] < cost_by_count[best - 1] * (1 - 1e-9))) {
                best = m;
            }
        }
        return draftOf(best);
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
        draft.cost = costOf(draft.rates, bench_);
        return draft;
    }

    Nodes order_;
    const PlanRequest& request_;
    GroupRates& bench_;
    Nodes places_;                              ///< where groups may begin, and the end
    std::vector<std::vector<GroupRate>> rates_; ///< [place][later place - 1 - place]
    std::vector<Nodes> last_;
};

/// Fastest group first, by its fastest node.
void sortGroups(Draft& draft, std::span<const TaskLaw> laws)
{
    std::vector<std::pair<double, std::size_t>> keys;
    for (std::size_t g = 0; g < draft.groups.size(); ++g) {
        double fastest = k_infinity;
        for (const std::size_t node : draft.groups[g]) {
            fastest = std::min(fastest, laws[node].median());
        }
        keys.emplace_back(fastest, g);
    }
    std::ranges::stable_sort(keys, {}, &std::pair<double, std::size_t>::first);
    Draft sorted{.groups = {}, .rates = {}, .cost = draft.cost};
    for (const auto& [fastest, g] : keys) {
        sorted.groups.push_back(std::move(draft.groups[g]));
        sorted.rates.push_back(draft.rates[g]);
    }
    draft = std::move(sorted);
}

Plan planOf(const Draft& draft)
{
    Plan plan;
    plan.cost = draft.cost;
    for (std::size_t g = 0; g < draft.groups.size(); ++g) {
        auto& members = plan.groups.emplace_back();
        for (const std::size_t node : draft.groups[g]) {
            members.emplace_back(node);
        }
        plan.tolerance.push_back(draft.rates[g].tolerance);
        plan.round_seconds.push_back(draft.rates[g].seconds);
    }
    return plan;
}

std::string countOf(std::size_t groups)
{
    return std::to_string(groups) + (groups == 1 ? " group" : " groups");
}

/// "3 groups cost 0.183 s per batch of progress, 1 group 0.403 s, 12 groups 0.209 s. Group A tolerates 1 straggler: a
/// round takes 0.294 s instead of 0.41 s."
std::string explained(const Plan& plan, const PlanRequest& request, GroupRates& bench)
{
    std::size_t used = 0;
    for (const auto& members : plan.groups) {
        used += members.empty() ? 0 : 1;
    }
    std::string why = countOf(used) + (used == 1 ? " costs " : " cost ") + shortNumber(plan.cost)
        + " s per batch of progress";
    for (const std::size_t other : {std::size_t{1}, request.laws.size()}) {
        const bool is_known =
            other <= plan.cost_by_count.size() && plan.cost_by_count[other - 1] < k_infinity;
        if (is_known && other != used) {
            why += ", " + countOf(other) + " " + shortNumber(plan.cost_by_count[other - 1]) + " s";
        }
    }
    why += ".";
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        if (plan.tolerance[g] == 0) {
            continue;
        }
        Nodes members;
        for (const NodeId node : plan.groups[g]) {
            members.push_back(node.index());
        }
        why += " Group " + groupLetter(GroupId{g}) + " tolerates " + std::to_string(plan.tolerance[g])
            + (plan.tolerance[g] == 1 ? " straggler" : " stragglers") + ": a round takes "
            + shortNumber(plan.round_seconds[g]) + " s instead of "
            + shortNumber(bench.with(members, 0).seconds) + " s.";
    }
    return why;
}

Plan planned(const PlanRequest& request, bool heeds_failures)
{
    GroupRates bench(request, heeds_failures);
    const Nodes by_median = orderedBy(request.laws, &TaskLaw::median);
    const Nodes by_mean = orderedBy(request.laws, &TaskLaw::mean);
    Draft best;
    std::vector<double> cost_by_count;
    for (const Nodes& order : {by_median, by_mean}) {
        if (!cost_by_count.empty() && by_mean == by_median) {
            break;
        }
        ContiguousPlanner planner(order, request, bench);
        Draft draft = planner.plan();
        if (request.laws.size() <= k_most_spread) {
            draft = spread(std::move(draft), bench, request.count.has_value(), request.laws);
        }
        if (cost_by_count.empty()) {
            cost_by_count = std::move(planner.cost_by_count);
            best = std::move(draft);
            continue;
        }
        for (std::size_t m = 0; m < cost_by_count.size(); ++m) {
            cost_by_count[m] = std::min(cost_by_count[m], planner.cost_by_count[m]);
        }
        if (draft.cost < best.cost * (1 - 1e-9)) {
            best = std::move(draft);
        }
    }
    sortGroups(best, request.laws);
    Plan plan = planOf(best);
    plan.cost_by_count = std::move(cost_by_count);
    plan.why = explained(plan, request, bench);
    return plan;
}

/// Rates of given groups by a rule for each; empty groups have none.
template <class Rate>
Plan judged(const Partition& groups, const PlanRequest& request, bool heeds, const Rate& rate)
{
    GroupRates bench(request, heeds);
    Plan plan;
    plan.groups = groups;
    std::vector<GroupRate> rates;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Nodes members;
        for (const NodeId node : groups[g]) {
            LAB_EXPECTS(node.index() < request.laws.size());
            members.push_back(node.index());
        }
        GroupRate mine;
        if (!members.empty()) {
            mine = rate(bench, g, members);
            rates.push_back(mine);
        }
        plan.tolerance.push_back(mine.tolerance);
        plan.round_seconds.push_back(mine.seconds);
    }
    plan.cost = costOf(rates, bench);
    plan.why = explained(plan, request, bench);
    return plan;
}

constexpr const char* k_in_vain =
    " The failure limit cannot be kept: more nodes may die than any group may tolerate.";

} // namespace

Plan planGroups(const PlanRequest& request)
{
    LAB_EXPECTS(!request.laws.empty());
    LAB_EXPECTS(!request.count || (*request.count >= 1 && *request.count <= request.laws.size()));
    Plan plan = planned(request, true);
    if (plan.cost == k_infinity) {
        plan = planned(request, false);
        plan.why += k_in_vain;
    }
    return plan;
}

Plan planTolerances(const Partition& groups, const PlanRequest& request)
{
    const auto best = [](GroupRates& bench, std::size_t, const Nodes& members) {
        return bench.best(members);
    };
    Plan plan = judged(groups, request, true, best);
    if (plan.cost == k_infinity) {
        plan = judged(groups, request, false, best);
        plan.why += k_in_vain;
    }
    return plan;
}

Plan costOf(const Partition& groups, std::span<const int> tolerance, const PlanRequest& request)
{
    LAB_EXPECTS(tolerance.size() == groups.size());
    return judged(groups, request, false, [&](GroupRates& bench, std::size_t g, const Nodes& members) {
        LAB_EXPECTS(tolerance[g] >= 0 && static_cast<std::size_t>(tolerance[g]) < members.size());
        return bench.with(members, static_cast<std::size_t>(tolerance[g]));
    });
}

} // namespace lab
