#include "core/experiment/session.h"

#include "core/base/error.h"
#include "core/engine/wall_clock.h"
#include "core/experiment/run.h"
#include "core/experiment/session_tape.h"
#include "core/record/feed.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lab {
namespace {

using Wall = WallClock::Wall;
using namespace std::chrono_literals;

constexpr auto k_between_frames = 16ms; ///< the window looks 30 times a second
constexpr auto k_slice = 8ms;           ///< how long events are handled before the wishes are looked at again

/// What the window asked for since the engine last looked.
struct Wishes {
    std::optional<bool> runs;
    bool steps = false; ///< run until the next update, then pause; the last of run, pause and step counts
    std::optional<std::optional<double>> pace;
    std::vector<Change> changes;
};

} // namespace

/// The engine thread and what it shares with the window: the wishes, the journal and the feed.
class Session::Engine {
public:
    Engine(Experiment experiment, int threads, ClockKind clock, std::optional<RecordingPlan> recording)
        : is_live_(clock == ClockKind::Live),
          executor_(is_live_ ? liveThreads(experiment) : (threads > 0 ? threads : machineThreads())),
          emulator_(makeEmulator(experiment, executor_, is_live_ ? &clock_ : nullptr)),
          tape_(std::move(recording), experiment, clock),
          journal_(std::move(experiment))
    {
        publish();
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }

    template <class Wish> void ask(Wish wish)
    {
        {
            const std::scoped_lock lock(mutex_);
            wish(wishes_);
        }
        clock_.wake();
    }

    [[nodiscard]] Frame poll() { return feed_.take(); }
    [[nodiscard]] Experiment journal() const
    {
        const std::scoped_lock lock(mutex_);
        return journal_;
    }
    [[nodiscard]] LiveTrace liveTrace() const
    {
        const std::scoped_lock lock(mutex_);
        return trace_;
    }

private:
    void work(const std::stop_token& stop);
    [[nodiscard]] Wishes awaitWishes();
    void grant(Wishes wishes);
    void apply(const Change& change);
    /// One event. False: that ended the run.
    bool advance();
    void runSlice();
    void publish();
    /// The state, and what is fresh since the last time.
    [[nodiscard]] Frame freshFrame();
    /// Where the run stands: between two events while it is paced, so that what is shown moves smoothly.
    [[nodiscard]] TimePoint moment() const;
    /// Lets the run's time go on from `from` as state, pace and kind of clock have it.
    void setClock(TimePoint from);
    /// When a running engine has to do something again; nothing: only when it is asked to.
    [[nodiscard]] std::optional<Wall::time_point> nextWake() const;

    bool is_live_;
    WallClock clock_; ///< before the executor, whose workers tell it of their gradients
    Executor executor_;
    std::unique_ptr<Emulator> emulator_;
    Feed feed_;
    SessionTape tape_;

    mutable std::mutex mutex_;
    Wishes wishes_;      ///< guarded by mutex_
    Experiment journal_; ///< guarded by mutex_
    LiveTrace trace_;    ///< guarded by mutex_; live runs only

    // the engine thread's own
    RunState state_ = RunState::Ready;
    std::string failure_;
    std::optional<double> pace_; ///< virtual seconds per wall second
    bool is_stepping_ = false;
    Wall::time_point published_;

    std::jthread thread_; ///< last: it stops before anything else goes
};

void Session::Engine::work(const std::stop_token& stop)
{
    const std::stop_callback wake_to_stop(stop, [this] { clock_.wake(); });
    try {
        while (!stop.stop_requested()) {
            grant(awaitWishes());
            if (state_ == RunState::Running) {
                runSlice();
            }
            // A stalled run has nothing to wake up for, so what it has come to is shown at once.
            const bool goes_on =
                state_ == RunState::Running && (emulator_->nextAt() || emulator_->awaitsGradient());
            if (!goes_on || Wall::now() - published_ >= k_between_frames) {
                publish();
            }
        }
    } catch (const std::exception& failure) {
        state_ = RunState::Failed;
        failure_ = failure.what();
        publish();
    }
    tape_.close(freshFrame(), emulator_->taskSeconds());
}

Wishes Session::Engine::awaitWishes()
{
    if (const auto next = nextWake(); !next || *next > Wall::now()) {
        clock_.await(next);
    }
    const std::scoped_lock lock(mutex_);
    return std::exchange(wishes_, {});
}

void Session::Engine::grant(Wishes wishes)
{
    if (state_ == RunState::Finished || state_ == RunState::Failed) {
        return;
    }
    for (const Change& change : wishes.changes) {
        apply(change);
    }
    if (!wishes.runs && !wishes.steps && !wishes.pace) {
        return;
    }
    const TimePoint now = moment();
    if (wishes.pace) {
        pace_ = *wishes.pace;
    }
    if (wishes.runs) {
        state_ = *wishes.runs ? RunState::Running : (now == TimePoint{} ? RunState::Ready : RunState::Paused);
        is_stepping_ = false;
    }
    if (wishes.steps) {
        state_ = RunState::Running;
        is_stepping_ = true;
    }
    setClock(now);
}

void Session::Engine::setClock(TimePoint from)
{
    if (state_ != RunState::Running) {
        clock_.standAt(from);
    } else if (is_live_) {
        clock_.goFrom(from, 1.0);
    } else {
        clock_.goFrom(from, is_stepping_ ? std::nullopt : pace_);
    }
}

void Session::Engine::apply(const Change& change)
{
    // After everything that has happened and not before the moment that the user saw: replayed from the journal the
    // change then meets the same events.
    const TimePoint at = std::max(moment(), emulator_->now() + Duration{1});
    Experiment alone = journal();
    alone.events = {{.at = at, .change = change}};
    if (!validate(alone).empty()) {
        return; // the journal must stay an experiment that runs
    }
    {
        const std::scoped_lock lock(mutex_);
        journal_.events.push_back({.at = at, .change = change});
        std::ranges::stable_sort(journal_.events, {}, &Intervention::at);
    }
    tape_.changed({.at = at, .change = change});
    emulator_->interrupt(at, change);
    // Who changes a paused run wants to see it.
    while (state_ != RunState::Running && emulator_->nextAt() && *emulator_->nextAt() <= at) {
        if (!advance()) {
            return;
        }
    }
}

bool Session::Engine::advance()
{
    emulator_->advance();
    if (!emulator_->isOver()) {
        return true;
    }
    emulator_->conclude();
    state_ = RunState::Finished;
    return false;
}

void Session::Engine::runSlice()
{
    const auto until = Wall::now() + k_slice;
    const Version before = emulator_->version();
    while (Wall::now() < until) {
        if (is_live_) {
            emulator_->gatherGradients();
        }
        const std::optional<TimePoint> next = emulator_->nextAt();
        if (!next || (clock_.isPaced() && *next > clock_.now()) || !advance()) {
            return;
        }
        if (is_stepping_ && emulator_->version() > before) {
            is_stepping_ = false;
            state_ = RunState::Paused;
            setClock(emulator_->now());
            return;
        }
    }
}

TimePoint Session::Engine::moment() const
{
    const TimePoint now = emulator_->now();
    const auto next = emulator_->nextAt();
    return next ? std::clamp(clock_.now(), now, *next) : now;
}

std::optional<Wall::time_point> Session::Engine::nextWake() const
{
    if (state_ != RunState::Running) {
        return std::nullopt;
    }
    const auto next = emulator_->nextAt();
    const auto soon = published_ + k_between_frames;
    if (!next) {
        // Stalled, only a change can bring it on; or a live gradient is awaited, which wakes the clock.
        return std::nullopt;
    }
    return clock_.isPaced() ? std::min(soon, clock_.reaches(*next)) : Wall::now();
}

Frame Session::Engine::freshFrame()
{
    Frame frame = emulator_->frame(moment());
    emulator_->recorder().addFresh(frame);
    emulator_->recorder().forgetPassedOn();
    frame.state = state_;
    return frame;
}

void Session::Engine::publish()
{
    Frame frame = freshFrame();
    const auto began = Wall::now();
    if (!failure_.empty()) {
        frame.message = failure_;
    } else if (state_ == RunState::Running && !emulator_->nextAt() && !emulator_->awaitsGradient()) {
        frame.message = emulator_->waitingFor();
    }
    if (tape_.isRunning()) {
        tape_.record(frame, *emulator_, std::chrono::duration<double>(began.time_since_epoch()).count());
        if (is_live_ && clock_.isPaced()) {
            clock_.leaveOut(began); // nothing that the cluster does
        }
    }
    if (is_live_) {
        const std::scoped_lock lock(mutex_);
        emulator_->extendTrace(trace_.task_seconds, frame.now);
        trace_.until = frame.now;
        trace_.is_over = state_ == RunState::Finished;
    }
    feed_.publish(std::move(frame));
    published_ = Wall::now();
}

Session::Session(Experiment experiment, int threads, ClockKind clock, std::optional<RecordingPlan> recording)
{
    if (auto problems = validate(experiment); !problems.empty()) {
        throw ExperimentError(experiment.title.empty() ? "experiment" : experiment.title,
                              std::move(problems));
    }
    engine_ = std::make_unique<Engine>(std::move(experiment), threads, clock, std::move(recording));
}

Session::~Session() = default;

void Session::run()
{
    engine_->ask([](Wishes& wishes) {
        wishes.runs = true;
        wishes.steps = false;
    });
}

void Session::pause()
{
    engine_->ask([](Wishes& wishes) {
        wishes.runs = false;
        wishes.steps = false;
    });
}

void Session::step()
{
    engine_->ask([](Wishes& wishes) { wishes.steps = true; });
}

void Session::setPace(std::optional<double> pace)
{
    LAB_EXPECTS(!pace || *pace > 0);
    engine_->ask([pace](Wishes& wishes) { wishes.pace = pace; });
}

void Session::apply(const Change& change)
{
    engine_->ask([&change](Wishes& wishes) { wishes.changes.push_back(change); });
}

Frame Session::poll() { return engine_->poll(); }

Experiment Session::journal() const { return engine_->journal(); }

LiveTrace Session::liveTrace() const { return engine_->liveTrace(); }

} // namespace lab
