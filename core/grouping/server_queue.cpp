#include "core/grouping/server_queue.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

/// [0 … trials] P(more than j of `trials` independent events), each with probability p.
std::vector<double> binomialTails(std::size_t trials, double p)
{
    std::vector<double> chances(trials + 1, 0);
    chances[0] = 1;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        for (std::size_t j = trial + 1; j > 0; --j) {
            chances[j] += p * (chances[j - 1] - chances[j]);
        }
        chances[0] *= 1 - p;
    }
    std::vector<double> tails(trials + 1, 0);
    for (std::size_t j = trials; j > 0; --j) {
        tails[j - 1] = tails[j] + chances[j];
    }
    return tails;
}

} // namespace

double memorylessQueueRate(std::size_t nodes, double compute_seconds, double service_seconds)
{
    LAB_EXPECTS(nodes >= 1 && compute_seconds > 0 && service_seconds > 0);
    const double finishes = -std::expm1(-service_seconds / compute_seconds);
    // tails[served]: with `served` messages there when a service begins, one of them in hand.
    std::vector<std::vector<double>> tails(nodes + 1);
    for (std::size_t there = 1; there <= nodes; ++there) {
        tails[there] = binomialTails(nodes - there, finishes);
    }
    // share[left]: how often so many are left, relative to none. Across the cut between `left` and left + 1 the chain
    // goes up as often as down, and down only by one: nothing is subtracted.
    std::vector<double> share{1};
    double total = 1;
    for (std::size_t left = 0; left + 1 < nodes; ++left) {
        double up = 0;
        for (std::size_t from = 0; from <= left; ++from) {
            const std::size_t there = std::max<std::size_t>(from, 1);
            const std::size_t arrivals = left + 1 - there; // more than that many lead above the cut
            up += share[from] * (arrivals < tails[there].size() ? tails[there][arrivals] : 0);
        }
        const double down = std::pow(1 - finishes, static_cast<double>(nodes - left - 1));
        share.push_back(up / down);
        total += share.back();
        if (!std::isfinite(total)) {
            return 1 / service_seconds; // it is never idle that anybody would see
        }
    }
    const double idle = compute_seconds / static_cast<double>(nodes); // until the first of all finishes
    return 1 / (service_seconds + idle / total);
}

double constantQueueRate(std::size_t nodes, double cycle_seconds, double service_seconds)
{
    LAB_EXPECTS(nodes >= 1 && cycle_seconds > 0 && service_seconds >= 0);
    const auto count = static_cast<double>(nodes);
    return count / std::max(cycle_seconds + service_seconds, count * service_seconds);
}

double lastDeparture(std::vector<double> arrivals, double service_seconds)
{
    std::ranges::sort(arrivals);
    double free = 0;
    for (const double arrival : arrivals) {
        free = std::max(free, arrival) + service_seconds;
    }
    return free;
}

} // namespace lab
