#pragma once

#include "core/engine/executor.h"
#include "core/experiment/clock_kind.h"
#include "core/experiment/experiment.h"
#include "core/experiment/summary.h"
#include "core/record/session_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Where a run is recorded.
struct RecordingPlan {
    std::filesystem::path file;               ///< a new session file, or one that gets another run
    std::optional<std::int64_t> most_bytes{}; ///< the recording ends when the file has grown to this
    std::string shown{};                      ///< what errors call the file; empty: its name
    InstructionSet instruction_set = bestInstructionSet(); ///< that the run's gradients are computed with
};

/// Records one run into a session file while it goes on. Used by one thread; has no clock but is told the wall's time,
/// and must be told something twice a second, so that what is more than a second old outlives the program.
///
/// What a virtual run that goes on appends is written by a thread beside it, one frame at a time: the run waits only
/// where a frame takes longer to be written than the next to come.
///
/// Every method throws Error that names the file and the cause, append() also that of the frame before; what was
/// committed before stays in the file.
class RunRecording {
public:
    /// `started`: date and time in UTC, for people. Opens the file; the run is in it with the first append().
    RunRecording(const RecordingPlan& plan, Experiment experiment, ClockKind clock, std::string started);

    /// What is fresh in a frame, and its state; commits when it is time to, at once where the run does not go on.
    /// `tasks` as Emulator::taskSeconds() has them. `wall` in seconds from any moment on.
    /// Throws also where the file has become too large, which it says in the file.
    void append(const Frame& frame, std::span<const std::vector<double>> tasks, double wall);
    /// Edits of the run; `journal` is the experiment with all there were as events. Requires an append() before.
    void changed(std::span<const Intervention> edits, const Experiment& journal);
    /// The end of the run, all of whose lists have been appended. Closes the file.
    void finish(const RunRecord& ending, const Summary& summary);
    /// The run is given up before its end: `last` as for append(). Closes the file.
    void stop(const Frame& last, std::span<const std::vector<double>> tasks);

private:
    void begin(const Frame& first);
    void write(const Frame& frame, std::span<const std::vector<double>> tasks, bool commits);
    void awaitWriter();
    void commit(const Frame& frame, std::span<const std::vector<double>> tasks);

    RecordingPlan plan_;
    Experiment experiment_;
    ClockKind clock_;
    std::string started_;
    bool has_begun_ = false;
    double committed_ = 0; ///< the wall's time then
    SessionFile file_;     ///< the writer's while it is at work
    Executor writer_{2};
    std::optional<Deferred<bool>> writing_;
};

/// What this program was compiled with, and how.
[[nodiscard]] std::string programBuild();

} // namespace lab
