#pragma once

#include "app/command_line.h"
#include "core/experiment/experiment.h"
#include "core/experiment/results.h"
#include "core/record/run_record.h"

#include <span>
#include <string>
#include <vector>

namespace lab {

// All that main() needs of Qt.

/// Opens the window and returns the exit status when it is closed. `argc` and `argv` are main's; a file that cannot be
/// opened is said on standard error (exit status 2).
[[nodiscard]] int showWindow(int& argc, char** argv, const WindowCommand& command);

/// The files under `charts/` of a run's folder: loss, idle, staleness and timeline, each as SVG and PNG. Needs no
/// display, like the two below. Throws Error where a picture cannot be drawn.
[[nodiscard]] std::vector<NamedBytes> drawCharts(const Experiment& experiment, const RunRecord& run);

/// Every picture of a run in those of the formats that are pictures', named by their endings (`svg`, `png`, `pdf`), as
/// `charts/loss.pdf` and so on; the cluster is as it was at the end. With `html` also `report.html`, the run on a page
/// that stands by itself.
[[nodiscard]] std::vector<NamedBytes> drawPictures(const Experiment& experiment, const RunRecord& run,
                                                   const Summary& summary,
                                                   std::span<const std::string> formats);

} // namespace lab
