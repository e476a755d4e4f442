#include "core/grouping/speed_estimate.h"

#include "core/base/error.h"

#include <algorithm>

namespace lab {

SpeedEstimate::SpeedEstimate(std::size_t nodes, std::size_t window) : window_(window), nodes_(nodes)
{
    LAB_EXPECTS(window > 0);
}

void SpeedEstimate::add(NodeId node, Duration took, double work)
{
    LAB_EXPECTS(work > 0);
    History& history = nodes_[node.index()];
    const double seconds = toSeconds(took) / work;
    if (history.ring.size() < window_) {
        history.ring.push_back(seconds);
    } else {
        history.ring[history.seen % window_] = seconds;
    }
    history.seen += 1;
}

std::optional<double> SpeedEstimate::seconds(NodeId node) const
{
    std::vector<double> sorted = nodes_[node.index()].ring;
    if (sorted.empty()) {
        return std::nullopt;
    }
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    if (sorted.size() % 2 == 1) {
        return *middle;
    }
    return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

std::vector<double> SpeedEstimate::recent(NodeId node) const
{
    const History& history = nodes_[node.index()];
    std::vector<double> ordered = history.ring;
    if (history.seen > window_) {
        const auto oldest = static_cast<std::ptrdiff_t>(history.seen % window_);
        std::ranges::rotate(ordered, ordered.begin() + oldest);
    }
    return ordered;
}

} // namespace lab
