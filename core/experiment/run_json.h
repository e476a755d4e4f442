#pragma once

#include "core/experiment/summary.h"

#include <string>

namespace lab {

/// All that is known of a run as one JSON document: `format`, `version`, `experiment` (which reads back as an
/// experiment), `summary` (as summary.json), and as lists of objects, one on a line, whose keys are the columns of the
/// CSV files: `nodes`, `evaluations`, `updates`, `timeline`, and `events` with time, kind, node and text. `staleness`
/// counts gradients by their staleness, from 0 on. `updates` is null where the record holds none of those that were made.
///
/// Times are seconds; numbers have the shortest digits that read back to the same double; null stands for what is not a
/// finite number.
[[nodiscard]] std::string runToJson(const Experiment& experiment, const RunRecord& run,
                                    const Summary& summary);

} // namespace lab
