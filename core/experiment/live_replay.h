#pragma once

#include "core/base/time.h"
#include "core/experiment/experiment.h"

#include <string>
#include <vector>

namespace lab {

/// What a live run has measured so far.
struct LiveTrace {
    std::vector<std::vector<double>>
        task_seconds; ///< as in RunRecord; open tasks as if they were cut at `until`
    TimePoint until;
    bool is_over = false;
};

/// The task times of a live run as a trace file (contract, section 2): node,iteration,seconds. Nodes that started fewer
/// tasks than others repeat their last, which no replay reaches. Empty where no task was started.
[[nodiscard]] std::string traceCsv(const std::vector<std::vector<double>>& task_seconds);

/// The experiment that repeats a live run of `experiment` under the virtual clock, its schedule to the nanosecond.
/// `trace_file` holds traceCsv() and lies beside it; files of data are named by their whole paths.
[[nodiscard]] Experiment replayOf(const Experiment& experiment, const std::string& trace_file);
/// The same for a run that may still go on: its replay ends where `trace` does.
[[nodiscard]] Experiment replayOf(const Experiment& experiment, const std::string& trace_file,
                                  const LiveTrace& trace);

} // namespace lab
