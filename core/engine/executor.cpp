#include "core/engine/executor.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define LAB_UNWATCHED __attribute__((no_sanitize("thread"), noinline))
#else
#define LAB_UNWATCHED
#endif

namespace lab {
namespace {

// The thread sanitizer does not see the synchronisation inside the stock TBB library, so it would report the hand-over
// of every job as a race. The call below is the only thing that crosses: two raw pointers, copied unwatched, with the
// hand-over told to the sanitizer. Everything behind them stays watched.
void announceHandOver([[maybe_unused]] void* address)
{
#if defined(__SANITIZE_THREAD__)
    __tsan_release(address);
#endif
}

void acceptHandOver([[maybe_unused]] void* address)
{
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(address);
#endif
}

} // namespace

bool Job::claim()
{
    const std::scoped_lock lock(mutex_);
    if (state_ != State::Unclaimed) {
        return false;
    }
    state_ = State::Claimed;
    return true;
}

void Job::run()
{
    std::exception_ptr failure;
    try {
        work();
    } catch (...) {
        failure = std::current_exception();
    }
    forget(); // lets go of the captured parameters as soon as nobody needs them
    {
        const std::scoped_lock lock(mutex_);
        failure_ = std::move(failure);
        state_ = State::Done;
    }
    done_.notify_all();
}

void Job::runIfUnclaimed()
{
    if (claim()) {
        run();
    }
}

bool Job::isDone()
{
    const std::scoped_lock lock(mutex_);
    return state_ == State::Done;
}

void Job::finish(Executor* meanwhile)
{
    if (claim()) {
        run();
    }
    while (meanwhile != nullptr && !isDone() && meanwhile->workOnce()) {}
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return state_ == State::Done; });
    if (failure_) {
        // Handed over, so that the one who catches it is the last to hold it, not a worker that is still on its way out.
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void Job::drop()
{
    if (claim()) {
        forget();
        const std::scoped_lock lock(mutex_);
        state_ = State::Done;
    }
}

/// The workers, and the jobs that wait for them.
class Executor::Arena {
public:
    explicit Arena(int workers)
    {
        // One job wakes all workers of its arena, and who finds nothing to do looks around for a while before it sleeps.
        // Where there are many more workers than cores, as in a live run, that alone would fill the machine: then each
        // worker has an arena of its own.
        const bool are_alone = workers > machineThreads();
        const int arenas = are_alone ? workers : 1;
        for (int i = 0; i < arenas; ++i) {
            arenas_.push_back(std::make_unique<Workers>(are_alone ? 1 : workers));
        }
    }
    ~Arena()
    {
        // A call still enqueued when its arena dies would run against freed memory.
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return called_ == 0; });
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    void enqueue(std::shared_ptr<Job> job)
    {
        Workers* workers = nullptr;
        {
            const std::scoped_lock lock(mutex_);
            jobs_.push_back(std::move(job));
            workers =
                std::ranges::min_element(arenas_, {}, [](const auto& one) { return one->called; })->get();
            ++workers->called;
            ++called_;
        }
        workers->arena.enqueue(Call(this, workers));
    }

    /// Does of the jobs that wait the one that came first, on this thread; false where none does.
    bool workOnce()
    {
        const std::shared_ptr<Job> job = next();
        if (job) {
            job->runIfUnclaimed();
        }
        return job != nullptr;
    }

private:
    std::shared_ptr<Job> next()
    {
        const std::scoped_lock lock(mutex_);
        if (jobs_.empty()) {
            return nullptr;
        }
        std::shared_ptr<Job> job = std::move(jobs_.front());
        jobs_.pop_front();
        return job;
    }

    struct Workers {
        explicit Workers(int count) : arena(count, 0) {}
        oneapi::tbb::task_arena arena;
        std::size_t called = 0; ///< for jobs; guarded by mutex_
    };

    /// For a worker to come and do one job, whichever is next by then.
    class Call {
    public:
        LAB_UNWATCHED Call(Arena* arena, Workers* workers) : arena_(arena), workers_(workers)
        {
            announceHandOver(arena);
        }
        LAB_UNWATCHED Call(const Call& other) : arena_(other.arena_), workers_(other.workers_) {}
        Call& operator=(const Call&) = delete;
        LAB_UNWATCHED ~Call() {}
        LAB_UNWATCHED void operator()() const { answer(arena_, workers_); }

    private:
        Arena* arena_;
        Workers* workers_;
    };

    static void answer(Arena* arena, Workers* workers)
    {
        acceptHandOver(arena);
        arena->workOnce();
        arena->release(*workers);
    }

    void release(Workers& workers)
    {
        // Notified under the lock: the arena may be gone as soon as the count is seen to be zero.
        const std::scoped_lock lock(mutex_);
        --workers.called;
        --called_;
        idle_.notify_all();
    }

    std::vector<std::unique_ptr<Workers>> arenas_; ///< one of all workers, or one for each
    std::mutex mutex_;
    std::deque<std::shared_ptr<Job>> jobs_; ///< those that nobody has come for
    std::condition_variable idle_;
    std::size_t called_ = 0;
};

Executor::Executor(int threads) : threads_(threads)
{
    LAB_EXPECTS(threads >= 1);
    if (threads == 1) {
        return;
    }
    // TBB never runs more workers than the machine has cores unless told so; the smallest limit alive counts, so
    // there is one for the whole process, far above what anybody asks for. Threads are made only when needed.
    static const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                                   1024);
    arena_ = std::make_unique<Arena>(threads - 1);
}

Executor::~Executor() = default;

void Executor::offer(std::shared_ptr<Job> job)
{
    if (arena_) {
        arena_->enqueue(std::move(job));
    }
}

bool Executor::workOnce() { return arena_ && arena_->workOnce(); }

int machineThreads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

} // namespace lab
