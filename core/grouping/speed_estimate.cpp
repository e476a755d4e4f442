#include "core/grouping/speed_estimate.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) {
        return *middle;
    }
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double perBatch(Duration took, double work)
{
    LAB_EXPECTS(work > 0);
    return toSeconds(took) / work;
}

} // namespace

SpeedEstimate::SpeedEstimate(std::size_t nodes, std::size_t window, std::size_t memory)
    : window_(window),
      memory_(memory),
      nodes_(nodes)
{
    LAB_EXPECTS(window > 0 && memory > 0);
}

void SpeedEstimate::remember(History& history, double seconds, bool is_finished) const
{
    const double median = history.ring.empty() ? 0 : medianOf(history.ring);
    history.memory.push_back({.seconds = seconds, .median_then = median, .is_finished = is_finished});
    if (history.memory.size() > memory_) {
        history.memory.erase(history.memory.begin());
    }
}

void SpeedEstimate::add(NodeId node, Duration took, double work)
{
    History& history = nodes_[node.index()];
    const double seconds = perBatch(took, work);
    remember(history, seconds, true);
    if (history.ring.size() < window_) {
        history.ring.push_back(seconds);
    } else {
        history.ring[history.finished % window_] = seconds;
    }
    history.finished += 1;
    history.bound.reset();
}

void SpeedEstimate::addAtLeast(NodeId node, Duration so_far, double work)
{
    History& history = nodes_[node.index()];
    history.bound = std::max(history.bound.value_or(0), perBatch(so_far, work));
}

void SpeedEstimate::addCancelled(NodeId node, Duration so_far, double work)
{
    addAtLeast(node, so_far, work);
    remember(nodes_[node.index()], perBatch(so_far, work), false);
}

std::optional<double> SpeedEstimate::seconds(NodeId node) const
{
    const History& history = nodes_[node.index()];
    if (history.ring.empty()) {
        return history.bound;
    }
    return std::max(medianOf(history.ring), history.bound.value_or(0));
}

bool SpeedEstimate::isSlow(const Task& task, double median, double theta)
{
    return task.seconds > theta * std::max(median, task.median_then);
}

double SpeedEstimate::riskOf(NodeId node, double theta) const
{
    LAB_EXPECTS(theta > 1);
    const double median = seconds(node).value_or(0);
    const std::vector<Task>& memory = nodes_[node.index()].memory;
    double slow = 0;
    double seen = 0;
    for (const Task& task : memory) {
        if (task.is_finished || isSlow(task, median, theta)) {
            slow += isSlow(task, median, theta) ? 1 : 0;
            seen += 1;
            continue;
        }
        constexpr double k_whisker = 1 - 1e-6; // cancelled in the very moment in which it would have finished
        double longer = 0;
        double longer_and_slow = 0;
        for (const Task& other : memory) {
            if (other.is_finished && other.seconds >= task.seconds * k_whisker) {
                longer += 1;
                longer_and_slow += isSlow(other, median, theta) ? 1 : 0;
            }
        }
        if (longer > 0) {
            slow += longer_and_slow / longer;
            seen += 1;
        } else if (isSlow(task, median, std::sqrt(theta))) {
            slow += 1;
            seen += 1;
        }
    }
    return (slow + 1) / (seen + 20);
}

std::vector<double> SpeedEstimate::slowRatios(NodeId node, double theta) const
{
    const double median = seconds(node).value_or(0);
    std::vector<double> ratios;
    for (const Task& task : nodes_[node.index()].memory) {
        if (median > 0 && isSlow(task, median, theta)) {
            ratios.push_back(task.seconds / std::max(median, task.median_then));
        }
    }
    return ratios;
}

std::vector<double> SpeedEstimate::recent(NodeId node) const
{
    const History& history = nodes_[node.index()];
    std::vector<double> ordered = history.ring;
    if (history.finished > window_) {
        const auto oldest = static_cast<std::ptrdiff_t>(history.finished % window_);
        std::ranges::rotate(ordered, ordered.begin() + oldest);
    }
    return ordered;
}

} // namespace lab
