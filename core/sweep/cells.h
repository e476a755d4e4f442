#pragma once

#include "core/compare/statistics.h"
#include "core/sweep/run_figures.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// The runs that differ in nothing but the seed, in a few numbers. Medians of what is nobody's are not-a-number.
///
/// A run that has not reached the target, has diverged, stalled or failed counts with a time that is above all others
/// (strategies, 5.2), so that a median is k_never where half of the runs or more never get there.
struct Cell {
    std::vector<std::size_t> values; ///< [factors] the value of each
    std::size_t runs = 0;
    std::size_t reached = 0;
    std::size_t failed = 0;       ///< could not be carried out
    double median_time = k_never; ///< to the target, seconds
    double min_time = k_never;
    double max_time = k_never;
    // Medians over the runs that did not fail.
    double train_loss = 0;
    double validation_loss = 0;
    double samples_per_second = 0;
    double updates_per_second = 0;
    double idle_fraction = 0;
    double mean_staleness = 0;
    // Means over the same runs, with 95 % intervals. One run that never reaches the target leaves no mean of the time:
    // it is k_never.
    MeanInterval time_interval;
    MeanInterval train_loss_interval;
    MeanInterval validation_loss_interval;
    MeanInterval idle_interval;
};

/// The best value of the tuned factor for one combination of the others.
struct BestCell {
    Cell cell;
    /// The best is the first or the last of several values: beyond might be a better one.
    bool is_at_edge = false;
};

/// The middle one; of an even number the mean of the two in the middle. Not-a-number where there is none.
[[nodiscard]] double median(std::vector<double> values);

/// One for each combination of values that has runs, in the order of the runs.
[[nodiscard]] std::vector<Cell> cellsOf(const Sweep& sweep, const Runs& runs);

/// Whether `a` is the better one: the lower median time, then more runs that reached the target, then the lower loss.
[[nodiscard]] bool isBetter(const Sweep& sweep, const Cell& a, const Cell& b);

/// One for each combination of the factors that are not tuned away, in the order of the runs; where nothing is tuned,
/// every cell.
[[nodiscard]] std::vector<BestCell> bestOf(const Sweep& sweep, std::span<const Cell> cells);

} // namespace lab
