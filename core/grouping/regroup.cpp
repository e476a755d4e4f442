#include "core/grouping/regroup.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace lab {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// [nodes] the group of each; invalid for a node in none.
std::vector<GroupId> groupsOf(const Partition& groups, std::size_t nodes)
{
    std::vector<GroupId> of(nodes);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const NodeId node : groups[g]) {
            LAB_EXPECTS(node.index() < nodes);
            of[node.index()] = GroupId{g};
        }
    }
    return of;
}

/// The live nodes, under numbers of their own: planners know no dead.
class Living {
public:
    explicit Living(const ClusterOutlook& outlook) : place_(outlook.laws.size())
    {
        for (std::size_t i = 0; i < outlook.laws.size(); ++i) {
            if (outlook.is_alive == nullptr || (*outlook.is_alive)[i]) {
                place_[i] = NodeId{nodes_.size()};
                nodes_.emplace_back(i);
                laws_.push_back(outlook.laws[i]);
            }
        }
    }
    [[nodiscard]] const std::vector<TaskLaw>& laws() const { return laws_; }

    [[nodiscard]] Partition only(const Partition& groups) const
    {
        Partition living(groups.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (const NodeId node : groups[g]) {
                if (place_[node.index()].isValid()) {
                    living[g].push_back(place_[node.index()]);
                }
            }
        }
        return living;
    }

    /// The plan with everybody's own number; the dead with the live node whose median is nearest by ratio, the
    /// faster of two.
    [[nodiscard]] Plan withTheDead(Plan plan, std::span<const TaskLaw> laws) const
    {
        for (auto& members : plan.groups) {
            for (NodeId& node : members) {
                node = nodes_[node.index()];
            }
        }
        const Partition living = plan.groups;
        for (std::size_t i = 0; i < laws.size(); ++i) {
            if (place_[i].isValid()) {
                continue;
            }
            double least = k_infinity;
            std::size_t nearest = 0;
            for (std::size_t g = 0; g < living.size(); ++g) {
                for (const NodeId node : living[g]) {
                    const double ratio = laws[node.index()].median() / std::max(laws[i].median(), 1e-12);
                    const double distance = std::abs(std::log(std::max(ratio, 1e-12)));
                    if (distance < least) {
                        least = distance;
                        nearest = g;
                    }
                }
            }
            plan.groups[nearest].emplace_back(i);
        }
        for (auto& members : plan.groups) {
            std::ranges::sort(members);
        }
        return plan;
    }

    /// How many live nodes have another group.
    [[nodiscard]] std::size_t moved(const Partition& from, const Partition& to) const
    {
        const std::vector<GroupId> before = groupsOf(from, place_.size());
        const std::vector<GroupId> after = groupsOf(to, place_.size());
        return static_cast<std::size_t>(std::ranges::count_if(
            nodes_, [&](NodeId node) { return before[node.index()] != after[node.index()]; }));
    }

private:
    std::vector<NodeId> nodes_; ///< [live nodes]
    std::vector<NodeId> place_; ///< [nodes] where in nodes_; invalid for the dead
    std::vector<TaskLaw> laws_; ///< [live nodes]
};

} // namespace

RegroupPolicy::RegroupPolicy(RegroupRules rules) : rules_(rules)
{
    LAB_EXPECTS(rules.period >= 1 && rules.cooldown >= 0 && rules.ticks >= 1);
    LAB_EXPECTS(rules.gain >= 0 && rules.gain < 1);
}

void RegroupPolicy::changed(std::int64_t rounds)
{
    last_change_ = rounds;
    last_tick_ = rounds;
    better_ticks_ = 0;
    is_urgent_ = false;
}

bool RegroupPolicy::isCooling(std::int64_t rounds) const
{
    return last_change_ && rounds - *last_change_ < rules_.cooldown;
}

bool RegroupPolicy::isDue(std::int64_t rounds, bool is_urgent) const
{
    return rounds - last_tick_ >= rules_.period || ((is_urgent || is_urgent_) && !isCooling(rounds));
}

std::optional<Plan> RegroupPolicy::consider(const Partition& groups, std::span<const int> tolerance,
                                            const ClusterOutlook& outlook)
{
    LAB_EXPECTS(tolerance.size() == groups.size());
    is_urgent_ = is_urgent_ || outlook.is_urgent;
    const bool nobody_lives =
        outlook.is_alive != nullptr && std::ranges::none_of(*outlook.is_alive, std::identity{});
    if (!isDue(outlook.rounds, is_urgent_) || nobody_lives) {
        return std::nullopt;
    }
    const bool is_cooling = isCooling(outlook.rounds);
    last_tick_ = outlook.rounds;
    const bool is_answering = is_urgent_ && !is_cooling;
    if (is_answering) {
        is_urgent_ = false;
    }
    Plan plan = planFor(groups, tolerance, outlook);
    if (plan.groups.empty()) {
        better_ticks_ = 0;
        return std::nullopt;
    }
    better_ticks_ += 1;
    if (is_cooling || (better_ticks_ < rules_.ticks && !is_answering)) {
        return std::nullopt;
    }
    changed(outlook.rounds);
    return plan;
}

Plan RegroupPolicy::planFor(const Partition& groups, std::span<const int> tolerance,
                            const ClusterOutlook& outlook) const
{
    const Living living(outlook);
    PlanRequest request;
    request.laws = living.laws();
    request.staleness_penalty = rules_.staleness_penalty;
    request.most_tolerance = rules_.most_tolerance;
    request.is_fractional = rules_.is_fractional;
    request.server_seconds = rules_.server_seconds;
    if (rules_.count) {
        request.count = std::min(*rules_.count, living.laws().size());
    }

    const Partition current = living.only(groups);
    std::vector<int> tolerated(tolerance.begin(), tolerance.end());
    for (std::size_t g = 0; g < current.size(); ++g) {
        // Of a coded group that lost members only what it can still tolerate counts.
        tolerated[g] = std::max(0, std::min(tolerated[g], static_cast<int>(current[g].size()) - 1));
    }
    const double cost_now = costOf(current, tolerated, request).cost;

    Plan plan = renumbered(living.withTheDead(planGroups(request), outlook.laws), groups);
    const std::size_t moved = living.moved(groups, plan.groups);
    plan.why.pop_back();
    plan.why += "; the groups until now " + shortNumber(cost_now) + " s.";
    std::vector<int> planned = plan.tolerance;
    planned.resize(std::max(planned.size(), tolerated.size()));
    tolerated.resize(planned.size());
    const bool is_same = moved == 0 && planned == tolerated;
    const double tasks = static_cast<double>(rules_.period) * static_cast<double>(living.laws().size());
    const double cost_with_move = plan.cost * (1 + static_cast<double>(moved) / tasks);
    return !is_same && cost_with_move < (1 - rules_.gain) * cost_now ? plan : Plan{};
}

Plan renumbered(Plan plan, const Partition& groups)
{
    std::size_t nodes = 0;
    for (const auto& members : plan.groups) {
        for (const NodeId node : members) {
            nodes = std::max(nodes, node.index() + 1);
        }
    }
    for (const auto& members : groups) {
        for (const NodeId node : members) {
            nodes = std::max(nodes, node.index() + 1);
        }
    }
    const std::vector<GroupId> before = groupsOf(groups, nodes);

    // Every pair of an old and a new group by the nodes that they share, most first, then in order.
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> pairs;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        std::vector<std::size_t> shared(groups.size(), 0);
        for (const NodeId node : plan.groups[g]) {
            if (before[node.index()].isValid()) {
                shared[before[node.index()].index()] += 1;
            }
        }
        for (std::size_t old = 0; old < groups.size(); ++old) {
            if (shared[old] > 0) {
                pairs.emplace_back(nodes - shared[old], old, g);
            }
        }
    }
    std::ranges::sort(pairs);
    std::vector<GroupId> number(plan.groups.size());
    std::vector<bool> is_taken(groups.size() + plan.groups.size(), false);
    for (const auto& [unshared, old, g] : pairs) {
        if (!number[g].isValid() && !is_taken[old]) {
            number[g] = GroupId{old};
            is_taken[old] = true;
        }
    }
    std::size_t count = 0;
    for (GroupId& mine : number) {
        if (!mine.isValid()) {
            mine = GroupId{static_cast<std::size_t>(std::ranges::find(is_taken, false) - is_taken.begin())};
            is_taken[mine.index()] = true;
        }
        count = std::max(count, mine.index() + 1);
    }

    Plan result = plan;
    result.groups.assign(count, {});
    result.tolerance.assign(count, 0);
    result.round_seconds.assign(count, 0);
    result.uncoded_seconds.assign(count, 0);
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
        const std::size_t to = number[g].index();
        result.groups[to] = std::move(plan.groups[g]);
        result.tolerance[to] = plan.tolerance[g];
        result.round_seconds[to] = plan.round_seconds[g];
        result.uncoded_seconds[to] = plan.uncoded_seconds[g];
    }
    return result;
}

std::vector<std::string> explainChange(const Partition& groups, std::span<const int> tolerance,
                                       const Plan& next, std::span<const double> before,
                                       std::span<const double> now, std::span<const std::string> names)
{
    LAB_EXPECTS(now.size() == names.size() && before.size() == names.size());
    std::vector<std::string> sentences;
    const std::vector<GroupId> from = groupsOf(groups, names.size());
    const std::vector<GroupId> to = groupsOf(next.groups, names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!to[i].isValid() || from[i] == to[i]) {
            continue;
        }
        std::string sentence =
            names[i] + " moved to group " + letterOf(to[i]) + ": median " + shortNumber(now[i], 2) + " s";
        if (shortNumber(before[i], 2) != shortNumber(now[i], 2)) {
            sentence += ", was " + shortNumber(before[i], 2) + " s";
        }
        sentences.push_back(std::move(sentence));
    }
    for (std::size_t g = 0; g < next.tolerance.size(); ++g) {
        const int was = g < tolerance.size() ? tolerance[g] : 0;
        const int is = next.tolerance[g];
        if (is == was || next.groups[g].empty()) {
            continue;
        }
        std::string sentence = "group " + letterOf(GroupId{g}) + " tolerates "
            + (is == 0 ? "no straggler" : std::to_string(is) + (is == 1 ? " straggler" : " stragglers"))
            + ", was " + std::to_string(was) + ": a round takes about "
            + shortNumber(next.round_seconds[g], 2) + " s";
        if (is > 0) {
            sentence += ", without a code " + shortNumber(next.uncoded_seconds[g], 2) + " s";
        }
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

} // namespace lab
