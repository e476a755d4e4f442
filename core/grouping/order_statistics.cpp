#include "core/grouping/order_statistics.h"

#include "core/base/error.h"
#include "core/grouping/quadrature.h"

#include <algorithm>
#include <numeric>

namespace lab {
namespace {

/// P(at least `enough` of independent events), without a subtraction: the rest is absorbed as it comes. `counts`
/// [enough] is scratch: P(exactly j events so far).
double chanceOfAtLeast(std::size_t enough, std::span<const double> probabilities, std::vector<double>& counts)
{
    std::ranges::fill(counts, 0);
    counts[0] = 1;
    double absorbed = 0;
    for (const double p : probabilities) {
        absorbed += counts[enough - 1] * p;
        for (std::size_t j = enough - 1; j > 0; --j) {
            counts[j] += p * (counts[j - 1] - counts[j]);
        }
        counts[0] *= 1 - p;
    }
    return absorbed;
}

template <class Unfinished> double integrate(std::span<const TaskLaw> laws, const Unfinished& chance)
{
    const Quadrature places = quadratureFor(laws);
    std::vector<double> unfinished(laws.size());
    double expected = 0;
    for (std::size_t i = 0; i < places.at.size(); ++i) {
        for (std::size_t j = 0; j < laws.size(); ++j) {
            unfinished[j] = laws[j].survival(places.at[i]);
        }
        expected += places.weight[i] * chance(unfinished);
    }
    return expected;
}

} // namespace

double expectedMax(std::span<const TaskLaw> laws) { return expectedKth(laws, laws.size()); }

double expectedKth(std::span<const TaskLaw> laws, std::size_t k)
{
    LAB_EXPECTS(k >= 1 && k <= laws.size());
    const std::size_t rest = laws.size() - k + 1;
    std::vector<double> counts(std::min(k, rest));
    if (rest <= k) {
        return integrate(laws, [&](const std::vector<double>& unfinished) {
            return chanceOfAtLeast(rest, unfinished, counts);
        });
    }
    return integrate(laws, [&](std::vector<double>& unfinished) {
        for (double& chance : unfinished) {
            chance = 1 - chance;
        }
        chanceOfAtLeast(k, unfinished, counts);
        return std::accumulate(counts.begin(), counts.end(), 0.0);
    });
}

double expectedWaiting(std::span<const TaskLaw> laws, std::size_t k)
{
    LAB_EXPECTS(k >= 1 && k <= laws.size());
    const std::size_t rest = laws.size() - k + 1;
    std::vector<double> counts(std::min(k, rest));
    const auto expectedCount = [&counts] { // E[count; it stays below what was counted to]
        double sum = 0;
        for (std::size_t j = 1; j < counts.size(); ++j) {
            sum += static_cast<double>(j) * counts[j];
        }
        return sum;
    };
    if (rest <= k) {
        // U are unfinished: E[n - U; U >= rest] = n P(U >= rest) - (E[U] - E[U; U < rest])
        return integrate(laws, [&](const std::vector<double>& unfinished) {
            const double too_many = chanceOfAtLeast(rest, unfinished, counts);
            const double mean = std::accumulate(unfinished.begin(), unfinished.end(), 0.0);
            return static_cast<double>(laws.size()) * too_many - (mean - expectedCount());
        });
    }
    return integrate(laws, [&](std::vector<double>& unfinished) {
        for (double& chance : unfinished) {
            chance = 1 - chance;
        }
        chanceOfAtLeast(k, unfinished, counts);
        return expectedCount();
    });
}

namespace {

/// The laws of all blocks' workers, block by block, and where each block ends.
struct BlockLaws {
    std::vector<TaskLaw> laws;
    std::vector<std::size_t> ends;
};

BlockLaws lawsOfBlocks(std::span<const TaskLaw> laws, std::span<const std::vector<std::size_t>> blocks)
{
    BlockLaws used;
    for (const auto& block : blocks) {
        LAB_EXPECTS(!block.empty());
        for (const std::size_t i : block) {
            LAB_EXPECTS(i < laws.size());
            used.laws.push_back(laws[i]);
        }
        used.ends.push_back(used.laws.size());
    }
    return used;
}

} // namespace

double expectedFractional(std::span<const TaskLaw> laws, std::span<const std::vector<std::size_t>> blocks)
{
    const BlockLaws used = lawsOfBlocks(laws, blocks);
    return integrate(used.laws, [&](const std::vector<double>& unfinished) {
        double some_block = 0;
        std::size_t i = 0;
        for (const std::size_t end : used.ends) {
            double whole_block = 1;
            for (; i < end; ++i) {
                whole_block *= unfinished[i];
            }
            some_block += (1 - some_block) * whole_block;
        }
        return some_block;
    });
}

double expectedFractionalWaiting(std::span<const TaskLaw> laws,
                                 std::span<const std::vector<std::size_t>> blocks)
{
    const BlockLaws used = lawsOfBlocks(laws, blocks);
    std::vector<double> whole(used.ends.size());     // P(nobody of the block has finished)
    std::vector<double> finished(used.ends.size());  // E[how many of the block have]
    std::vector<double> later(used.ends.size() + 1); // P(some block from here on is unfinished)
    return integrate(used.laws, [&](const std::vector<double>& unfinished) {
        std::size_t i = 0;
        for (std::size_t block = 0; block < used.ends.size(); ++block) {
            whole[block] = 1;
            finished[block] = 0;
            for (; i < used.ends[block]; ++i) {
                whole[block] *= unfinished[i];
                finished[block] += 1 - unfinished[i];
            }
        }
        for (std::size_t block = used.ends.size(); block > 0; --block) {
            later[block - 1] = later[block] + (1 - later[block]) * whole[block - 1];
        }
        // Who has finished waits where another block has not: those before it and those after it.
        double waiting = 0;
        double earlier = 0;
        for (std::size_t block = 0; block < used.ends.size(); ++block) {
            waiting += finished[block] * (earlier + (1 - earlier) * later[block + 1]);
            earlier += (1 - earlier) * whole[block];
        }
        return waiting;
    });
}

std::vector<std::size_t> fractionalBlocks(std::size_t workers, std::size_t tolerance)
{
    LAB_EXPECTS(tolerance < workers);
    const std::size_t blocks = workers / (tolerance + 1);
    const std::size_t size = workers / blocks;
    const std::size_t larger = workers % blocks;
    std::vector<std::size_t> starts{0};
    for (std::size_t block = 0; block < blocks; ++block) {
        starts.push_back(starts.back() + size + (block >= blocks - larger ? 1 : 0));
    }
    return starts;
}

double harmonic(std::size_t n)
{
    double sum = 0;
    for (std::size_t i = n; i > 0; --i) { // small terms first
        sum += 1 / static_cast<double>(i);
    }
    return sum;
}

double chanceOfMoreThan(std::size_t limit, std::span<const double> probabilities)
{
    std::vector<double> counts(limit + 1);
    return chanceOfAtLeast(limit + 1, probabilities, counts);
}

} // namespace lab
