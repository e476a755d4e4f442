#include "core/base/error.h"
#include "core/strategy/grouped.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab {

std::vector<std::int64_t> proportionalParts(std::int64_t total, const std::vector<double>& weights,
                                            std::int64_t least)
{
    const auto count = static_cast<std::int64_t>(weights.size());
    LAB_EXPECTS(count > 0 && total >= least * count);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto spare = static_cast<double>(total - least * count);
    std::vector<std::int64_t> parts;
    std::vector<double> remainders;
    std::int64_t left = total;
    for (const double weight : weights) {
        // What is above the least share is dealt out so that the whole comes as near to the proportion as it can.
        const double ideal = static_cast<double>(least)
            + std::clamp(static_cast<double>(total) * weight / sum - static_cast<double>(least), 0.0, spare);
        parts.push_back(static_cast<std::int64_t>(std::floor(ideal)));
        remainders.push_back(ideal - std::floor(ideal));
        left -= parts.back();
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return remainders[i]; });
    for (std::size_t i = 0; left > 0; i = (i + 1) % order.size(), --left) {
        parts[order[i]] += 1;
    }
    // The least share of the very slow was taken from nobody yet: the largest parts give it.
    for (; left < 0; ++left) {
        *std::ranges::max_element(parts) -= 1;
    }
    return parts;
}

std::vector<std::vector<Piece>> cutRows(const std::vector<Piece>& rows, std::size_t parts)
{
    std::int64_t total = 0;
    for (const Piece& piece : rows) {
        total += piece.count;
    }
    std::vector<std::vector<Piece>> cut(parts);
    std::size_t at = 0;     // the piece we are in
    std::int64_t taken = 0; // rows of it that are taken
    for (std::size_t part = 0; part < parts; ++part) {
        const auto share = static_cast<std::int64_t>(part);
        const auto all = static_cast<std::int64_t>(parts);
        std::int64_t wanted = total * (share + 1) / all - total * share / all;
        while (wanted > 0) {
            const std::int64_t here = std::min(wanted, rows[at].count - taken);
            cut[part].push_back({.stream = rows[at].stream, .first = rows[at].first + taken, .count = here});
            wanted -= here;
            taken += here;
            if (taken == rows[at].count) {
                ++at;
                taken = 0;
            }
        }
    }
    return cut;
}

} // namespace lab
