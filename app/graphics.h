#pragma once

#include "app/command_line.h"
#include "core/experiment/experiment.h"
#include "core/experiment/results.h"
#include "core/record/run_record.h"

#include <vector>

namespace lab {

// All that main() needs of Qt.

/// Opens the window and returns the exit status when it is closed. `argc` and `argv` are main's; a file that cannot be
/// opened is said on standard error (exit status 2).
[[nodiscard]] int showWindow(int& argc, char** argv, const WindowCommand& command);

/// The files under `charts/` of a run's folder: loss, idle, staleness and timeline, each as SVG and PNG. Needs no
/// display. Throws Error where a chart cannot be drawn.
[[nodiscard]] std::vector<NamedBytes> drawCharts(const Experiment& experiment, const RunRecord& run);

} // namespace lab
