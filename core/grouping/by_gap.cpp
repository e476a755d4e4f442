#include "core/grouping/grouping.h"

#include "core/base/error.h"
#include "core/grouping/ordered_nodes.h"

#include <algorithm>
#include <vector>

namespace lab {

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
    return cutBefore(nodes, starts);
}

} // namespace lab
