#pragma once

#include "core/engine/emulator.h"
#include "core/experiment/run_recording.h"
#include "core/record/feed.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lab {

/// Whether an entry of a run's log says that the run is no longer recorded.
[[nodiscard]] bool saysRecordingEnded(const LogEntry& entry);

/// The recording of a run that is driven from a window: begins with the first thing that happens, and never gets into
/// the run's way. For the engine thread alone.
class SessionTape {
public:
    /// Nothing is recorded where there is no plan.
    SessionTape(std::optional<RecordingPlan> plan, const Experiment& experiment, ClockKind clock);

    /// There is something to record, and it works.
    [[nodiscard]] bool isRunning() const { return plan_.has_value(); }
    /// An edit; in the order of the edits.
    void changed(const Intervention& event);
    /// A frame with its fresh lists, none of which may be left out. Where the recording comes to its end, wanted or not,
    /// the frame's log says why. `wall` in seconds from any moment on.
    void record(Frame& frame, Emulator& emulator, double wall);
    /// The run will not go on: what is fresh is recorded, and the file closed.
    void close(const Frame& last, std::span<const std::vector<double>> tasks);

private:
    void write(const Frame& frame, Emulator& emulator, double wall);
    void writeEdits();

    std::optional<RecordingPlan> plan_;
    Experiment experiment_;
    Experiment journal_; ///< with the edits so far as events
    ClockKind clock_;
    Feed before_;                             ///< gathers what there is before the recording begins
    std::vector<Intervention> edits_;         ///< that are not recorded yet
    std::unique_ptr<RunRecording> recording_; ///< from the run's beginning on
    double began_ = 0;
};

} // namespace lab
