#include "core/grouping/spreading.h"

#include <algorithm>

namespace lab {
namespace {

using Nodes = std::vector<std::size_t>;

Nodes without(const Nodes& nodes, std::size_t node)
{
    Nodes rest = nodes;
    std::erase(rest, node);
    return rest;
}

Nodes with(Nodes nodes, std::size_t node)
{
    nodes.insert(std::ranges::lower_bound(nodes, node), node);
    return nodes;
}

class Spreader {
public:
    Spreader(Draft draft, GroupRates& bench)
        : draft_(std::move(draft)),
          bench_(bench),
          keeps_count_(bench.request().count.has_value()),
          laws_(bench.request().laws),
          group_(laws_.size())
    {
        index();
    }

    Draft run(std::size_t most)
    {
        std::size_t done = 0;
        bool is_better = true;
        while (is_better && done < most) {
            is_better = false;
            for (std::size_t node = 0; node < laws_.size() && done < most; ++node) {
                while (done < most && (move(node) || swap(node))) {
                    is_better = true;
                    ++done;
                }
            }
        }
        return std::move(draft_);
    }

private:
    void index()
    {
        for (std::size_t g = 0; g < draft_.groups.size(); ++g) {
            for (const std::size_t node : draft_.groups[g]) {
                group_[node] = g;
            }
        }
    }

    static bool isLess(double cost, double than) { return cost < than * (1 - 1e-9); }

    /// Whether the change could pay if the two groups were as fast as they may be at most.
    [[nodiscard]] bool mayPay(std::size_t from, const Nodes& rest, std::size_t to, const Nodes& joined) const
    {
        double sum = bench_.atMost(joined) + (rest.empty() ? 0 : bench_.atMost(rest));
        for (std::size_t g = 0; g < draft_.rates.size(); ++g) {
            sum += g == from || g == to ? 0 : draft_.rates[g].batches_per_second;
        }
        const std::size_t opened = to == draft_.rates.size() ? 1 : 0;
        const std::size_t closed = rest.empty() ? 1 : 0;
        return isLess(costOf(bench_.request(), draft_.rates.size() + opened - closed, sum), draft_.cost);
    }

    /// Puts these two groups in place of what has their numbers, if that costs less. `to` may be one past the last.
    bool adopt(std::size_t from, Nodes rest, std::size_t to, Nodes joined)
    {
        if (!mayPay(from, rest, to, joined)) {
            return false;
        }
        std::vector<GroupRate> rates = draft_.rates;
        rates.resize(std::max(rates.size(), to + 1));
        rates[to] = bench_.best(joined);
        if (rest.empty()) {
            rates.erase(rates.begin() + static_cast<std::ptrdiff_t>(from));
        } else {
            rates[from] = bench_.best(rest);
        }
        const double cost = costOf(bench_.request(), rates);
        if (!isLess(cost, draft_.cost)) {
            return false;
        }
        draft_.groups.resize(std::max(draft_.groups.size(), to + 1));
        draft_.groups[from] = std::move(rest);
        draft_.groups[to] = std::move(joined);
        std::erase_if(draft_.groups, [](const Nodes& nodes) { return nodes.empty(); });
        draft_.rates = std::move(rates);
        draft_.cost = cost;
        index();
        return true;
    }

    bool move(std::size_t node)
    {
        const std::size_t from = group_[node];
        const Nodes& mine = draft_.groups[from];
        if (keeps_count_ && mine.size() == 1) {
            return false;
        }
        for (std::size_t to = 0; to < draft_.groups.size(); ++to) {
            if (to != from && adopt(from, without(mine, node), to, with(draft_.groups[to], node))) {
                return true;
            }
        }
        return !keeps_count_ && mine.size() > 1
            && adopt(from, without(mine, node), draft_.groups.size(), {node});
    }

    bool swap(std::size_t node)
    {
        const std::size_t from = group_[node];
        for (std::size_t other = node + 1; other < laws_.size(); ++other) {
            const std::size_t to = group_[other];
            if (to == from || laws_[node] == laws_[other]) {
                continue;
            }
            if (adopt(from, with(without(draft_.groups[from], node), other), to,
                      with(without(draft_.groups[to], other), node))) {
                return true;
            }
        }
        return false;
    }

    Draft draft_;
    GroupRates& bench_;
    bool keeps_count_;
    std::span<const TaskLaw> laws_;
    std::vector<std::size_t> group_; ///< [nodes]
};

} // namespace

double costOf(const PlanRequest& request, const std::vector<GroupRate>& rates)
{
    double sum = 0;
    for (const GroupRate& rate : rates) {
        sum += rate.batches_per_second;
    }
    return costOf(request, rates.size(), sum);
}

Draft spread(Draft draft, GroupRates& bench, std::size_t most)
{
    return Spreader(std::move(draft), bench).run(most);
}

} // namespace lab
