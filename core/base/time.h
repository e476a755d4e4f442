#pragma once

#include <chrono>
#include <cstdint>

namespace lab {

/// The run's clock: whole nanoseconds since the run began. It has no now(): only the engine knows the time.
struct RunClock {
    using rep = std::int64_t;
    using period = std::nano;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<RunClock, duration>;
    static constexpr bool is_steady = true;
};

using Duration = RunClock::duration;
using TimePoint = RunClock::time_point;

/// The longest duration that is computed with: about 146 years, half of what 64 bits hold, so that the sum of two
/// never overflows.
inline constexpr Duration k_longest_duration{std::int64_t{1} << 62};

/// Seconds to the nearest nanosecond, ties away from zero. Values beyond +-k_longest_duration, infinities included,
/// become that limit; not-a-number becomes zero.
[[nodiscard]] Duration fromSeconds(double seconds) noexcept;

/// The double nearest to the duration in seconds.
[[nodiscard]] double toSeconds(Duration duration) noexcept;

/// Seconds since the run began.
[[nodiscard]] inline double toSeconds(TimePoint time) noexcept { return toSeconds(time.time_since_epoch()); }

/// The moment `seconds` after the run began.
[[nodiscard]] inline TimePoint atSeconds(double seconds) noexcept { return TimePoint{fromSeconds(seconds)}; }

} // namespace lab
