#include "core/grouping/by_objective.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/grouping/contiguous.h"
#include "core/grouping/group_rates.h"
#include "core/grouping/spreading.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lab {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t k_most_spread = 64; // nodes, for the local search

using Nodes = std::vector<std::size_t>;

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

std::string countOf(std::size_t groups)
{
    return std::to_string(groups) + (groups == 1 ? " group" : " groups");
}

/// "3 groups, 1 of them coded, cost 0.183 s per batch of progress; 1 group 0.403 s, 12 groups 0.209 s."
std::string explained(const Plan& plan)
{
    std::size_t used = 0;
    std::size_t coded = 0;
    std::size_t nodes = 0;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        used += plan.groups[g].empty() ? 0 : 1;
        coded += plan.tolerance[g] > 0 ? 1 : 0;
        nodes += plan.groups[g].size();
    }
    std::string why = countOf(used) + (coded > 0 ? ", " + std::to_string(coded) + " of them coded," : "")
        + (used == 1 ? " costs " : " cost ") + shortNumber(plan.cost) + " s per batch of progress";
    const char* separator = "; ";
    for (const std::size_t other : {std::size_t{1}, nodes}) {
        const bool is_known =
            other <= plan.cost_by_count.size() && plan.cost_by_count[other - 1] < k_infinity;
        if (is_known && other != used) {
            why += separator + countOf(other) + " " + shortNumber(plan.cost_by_count[other - 1]) + " s";
            separator = ", ";
        }
    }
    return why + ".";
}

Nodes indicesOf(const std::vector<NodeId>& members)
{
    Nodes nodes;
    for (const NodeId node : members) {
        nodes.push_back(node.index());
    }
    return nodes;
}

/// Groups with tolerances as a plan, with exact figures.
Plan judged(Partition groups, std::span<const int> tolerance, const PlanRequest& request)
{
    Plan plan;
    std::vector<GroupRate> rates;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Nodes members = indicesOf(groups[g]);
        GroupRate mine;
        GroupRate uncoded;
        if (!members.empty()) {
            LAB_EXPECTS(tolerance[g] >= 0 && static_cast<std::size_t>(tolerance[g]) < members.size());
            LAB_EXPECTS(std::ranges::max(members) < request.laws.size());
            uncoded = exactRate(request, members, 0);
            mine = tolerance[g] == 0 ? uncoded
                                     : exactRate(request, members, static_cast<std::size_t>(tolerance[g]));
            rates.push_back(mine);
        }
        plan.tolerance.push_back(mine.tolerance);
        plan.round_seconds.push_back(mine.seconds);
        plan.uncoded_seconds.push_back(uncoded.seconds);
    }
    plan.groups = std::move(groups);
    plan.cost = costOf(request, rates);
    plan.why = explained(plan);
    return plan;
}

/// What a search found; of infinite cost where every plan violates the failure limit.
struct Found {
    Draft draft;
    std::vector<double> cost_by_count;
};

Found search(const PlanRequest& request, bool heeds_failures)
{
    GroupRates bench(request, heeds_failures);
    const std::size_t nodes = request.laws.size();
    const std::size_t starts = nodes <= 16 ? 6 : nodes <= 32 ? 2 : 1; // of the local search, for each order
    std::vector<Nodes> orders{orderedBy(request.laws, &TaskLaw::median),
                              orderedBy(request.laws, &TaskLaw::mean)};
    if (request.most_tolerance > 0) {
        orders.push_back(mixedByRisk(request.laws, orders[0]));
    }
    Found best{.draft = {.groups = {}, .rates = {}, .cost = k_infinity},
               .cost_by_count = std::vector<double>(nodes, k_infinity)};
    for (auto order = orders.begin(); order != orders.end(); ++order) {
        if (std::find(orders.begin(), order, *order) != order) {
            continue;
        }
        ContiguousPlans plans = planContiguous(*order, bench, starts);
        for (Draft& start : plans.drafts) {
            Draft draft = nodes <= k_most_spread ? spread(std::move(start), bench) : std::move(start);
            if (best.draft.groups.empty() || draft.cost < best.draft.cost * (1 - 1e-9)) {
                best.draft = std::move(draft);
            }
        }
        for (std::size_t m = 0; m < nodes; ++m) {
            best.cost_by_count[m] = std::min(best.cost_by_count[m], plans.cost_by_count[m]);
        }
    }
    sortGroups(best.draft, request.laws);
    return best;
}

constexpr const char* k_in_vain =
    " The failure limit cannot be kept: more nodes may die than any group may tolerate.";

} // namespace

Plan planGroups(const PlanRequest& request)
{
    LAB_EXPECTS(!request.laws.empty());
    LAB_EXPECTS(!request.count || (*request.count >= 1 && *request.count <= request.laws.size()));
    Found found = search(request, true);
    const bool is_in_vain = found.draft.cost == k_infinity;
    if (is_in_vain) {
        found = search(request, false);
    }
    Partition groups;
    std::vector<int> tolerance;
    for (std::size_t g = 0; g < found.draft.groups.size(); ++g) {
        auto& members = groups.emplace_back();
        for (const std::size_t node : found.draft.groups[g]) {
            members.emplace_back(node);
        }
        tolerance.push_back(found.draft.rates[g].tolerance);
    }
    Plan plan = judged(std::move(groups), tolerance, request);
    plan.cost_by_count = std::move(found.cost_by_count);
    plan.why = explained(plan) + (is_in_vain ? k_in_vain : "");
    return plan;
}

Plan planTolerances(const Partition& groups, const PlanRequest& request)
{
    PlanRequest any = request;
    any.codes_predictable = true; // who was not moved must be coded
    GroupRates heeding(any, true);
    GroupRates heedless(any, false);
    std::vector<int> tolerance;
    bool is_in_vain = false;
    for (const auto& members : groups) {
        GroupRate best;
        if (!members.empty()) {
            best = heeding.best(indicesOf(members));
        }
        if (best.batches_per_second < 0) {
            is_in_vain = true;
            best = heedless.best(indicesOf(members));
        }
        tolerance.push_back(best.tolerance);
    }
    Plan plan = judged(groups, tolerance, request);
    plan.why += is_in_vain ? k_in_vain : "";
    return plan;
}

Plan costOf(const Partition& groups, std::span<const int> tolerance, const PlanRequest& request)
{
    LAB_EXPECTS(tolerance.size() == groups.size());
    return judged(groups, tolerance, request);
}

} // namespace lab
