#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace lab {

/// A mean over several runs and how well it is known.
struct MeanInterval {
    std::size_t runs = 0;
    double mean = 0;                  ///< not-a-number without runs
    std::optional<double> half_width; ///< of the 95 % interval; one run gives none
};

/// Mean and 95 % confidence interval, mean ± t(0.975, N - 1) x s / sqrt(N), s the sample standard deviation: right
/// for values that are normally distributed over the seeds. A value that is not finite makes the mean so, without an
/// interval.
[[nodiscard]] MeanInterval meanInterval(std::span<const double> values);

/// The 0.975 quantile of Student's t distribution with so many degrees of freedom, to about 1e-12 relative, from the
/// finite sums for its probability (Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and
/// 26.7.4). O(degrees). Requires degrees >= 1.
[[nodiscard]] double studentQuantile(std::size_t degrees);

} // namespace lab
