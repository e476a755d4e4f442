#pragma once

#include "core/engine/emulator.h"
#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <functional>
#include <memory>
#include <optional>

namespace lab {

/// Loads the data and the trace, and builds the emulation at time 0. Requires an experiment without problems.
/// Throws ExperimentError where a file that it names is wrong, Error where it cannot be read.
[[nodiscard]] std::unique_ptr<Emulator> makeEmulator(const Experiment& experiment, Executor& executor);

/// Called now and then during a run; false stops it.
using Progress = std::function<bool(const Frame&)>;

/// Runs to the end on this thread. `threads` compute gradients; 0: as many as the machine has cores.
/// Nothing where `progress` stopped it. Throws like makeEmulator().
[[nodiscard]] std::optional<RunRecord> runExperiment(const Experiment& experiment, int threads,
                                                     const Progress& progress);

} // namespace lab
