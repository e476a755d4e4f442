#include "core/coding/allocation.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab {
namespace {

constexpr double k_small_overhead = 0.05;
constexpr std::size_t k_partitions_per_worker = 4;

/// Shares in proportion to speed with the given sum, none above `cap`.
std::vector<double> fillBelow(std::span<const double> speeds, double cap, double sum)
{
    std::vector<double> share(speeds.size(), 0.0);
    std::vector<bool> is_capped(speeds.size(), false);
    for (bool has_changed = true; has_changed;) {
        double speed = 0;
        double left = sum;
        for (std::size_t worker = 0; worker < speeds.size(); ++worker) {
            if (is_capped[worker]) {
                left -= cap;
            } else {
                speed += speeds[worker];
            }
        }
        has_changed = false;
        for (std::size_t worker = 0; worker < speeds.size(); ++worker) {
            share[worker] = is_capped[worker] ? cap : speeds[worker] * (left / speed);
            if (!is_capped[worker] && share[worker] >= cap) {
                share[worker] = cap;
                is_capped[worker] = true;
                has_changed = true;
            }
        }
    }
    return share;
}

/// Whole numbers with the same sum, none more than 1 away.
std::vector<std::size_t> roundByLargestRemainder(const std::vector<double>& share, std::size_t sum)
{
    std::vector<std::size_t> whole;
    whole.reserve(share.size());
    for (const double exact : share) {
        whole.push_back(static_cast<std::size_t>(exact));
    }
    std::vector<std::size_t> order(share.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto remainder = [&](std::size_t worker) {
        return share[worker] - static_cast<double>(whole[worker]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
    const std::size_t given = std::accumulate(whole.begin(), whole.end(), std::size_t{0});
    LAB_EXPECTS(given <= sum && sum - given <= whole.size());
    for (std::size_t i = 0; i < sum - given; ++i) {
        ++whole[order[i]];
    }
    return whole;
}

} // namespace

Allocation allocate(std::span<const double> speeds, std::size_t partitions, std::size_t copies)
{
    LAB_EXPECTS(copies >= 1 && copies <= speeds.size());
    LAB_EXPECTS(std::all_of(speeds.begin(), speeds.end(), [](double speed) { return speed > 0.0; }));
    const std::size_t sum = partitions * copies;
    const std::vector<double> share =
        fillBelow(speeds, static_cast<double>(partitions), static_cast<double>(sum));
    Allocation allocation{partitions, roundByLargestRemainder(share, sum), 0.0};

    double due = 0; // when all would finish, and when the last one does
    double last = 0;
    for (std::size_t worker = 0; worker < speeds.size(); ++worker) {
        due = std::max(due, share[worker] / speeds[worker]);
        last = std::max(last, static_cast<double>(allocation.copies[worker]) / speeds[worker]);
    }
    allocation.overhead = last / due - 1.0;
    return allocation;
}

Allocation allocateFinely(std::span<const double> speeds, std::size_t copies)
{
    const std::size_t workers = speeds.size();
    Allocation best = allocate(speeds, workers, copies);
    for (std::size_t partitions = workers + 1;
         partitions <= k_partitions_per_worker * workers && best.overhead >= k_small_overhead; ++partitions) {
        Allocation finer = allocate(speeds, partitions, copies);
        if (finer.overhead < best.overhead) {
            best = std::move(finer);
        }
    }
    return best;
}

} // namespace lab
