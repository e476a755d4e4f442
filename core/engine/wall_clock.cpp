#include "core/engine/wall_clock.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace lab {

void WallClock::standAt(TimePoint at)
{
    anchor_ = at;
    pace_.reset();
}

void WallClock::goFrom(TimePoint from, std::optional<double> pace)
{
    LAB_EXPECTS(!pace || *pace > 0);
    anchor_ = from;
    anchor_wall_ = Wall::now();
    pace_ = pace;
}

void WallClock::leaveOut(Wall::time_point since) { anchor_wall_ += Wall::now() - since; }

TimePoint WallClock::now() const
{
    if (!pace_) {
        return anchor_;
    }
    return anchor_ + fromSeconds(std::chrono::duration<double>(Wall::now() - anchor_wall_).count() * *pace_);
}

WallClock::Wall::time_point WallClock::reaches(TimePoint at) const
{
    LAB_EXPECTS(pace_.has_value());
    // A date that the wall's clock cannot count to is as good as one that is a year away.
    constexpr std::chrono::duration<double> k_year(3.15e7);
    const std::chrono::duration<double> wait(toSeconds(at - anchor_) / *pace_);
    return anchor_wall_ + std::chrono::ceil<Wall::duration>(std::min(wait, k_year));
}

void WallClock::await(std::optional<Wall::time_point> until)
{
    std::unique_lock lock(mutex_);
    const auto isWoken = [this] { return is_woken_; };
    if (until) {
        woken_.wait_until(lock, *until, isWoken);
    } else {
        woken_.wait(lock, isWoken);
    }
    is_woken_ = false;
}

void WallClock::wake()
{
    {
        const std::scoped_lock lock(mutex_);
        is_woken_ = true;
    }
    woken_.notify_one();
}

void WallClock::finished(const Finished& one)
{
    // Notified under the lock: a worker may be the last to hear of a run whose clock goes as soon as this is known.
    const std::scoped_lock lock(mutex_);
    finished_.push_back(one);
    is_woken_ = true;
    woken_.notify_one();
}

std::vector<WallClock::Finished> WallClock::takeFinished()
{
    const std::scoped_lock lock(mutex_);
    return std::exchange(finished_, {});
}

} // namespace lab
