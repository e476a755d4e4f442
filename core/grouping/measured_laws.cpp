#include "core/base/error.h"
#include "core/grouping/regroup.h"

#include <algorithm>
#include <numeric>

namespace lab {
namespace {

constexpr std::size_t k_quantiles = 8;
constexpr double k_imagined_tasks = 5;
/// A median of nothing has no logarithm, and a ratio to it no meaning.
constexpr double k_least_seconds = 1e-9;

double medianOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// What ordinary tasks take in units of their node's median: a few equally likely values of the whole cluster.
std::vector<double> ordinaryRatios(const SpeedEstimate& speeds, double theta)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        const std::vector<double> recent = speeds.recent(NodeId{i});
        if (recent.empty()) {
            continue;
        }
        const double median = std::max(medianOf(recent), k_least_seconds);
        for (const double seconds : recent) {
            if (seconds <= theta * median) {
                ratios.push_back(seconds / median);
            }
        }
    }
    if (ratios.empty()) {
        return {1};
    }
    std::ranges::sort(ratios);
    std::vector<double> few;
    for (std::size_t i = 0; i < k_quantiles; ++i) {
        few.push_back(ratios[(2 * i + 1) * ratios.size() / (2 * k_quantiles)]);
    }
    return few;
}

/// How many medians a slow task takes: from all slow tasks that were seen and some imagined ones that take one
/// median, so that a risk that nobody has seen yet changes nothing.
double severity(const SpeedEstimate& speeds, double theta)
{
    double sum = k_imagined_tasks;
    double count = k_imagined_tasks;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        for (const double ratio : speeds.slowRatios(NodeId{i}, theta)) {
            sum += ratio;
            count += 1;
        }
    }
    return sum / count;
}

} // namespace

std::vector<TaskLaw> lawsFrom(const SpeedEstimate& speeds, double theta)
{
    std::vector<double> known;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        if (const auto seconds = speeds.seconds(NodeId{i})) {
            known.push_back(*seconds);
        }
    }
    LAB_EXPECTS(!known.empty());
    const double typical = medianOf(known);
    const std::vector<double> ratios = ordinaryRatios(speeds, theta);
    const double slow = severity(speeds, theta);

    std::vector<TaskLaw> laws;
    for (std::size_t i = 0; i < speeds.nodes(); ++i) {
        const double risk = speeds.riskOf(NodeId{i}, theta);
        std::vector<Outcome> outcomes{{.value = slow, .probability = risk}};
        for (const double ratio : ratios) {
            outcomes.push_back(
                {.value = ratio, .probability = (1 - risk) / static_cast<double>(ratios.size())});
        }
        const double median = std::max(speeds.seconds(NodeId{i}).value_or(typical), k_least_seconds);
        laws.push_back(TaskLaw::discrete(median, outcomes));
    }
    return laws;
}

} // namespace lab
