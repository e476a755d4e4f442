#pragma once

#include "core/engine/executor.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace lab {

/// Runs independent pieces of work on worker threads and hands out what they return in the order in which they end.
///
/// For work that takes long and whose order does not matter, such as whole runs of a sweep; gradients go through the
/// Executor itself. Only the thread that made it may call it.
template <class T> class Completions {
public:
    /// `threads` work; the caller's own only waits. Requires threads >= 1.
    explicit Completions(int threads) : executor_(threads + 1) {}
    /// Asks work that has begun to stop and waits until it has; work not begun never begins.
    ~Completions() { stop_.request_stop(); }
    Completions(const Completions&) = delete;
    Completions& operator=(const Completions&) = delete;

    /// Pieces that were submitted and whose result was not handed out.
    [[nodiscard]] std::size_t pending() const { return pending_.size(); }

    /// `work(stop)` returns a T and throws nothing; it may look at only what is immutable, and should return early,
    /// with whatever it likes, once `stop` is requested.
    template <class Work> void submit(Work work)
    {
        const std::size_t number = submitted_++;
        pending_[number] = executor_.submit([this, number, work = std::move(work), stop = stop_.get_token()] {
            T result = work(stop);
            {
                const std::scoped_lock lock(mutex_);
                ended_.emplace_back(number, std::move(result));
            }
            has_ended_.notify_one();
            return true;
        });
    }

    /// The result of the next piece that ends; nothing where none does for `patience`. Requires pending() > 0.
    [[nodiscard]] std::optional<T> next(std::chrono::milliseconds patience)
    {
        LAB_EXPECTS(pending() > 0);
        std::unique_lock lock(mutex_);
        if (!has_ended_.wait_for(lock, patience, [this] { return !ended_.empty(); })) {
            return std::nullopt;
        }
        auto [number, result] = std::move(ended_.front());
        ended_.pop_front();
        pending_.erase(number);
        return std::move(result);
    }

private:
    std::mutex mutex_;
    std::condition_variable has_ended_;
    std::deque<std::pair<std::size_t, T>> ended_; ///< results that nobody has fetched yet
    std::stop_source stop_;
    Executor executor_; ///< after everything that its workers touch, so that it goes first
    std::map<std::size_t, Deferred<bool>> pending_;
    std::size_t submitted_ = 0;
};

} // namespace lab
