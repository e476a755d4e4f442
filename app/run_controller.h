#pragma once

#include "core/cluster/change.h"
#include "core/experiment/clock_kind.h"
#include "core/experiment/experiment.h"
#include "core/experiment/live_replay.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run_recording.h"
#include "core/record/frame.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>

namespace lab {

class Session;

/// Owns the run and looks at it 30 times a second while it goes on. A run that rests is not looked at: no timer fires.
class RunController final : public QObject {
    Q_OBJECT
public:
    explicit RunController(QObject* parent = nullptr);
    ~RunController() override;

    /// Makes a new run, ready to start. Where that cannot be done the old run stays, failed() says why and the answer
    /// is false.
    bool prepare(const Experiment& experiment);
    /// Takes a recorded run, which is over, in the place of the run at hand.
    void show(std::shared_ptr<const OpenedRun> run);
    /// The run at hand where it was recorded; null where it is made here.
    [[nodiscard]] const std::shared_ptr<const OpenedRun>& recorded() const { return recorded_; }
    /// Where the runs are recorded that are prepared from now on; nothing: nowhere.
    void setRecording(std::optional<RecordingPlan> plan) { plan_ = std::move(plan); }
    void run();
    void pause();
    /// Goes on to the next update.
    void step();
    /// Virtual seconds per second; nothing: as fast as it can. Outlives the run.
    void setPace(std::optional<double> pace);
    void apply(const Change& change);
    /// Of the runs that are prepared from now on.
    void setClock(ClockKind clock) { clock_ = clock; }
    [[nodiscard]] ClockKind clock() const { return clock_; }
    /// Of the run at hand.
    [[nodiscard]] ClockKind runClock() const { return run_clock_; }

    [[nodiscard]] RunState state() const { return state_; }
    /// Nothing has happened in it yet, so that another run may take its place unnoticed.
    [[nodiscard]] bool isFresh() const { return state_ == RunState::Ready && !is_touched_; }
    [[nodiscard]] std::optional<double> pace() const { return pace_; }
    /// The experiment with all that was done to the run as events: it gives the same run. Requires hasRun().
    [[nodiscard]] Experiment journal() const;
    /// What a live run has measured so far. Requires hasRun().
    [[nodiscard]] LiveTrace liveTrace() const;
    [[nodiscard]] bool hasRun() const { return session_ != nullptr || recorded_ != nullptr; }
    /// What the run in progress was made from. Requires hasRun().
    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    /// Looks only now and then while nothing of the window can be seen.
    void setWatched(bool watched);

Q_SIGNALS:
    void prepared();
    void polled(const lab::Frame& frame);
    void stateChanged(lab::RunState state);
    void failed(const QString& why);

private:
    void look();
    void lookSoon();

    std::unique_ptr<Session> session_;
    std::shared_ptr<const OpenedRun> recorded_; ///< there is no session then
    std::optional<RecordingPlan> plan_;
    Experiment experiment_;
    std::optional<double> pace_{1.0};
    ClockKind clock_ = ClockKind::Virtual;
    ClockKind run_clock_ = ClockKind::Virtual;
    RunState state_ = RunState::Ready;
    bool is_touched_ = false;
    bool expects_news_ = false; ///< something was asked of a resting run: look until it shows
    bool is_watched_ = true;
    int quiet_looks_ = 0;
    QTimer
        timer_; ///< single-shot, armed again after the frame was drawn: a slow frame delays, never piles up
};

} // namespace lab
