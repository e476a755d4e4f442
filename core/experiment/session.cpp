#include "core/experiment/session.h"

#include "core/base/error.h"
#include "core/experiment/run.h"
#include "core/record/feed.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lab {
namespace {

using Wall = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto k_between_frames = 16ms; ///< the window looks 30 times a second
constexpr auto k_slice = 8ms;           ///< how long events are handled before the wishes are looked at again

/// What the window asked for since the engine last looked.
struct Wishes {
    std::optional<bool> runs;
    bool steps = false; ///< run until the next update, then pause; the last of run, pause and step counts
    std::optional<std::optional<double>> pace;
    std::vector<Change> changes;

    [[nodiscard]] bool any() const { return runs || steps || pace || !changes.empty(); }
};

} // namespace

/// The engine thread and what it shares with the window: the wishes, the journal and the feed.
class Session::Engine {
public:
    Engine(Experiment experiment, int threads)
        : executor_(threads > 0 ? threads : machineThreads()),
          emulator_(makeEmulator(experiment, executor_)),
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
        wake_.notify_all();
    }

    [[nodiscard]] Frame poll() { return feed_.take(); }
    [[nodiscard]] Experiment journal() const
    {
        const std::scoped_lock lock(mutex_);
        return journal_;
    }

private:
    void work(const std::stop_token& stop);
    [[nodiscard]] Wishes awaitWishes(const std::stop_token& stop);
    void grant(Wishes wishes);
    void apply(const Change& change);
    /// One event. False: that ended the run.
    bool advance();
    void runSlice();
    void publish();
    /// Where the run stands: between two events while it is paced, so that what is shown moves smoothly.
    [[nodiscard]] TimePoint moment() const;
    /// When a running engine has to do something again; nothing: only when it is asked to.
    [[nodiscard]] std::optional<Wall::time_point> nextWake() const;

    Executor executor_;
    std::unique_ptr<Emulator> emulator_;
    Feed feed_;

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    Wishes wishes_;      ///< guarded by mutex_
    Experiment journal_; ///< guarded by mutex_

    // the engine thread's own
    RunState state_ = RunState::Ready;
    std::string failure_;
    std::optional<double> pace_; ///< virtual seconds per wall second
    bool is_stepping_ = false;
    TimePoint anchor_time_;        ///< the moment of the run …
    Wall::time_point anchor_wall_; ///< … at this wall time, since when the pace has been what it is
    Wall::time_point published_;

    std::jthread thread_; ///< last: it stops before anything else goes
};

void Session::Engine::work(const std::stop_token& stop)
{
    try {
        while (!stop.stop_requested()) {
            grant(awaitWishes(stop));
            if (state_ == RunState::Running) {
                runSlice();
            }
            // A stalled run has nothing to wake up for, so what it has come to is shown at once.
            const bool goes_on = state_ == RunState::Running && emulator_->nextAt();
            if (!goes_on || Wall::now() - published_ >= k_between_frames) {
                publish();
            }
        }
    } catch (const std::exception& failure) {
        state_ = RunState::Failed;
        failure_ = failure.what();
        publish();
    }
}

Wishes Session::Engine::awaitWishes(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    const auto hasWish = [this] { return wishes_.any(); };
    if (state_ != RunState::Running) {
        wake_.wait(lock, stop, hasWish);
    } else if (const auto next = nextWake()) {
        wake_.wait_until(lock, stop, *next, hasWish);
    } else {
        wake_.wait(lock, stop, hasWish);
    }
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
    anchor_time_ = now;
    anchor_wall_ = Wall::now();
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
    while (emulator_->nextAt() && Wall::now() < until) {
        if (pace_ && !is_stepping_ && *emulator_->nextAt() > moment()) {
            return;
        }
        if (!advance()) {
            return;
        }
        if (is_stepping_ && emulator_->version() > before) {
            is_stepping_ = false;
            state_ = RunState::Paused;
            anchor_time_ = emulator_->now();
            return;
        }
    }
}

TimePoint Session::Engine::moment() const
{
    TimePoint moment = std::max(anchor_time_, emulator_->now());
    if (state_ == RunState::Running && pace_ && !is_stepping_) {
        const double elapsed = std::chrono::duration<double>(Wall::now() - anchor_wall_).count();
        moment = std::max(moment, anchor_time_ + fromSeconds(elapsed * *pace_));
    }
    const auto next = emulator_->nextAt();
    return std::max(emulator_->now(), next ? std::min(moment, *next) : emulator_->now());
}

std::optional<Wall::time_point> Session::Engine::nextWake() const
{
    const auto next = emulator_->nextAt();
    if (!next) {
        return std::nullopt; // stalled: only a change can bring it on
    }
    if (!pace_ || is_stepping_ || *next <= moment()) {
        return Wall::now();
    }
    const std::chrono::duration<double> wait(toSeconds(*next - anchor_time_) / *pace_);
    const auto soon = published_ + k_between_frames;
    const bool is_far = wait > std::chrono::duration<double>(soon - anchor_wall_);
    return is_far ? soon : anchor_wall_ + std::chrono::duration_cast<Wall::duration>(wait);
}

void Session::Engine::publish()
{
    Frame frame = emulator_->frame(moment());
    emulator_->recorder().addFresh(frame);
    emulator_->recorder().forgetPassedOn();
    frame.state = state_;
    if (!failure_.empty()) {
        frame.message = failure_;
    } else if (state_ == RunState::Running && !emulator_->nextAt()) {
        frame.message = emulator_->waitingFor();
    }
    feed_.publish(std::move(frame));
    published_ = Wall::now();
}

Session::Session(Experiment experiment, int threads)
{
    if (auto problems = validate(experiment); !problems.empty()) {
        throw ExperimentError(experiment.title.empty() ? "experiment" : experiment.title,
                              std::move(problems));
    }
    engine_ = std::make_unique<Engine>(std::move(experiment), threads);
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

} // namespace lab
