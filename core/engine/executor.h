#pragma once

#include "core/base/error.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace lab {

class Executor;

/// A piece of work that exactly one thread does: a worker that gets to it, or the one who needs the result.
class Job {
public:
    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    virtual ~Job() = default;

    /// Does the work unless somebody else has begun it or it was dropped.
    void runIfUnclaimed();
    /// Returns when the work is done, doing it on this thread where nobody has begun; while another thread is at it
    /// works for `meanwhile`, where there is one. Rethrows what it threw.
    void finish(Executor* meanwhile);
    /// Nobody needs it any more: work not begun never begins.
    void drop();

private:
    /// Called at most once, by whoever has claimed it; keeps what comes out.
    virtual void work() = 0;
    /// Lets go of everything that work() needed.
    virtual void forget() = 0;

    bool claim();
    void run();
    [[nodiscard]] bool isDone();

    enum class State : std::uint8_t { Unclaimed, Claimed, Done };
    std::mutex mutex_;
    std::condition_variable done_;
    State state_ = State::Unclaimed;
    std::exception_ptr failure_;
};

/// A job that keeps its result beside it, so that one piece of memory holds all.
template <class T, class Work> class ResultJob final : public Job {
public:
    explicit ResultJob(Work work) : work_(std::move(work)) {}
    [[nodiscard]] std::optional<T>& result() { return result_; }

private:
    void work() override { result_.emplace((*work_)()); }
    void forget() override { work_.reset(); }

    std::optional<Work> work_;
    std::optional<T> result_;
};

/// A result that is computed ahead of need. Dropping it unused is safe at any moment.
template <class T> class Deferred {
public:
    Deferred() = default;
    /// `result` is part of the job.
    Deferred(std::shared_ptr<Job> job, std::optional<T>* result) : job_(std::move(job)), result_(result) {}
    Deferred(Deferred&&) noexcept = default;
    Deferred& operator=(Deferred&& other) noexcept
    {
        drop();
        job_ = std::move(other.job_);
        result_ = other.result_;
        return *this;
    }
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;
    ~Deferred() { drop(); }

    /// The result, computed here and now where no worker has begun it. While a worker is at it, this thread works for
    /// `meanwhile`, where there is one: on what was submitted first. Once only.
    [[nodiscard]] T take(Executor* meanwhile = nullptr)
    {
        LAB_EXPECTS(job_ != nullptr);
        const auto job = std::exchange(job_, nullptr);
        job->finish(meanwhile);
        return std::move(**result_);
    }

private:
    void drop()
    {
        if (job_) {
            job_->drop();
            job_.reset();
        }
    }
    std::shared_ptr<Job> job_;
    std::optional<T>* result_ = nullptr;
};

/// Runs pure functions on worker threads while the caller goes on.
///
/// What a function returns must not depend on where or when it runs: it may capture immutable shared data and
/// nothing else. Then results are the same for any number of threads.
class Executor {
public:
    /// `threads` compute in all, the caller's own included (it computes what it needs and nobody has begun);
    /// 1: no workers. Requires threads >= 1.
    explicit Executor(int threads);
    /// Waits for jobs that have begun, each as long as one gradient at most.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    [[nodiscard]] int threads() const { return threads_; }

    /// `work` is called at most once, on any thread.
    template <class Work> [[nodiscard]] auto submit(Work work) -> Deferred<decltype(work())>
    {
        using T = decltype(work());
        auto job = std::make_shared<ResultJob<T, Work>>(std::move(work));
        offer(job);
        std::optional<T>* result = &job->result();
        return Deferred<T>(std::move(job), result);
    }

    /// Does one piece of work that waits for a worker, on this thread; false where none waits.
    bool workOnce();

private:
    void offer(std::shared_ptr<Job> job);

    class Arena;
    int threads_;
    std::unique_ptr<Arena> arena_; ///< null with one thread
};

/// As many threads as the machine has cores.
[[nodiscard]] int machineThreads();

} // namespace lab
