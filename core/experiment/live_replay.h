#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <string>

namespace lab {

/// The task times of a live run as a trace file (contract, section 2): node,iteration,seconds. Nodes that started fewer
/// tasks than others repeat their last, which no replay reaches. Empty where no task was started.
[[nodiscard]] std::string traceCsv(const RunRecord& run);

/// The experiment that repeats a live run of `experiment` under the virtual clock, its schedule to the nanosecond.
/// `trace_file` holds traceCsv() and lies beside it; files of data
/// are named by their whole paths.
[[nodiscard]] Experiment replayOf(const Experiment& experiment, const std::string& trace_file);

} // namespace lab
