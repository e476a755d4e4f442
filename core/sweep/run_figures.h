#pragma once

#include "core/sweep/sweep.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lab {

/// What a sweep keeps of one run: a row of runs.csv.
struct RunFigures {
    std::size_t index = 0;
    std::string failure; ///< why it could not be carried out, one line; empty: it ended, and the rest counts
    std::string stop_reason; ///< as in summary.json
    double seconds = 0;      ///< of the run's clock
    std::int64_t updates = 0;
    std::int64_t samples = 0;
    double time_to_target = k_never; ///< seconds; k_never: not reached, or there is no target
    double train_loss = 0;           ///< at the last evaluation, like the next two; may be not-a-number
    double validation_loss = 0;
    double validation_accuracy = 0;
    double idle_fraction = 0;
    double wasted_fraction = 0;
    double mean_staleness = 0; ///< not-a-number where no gradient was applied
};

/// By number of the run.
using Runs = std::map<std::size_t, RunFigures>;

/// The header of runs.csv: index, the factors' names, seed, and what RunFigures holds. No line end.
[[nodiscard]] std::string runsHeader(const Sweep& sweep);
/// One row, with its line end.
[[nodiscard]] std::string runsRow(const Sweep& sweep, const RunFigures& run);
/// Whether a factor of that name would have the same header as another column of runs.csv or results.csv.
[[nodiscard]] bool isColumnOfRuns(std::string_view name);

/// Reads runs.csv; of rows with the same number the last counts, and a last row without its line end does not.
/// `file` is for errors. Throws Error where the text is not from this sweep.
[[nodiscard]] Runs readRuns(std::string_view text, const std::string& file, const Sweep& sweep);

} // namespace lab
