#include "core/grouping/grouping.h"

#include "core/base/error.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lab {
namespace {

std::vector<NodeId> fastestFirst(std::span<const double> seconds)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        LAB_EXPECTS(seconds[i] > 0);
        nodes.emplace_back(i);
    }
    std::ranges::stable_sort(nodes, {}, [seconds](NodeId node) { return seconds[node.index()]; });
    return nodes;
}

/// Cuts the ordered nodes before every place that `starts` names (ascending).
Partition cut(const std::vector<NodeId>& nodes, const std::vector<std::size_t>& starts)
{
    Partition groups;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i == 0 || std::ranges::binary_search(starts, i)) {
            groups.emplace_back();
        }
        groups.back().push_back(nodes[i]);
    }
    for (auto& members : groups) {
        std::ranges::sort(members);
    }
    return groups;
}

} // namespace

Partition groupByGap(std::span<const double> seconds, double gap, double spread)
{
    LAB_EXPECTS(gap >= 1 && spread >= 1);
    const std::vector<NodeId> nodes = fastestFirst(seconds);
    // A whisker of tolerance: measured times that are exactly `gap` or `spread` apart belong together whatever the
    // last bit of their ratio says.
    constexpr double k_whisker = 1 + 1e-9;
    std::vector<std::size_t> starts;
    std::size_t first = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const double here = seconds[nodes[i].index()];
        const double before = seconds[nodes[i - 1].index()];
        const double fastest = seconds[nodes[first].index()];
        if (here > before * gap * k_whisker || here > fastest * spread * k_whisker) {
            starts.push_back(i);
            first = i;
        }
    }
    return cut(nodes, starts);
}

Partition groupByWidestGaps(std::span<const double> seconds, std::size_t count)
{
    LAB_EXPECTS(count >= 1 && count <= seconds.size());
    const std::vector<NodeId> nodes = fastestFirst(seconds);
    std::vector<std::size_t> places(nodes.size() - 1);
    std::iota(places.begin(), places.end(), std::size_t{1});
    std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) {
        return seconds[nodes[i].index()] / seconds[nodes[i - 1].index()];
    });
    places.resize(count - 1);
    std::ranges::sort(places);
    return cut(nodes, places);
}

} // namespace lab
