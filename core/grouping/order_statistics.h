#pragma once

#include "core/grouping/task_law.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// The expected time of rounds, for planners and predictions: nodes are independent and each has its own law.
///
/// E[T] = integral over t >= 0 of P(T > t), where P(fewer than k of n have finished by t) is the Poisson-binomial
/// recursion over the nodes, n * min(k, n - k + 1) steps per t and free of cancellation. Jumps of the laws bound the
/// pieces of the integral, so that discrete laws come out exact; smooth pieces are halved until they are right to
/// 1e-9, and the tail is integrated by the exp-sinh rule (Takahasi, Mori, Publ. RIMS 9, 1974), which power laws need.
/// Relative error below 1e-6 against every closed form in strategies 4.1, 4.5 and 4.6.

/// E[the last of all]: an uncoded barrier. Requires laws.
[[nodiscard]] double expectedMax(std::span<const TaskLaw> laws);

/// E[the k-th to finish]: `expectedKth(laws, n - s)` is the round of a code with tolerance s, given laws with the
/// code's work in them. Requires 1 <= k <= laws.
[[nodiscard]] double expectedKth(std::span<const TaskLaw> laws, std::size_t k);

/// E[max over blocks of the first inside the block]: a fractional repetition code's round, given laws with the code's
/// work in them. `blocks` lists indices into `laws`, each block with one at least; a law may be in one block only.
[[nodiscard]] double expectedFractional(std::span<const TaskLaw> laws,
                                        std::span<const std::vector<std::size_t>> blocks);

/// E[time that those who have finished wait for the k-th to finish, summed over them]: the idle seconds of such a
/// round, integral of E[finished; fewer than k] dt. Requires 1 <= k <= laws.
[[nodiscard]] double expectedWaiting(std::span<const TaskLaw> laws, std::size_t k);

/// The same for expectedFractional(): those who have finished wait until every block has.
[[nodiscard]] double expectedFractionalWaiting(std::span<const TaskLaw> laws,
                                               std::span<const std::vector<std::size_t>> blocks);

/// The first worker of each block of a fractional repetition code and, as the last entry, `workers`: workers /
/// (tolerance + 1) blocks, rounded down, of equal size except that the last ones have one worker more where that does
/// not divide. A worker's load is the size of its block. Requires 0 <= tolerance < workers.
[[nodiscard]] std::vector<std::size_t> fractionalBlocks(std::size_t workers, std::size_t tolerance);

/// H_n = 1 + 1/2 + … + 1/n; H_0 = 0.
[[nodiscard]] double harmonic(std::size_t n);

/// P(more than `limit` of them happen), for independent events. O(n * limit).
[[nodiscard]] double chanceOfMoreThan(std::size_t limit, std::span<const double> probabilities);

} // namespace lab
