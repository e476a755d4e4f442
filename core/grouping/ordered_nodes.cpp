#include "core/grouping/ordered_nodes.h"

#include "core/base/error.h"

#include <algorithm>

namespace lab {

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

Partition cutBefore(const std::vector<NodeId>& nodes, const std::vector<std::size_t>& starts)
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

} // namespace lab
