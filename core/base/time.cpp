#include "core/base/time.h"

#include <cmath>

namespace lab {

Duration fromSeconds(double seconds) noexcept
{
    if (std::isnan(seconds)) {
        return Duration::zero();
    }
    const double nanoseconds = std::round(seconds * 1e9);
    const auto limit = static_cast<double>(k_longest_duration.count());
    if (nanoseconds >= limit) {
        return k_longest_duration;
    }
    if (nanoseconds <= -limit) {
        return -k_longest_duration;
    }
    return Duration{static_cast<std::int64_t>(nanoseconds)};
}

double toSeconds(Duration duration) noexcept { return static_cast<double>(duration.count()) / 1e9; }

} // namespace lab
