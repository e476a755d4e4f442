#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// How many partitions each worker computes.
struct Allocation {
    std::size_t partitions = 0;
    std::vector<std::size_t> copies; ///< [workers], at most `partitions` each
    double overhead = 0; ///< by how much rounding delays the last worker, of the time all should take
};

/// `copies` of each of `partitions` partitions, shared out in proportion to speed: largest remainder, no worker more than
/// all partitions, what is cut off there going to the others in proportion. A very slow worker may end up with none.
/// Requires 1 <= copies <= speeds.size(), speeds > 0.
[[nodiscard]] Allocation allocate(std::span<const double> speeds, std::size_t partitions, std::size_t copies);

/// allocate() for the smallest number of partitions, from one to four per worker, whose overhead is below 5 %; where
/// none is, for the one with the smallest.
[[nodiscard]] Allocation allocateFinely(std::span<const double> speeds, std::size_t copies);

} // namespace lab
