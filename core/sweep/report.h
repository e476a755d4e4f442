#pragma once

#include "core/sweep/cells.h"

#include <string>

namespace lab {

// What a sweep says in the end. The same runs give the same bytes, whatever the order in which they ended.

/// One row for each combination of the factors, the tuned one at its best value: the factors, runs, reached, failed,
/// time_to_target (the median; empty: half of the runs or more never reached it), min_time_to_target,
/// max_time_to_target (empty: some run never did), at_edge, and medians of train_loss, validation_loss,
/// samples_per_second, updates_per_second, idle_fraction and mean_staleness; then for time_to_target, train_loss,
/// validation_loss and idle_fraction the mean (`_mean`) and half of its 95 % interval (`_interval`; empty: one run).
[[nodiscard]] std::string resultsCsv(const Sweep& sweep, const Runs& runs);

/// The same as a Markdown page: a table, the median time for every value of the tuned factor, the map of winners.
[[nodiscard]] std::string resultsMarkdown(const Sweep& sweep, const Runs& runs);

} // namespace lab
