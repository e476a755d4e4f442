#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace lab {

/// Where a run's time stands against the time on the wall, and how its engine thread sleeps until something is to do.
///
/// A run's time stands still, follows the wall at a pace, or is free: then the wall does not hold it back. One thread
/// owns the clock; wake() and finished() may be called from any.
class WallClock {
public:
    using Wall = std::chrono::steady_clock;

    /// A gradient that a live run's worker has really computed.
    struct Finished {
        NodeId node;
        std::uint64_t launch = 0; ///< which of its tasks
        Duration took{0};         ///< on this machine
    };

    void standAt(TimePoint at);
    /// On from `from`, at `pace` seconds of the run per second of the wall; nothing: free. Requires pace > 0.
    void goFrom(TimePoint from, std::optional<double> pace);
    /// What the wall has shown since `since` does not count for the run. Requires that the clock went meanwhile.
    void leaveOut(Wall::time_point since);

    [[nodiscard]] bool isPaced() const { return pace_.has_value(); }
    /// The run's time; while it stands or is free: where that began.
    [[nodiscard]] TimePoint now() const;
    /// When the wall will have brought the run to `at`. Requires isPaced().
    [[nodiscard]] Wall::time_point reaches(TimePoint at) const;

    /// Sleeps until the wall shows `until`, or until wake() or finished() is called or was since the last sleep.
    void await(std::optional<Wall::time_point> until);
    void wake();
    void finished(const Finished& one);
    /// In the order in which they came in, each once.
    [[nodiscard]] std::vector<Finished> takeFinished();

private:
    TimePoint anchor_;
    Wall::time_point anchor_wall_;
    std::optional<double> pace_;

    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_woken_ = false;          ///< guarded by mutex_
    std::vector<Finished> finished_; ///< guarded by mutex_
};

} // namespace lab
