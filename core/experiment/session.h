#pragma once

#include "core/cluster/change.h"
#include "core/experiment/clock_kind.h"
#include "core/experiment/experiment.h"
#include "core/experiment/live_replay.h"
#include "core/experiment/run_recording.h"
#include "core/record/frame.h"

#include <memory>
#include <optional>

namespace lab {

/// A run on its own engine thread, driven from a window. Every method returns at once, but for the constructor, which
/// reads the data, and the destructor, which stops and joins (at most one gradient long).
class Session {
public:
    /// `threads` compute gradients under the virtual clock; 0: as many as the machine has cores. Under the live clock
    /// there is one for each node. The run is Ready: nothing has happened yet.
    /// With `recording` the run is recorded from the moment on that it no longer is Ready, and what is older than a
    /// second outlives the program. Where that fails or has to end, the run goes on without: a log entry of the frame
    /// says so, once, and what was recorded stays. The destructor then also closes the file.
    /// Throws ExperimentError or Error where the run cannot be made.
    explicit Session(Experiment experiment, int threads = 0, ClockKind clock = ClockKind::Virtual,
                     std::optional<RecordingPlan> recording = std::nullopt);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void run();   ///< starts, or goes on after pause()
    void pause(); ///< takes effect between two events
    /// Goes on to the next update and pauses there, whatever the pace (a live run at the pace of the wall).
    void step();
    /// Virtual seconds per wall second; nothing: as fast as it can. Live runs keep to the wall.
    void setPace(std::optional<double> pace);
    /// Happens at the current moment of the run and is written into the journal. Left out where an experiment could not
    /// hold it: a node that is not there, a factor out of range, a move where the strategy has no groups.
    void apply(const Change& change);
    /// The newest state and everything fresh since the last call.
    [[nodiscard]] Frame poll();
    /// The experiment with everything that was applied as events: run again, it gives the same run.
    [[nodiscard]] Experiment journal() const;
    /// What the run has measured of its tasks up to its newest frame; nothing under the virtual clock.
    [[nodiscard]] LiveTrace liveTrace() const;

private:
    class Engine;
    std::unique_ptr<Engine> engine_;
};

} // namespace lab
