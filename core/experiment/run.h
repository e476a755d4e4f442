#pragma once

#include "core/engine/emulator.h"
#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lab {

class RunRecording;

/// More nodes than this cannot run live: each takes a thread.
inline constexpr std::size_t k_most_live_nodes = 512;

/// How a run is computed and what of it is kept. Nothing here changes what happens in it; the instruction set leaves its
/// mark on the last bits of numbers.
struct RunOptions {
    InstructionSet instruction_set = bestInstructionSet(); ///< must be supported
    bool keeps_history = true; ///< false: no updates and spans in the record; the summary and the curve stay
    RunRecording* recording =
        nullptr; ///< gets everything but the end of a run that was not stopped; null: none
};

/// Workers of a live run: one for each node, and the loop. Throws ExperimentError above k_most_live_nodes.
[[nodiscard]] int liveThreads(const Experiment& experiment);

/// Loads the data and the trace, and builds the emulation at time 0. Requires an experiment without problems.
/// Throws ExperimentError where a file that it names is wrong, Error where it cannot be read.
/// `wall`: what measures a live run; null: the virtual clock.
[[nodiscard]] std::unique_ptr<Emulator> makeEmulator(const Experiment& experiment, Executor& executor,
                                                     WallClock* wall = nullptr,
                                                     const RunOptions& options = {});

/// Date and time in UTC, ISO 8601: for people to read, never part of a result.
[[nodiscard]] std::string dateAndTime();

/// Called now and then during a run; false stops it.
using Progress = std::function<bool(const Frame&)>;

/// Runs to the end on this thread. `threads` compute gradients; 0: as many as the machine has cores.
/// Nothing where `progress` stopped it. Throws like makeEmulator(), and as the recording does.
[[nodiscard]] std::optional<RunRecord> runExperiment(const Experiment& experiment, int threads,
                                                     const Progress& progress,
                                                     const RunOptions& options = {});

/// The same under the live clock. Throws also as liveThreads() does.
[[nodiscard]] std::optional<RunRecord> runLive(const Experiment& experiment, const Progress& progress,
                                               const RunOptions& options = {});

} // namespace lab
