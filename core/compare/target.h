#pragma once

#include "core/record/record.h"

#include <limits>
#include <span>

namespace lab {

inline constexpr double k_never = std::numeric_limits<double>::infinity();

/// The loss that a run is to reach.
struct Target {
    enum class Loss { Training, Validation };
    Loss loss = Loss::Validation;
    double value = 0;
};

/// When the median of the last three evaluations is at the target for the first time (strategies, 0.5), in seconds;
/// k_never where it never is. What is not a number is above every target. One evaluation below by luck does not count.
[[nodiscard]] double timeToTarget(std::span<const Evaluation> curve, const Target& target);

/// The lowest training loss that a curve reaches in that sense; k_never where it is no number.
[[nodiscard]] double lowestLoss(std::span<const Evaluation> curve);

} // namespace lab
