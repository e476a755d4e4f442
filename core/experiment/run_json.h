#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <string>

namespace lab {

/// Everything that is known of a run as one JSON document: `experiment`, `journal` and `summary` as in their own files,
/// and a list of objects, one on each line, for each table of its session: nodes, updates with their gradients,
/// evaluations, timeline, groups, slowdowns, events and, of a live run, tasks. Times in seconds; null for what is not a
/// number. `staleness` counts gradients by their staleness, from 0 on. `updates` is null where the record holds none of
/// those that were made. `summary` is JSON text already.
[[nodiscard]] std::string runToJson(const Experiment& experiment, const Experiment& journal,
                                    const RunRecord& run, const std::string& summary);

} // namespace lab
