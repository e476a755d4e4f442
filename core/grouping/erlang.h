#pragma once

#include <cstddef>

namespace lab {

/// P(a sum of `stages` independent standard exponentials > x): Erlang's law. That is P(fewer than `stages` events of a
/// Poisson process by x), summed from its greatest term on, on the side where nothing cancels. About sqrt(stages)
/// steps near the mean. Requires stages >= 1 and x > 0.
[[nodiscard]] double erlangSurvival(std::size_t stages, double x);

/// The x with P(that sum <= x) = probability. Requires 0 < probability < 1.
[[nodiscard]] double erlangQuantile(std::size_t stages, double probability);

} // namespace lab
