#include "app/run_controller.h"

#include "core/base/error.h"
#include "core/experiment/session.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr int k_frame_ms = 33;
constexpr int k_unwatched_ms =
    2000;                      ///< a hidden run is emptied now and then, so that its records do not pile up
constexpr int k_patience = 15; ///< looks at a resting run after something was asked of it: half a second

} // namespace

RunController::RunController(QObject* parent) : QObject(parent)
{
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &RunController::look);
}

RunController::~RunController() = default;

bool RunController::prepare(const Experiment& experiment)
{
    try {
        auto session = std::make_unique<Session>(experiment, 0, clock_, plan_);
        session->setPace(pace_);
        session_ = std::move(session);
        recorded_.reset();
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromStdString(error.what()));
        return false;
    }
    experiment_ = experiment;
    run_clock_ = clock_;
    state_ = RunState::Ready;
    is_touched_ = false;
    Q_EMIT prepared();
    Q_EMIT stateChanged(state_);
    look();
    return true;
}

void RunController::show(std::shared_ptr<const OpenedRun> run)
{
    timer_.stop();
    session_.reset();
    recorded_ = std::move(run);
    experiment_ = recorded_->journal;
    run_clock_ = recorded_->recorded.run.head.clock == "live" ? ClockKind::Live : ClockKind::Virtual;
    clock_ = run_clock_; // Reset makes such a run again
    state_ = recorded_->recorded.record.last.state;
    is_touched_ = true;
    Q_EMIT prepared();
    Q_EMIT stateChanged(state_);
}

void RunController::run()
{
    if (session_) {
        is_touched_ = true;
        session_->run();
        lookSoon();
    }
}

void RunController::pause()
{
    if (session_) {
        session_->pause();
        lookSoon();
    }
}

void RunController::step()
{
    if (session_) {
        is_touched_ = true;
        session_->step();
        lookSoon();
    }
}

void RunController::setPace(std::optional<double> pace)
{
    pace_ = pace;
    if (session_) {
        session_->setPace(pace);
    }
}

void RunController::apply(const Change& change)
{
    if (session_) {
        is_touched_ = true;
        session_->apply(change);
        lookSoon();
    }
}

Experiment RunController::journal() const { return recorded_ ? recorded_->journal : session_->journal(); }

LiveTrace RunController::liveTrace() const
{
    if (!recorded_) {
        return session_->liveTrace();
    }
    const RunRecord& record = recorded_->recorded.record;
    return {record.task_seconds, record.end, recorded_->recorded.run.isFinished()};
}

void RunController::setWatched(bool watched)
{
    is_watched_ = watched;
    timer_.stop();
    if (watched) {
        lookSoon();
    } else if (state_ == RunState::Running) {
        timer_.start(k_unwatched_ms);
    }
}

void RunController::lookSoon()
{
    quiet_looks_ = 0;
    expects_news_ = true;
    if (!timer_.isActive()) {
        timer_.start(0);
    }
}

void RunController::look()
{
    if (!session_) {
        return;
    }
    QElapsedTimer drawing;
    drawing.start();
    const Frame frame = session_->poll();
    const bool changed = std::exchange(state_, frame.state) != frame.state;
    Q_EMIT polled(frame);
    if (changed) {
        Q_EMIT stateChanged(state_);
    }
    // The engine answers within milliseconds, but a loaded machine may need a few looks more.
    expects_news_ = expects_news_ && !changed && ++quiet_looks_ < k_patience;
    if (!is_watched_ && state_ == RunState::Running) {
        timer_.start(k_unwatched_ms);
    } else if (is_watched_ && (state_ == RunState::Running || expects_news_)) {
        // Drawing takes at most a third of the time, however slow the machine is.
        timer_.start(std::max(k_frame_ms - static_cast<int>(drawing.elapsed()),
                              static_cast<int>(2 * drawing.elapsed())));
    }
}

} // namespace lab
