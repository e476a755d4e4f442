#pragma once

#include <optional>
#include <string>

namespace lab {

/// What theory says of a strategy on a cluster that stays as it is, in the long run. Nothing where no exact form is
/// known: an approximation would be no measure for a measurement.
struct Prediction {
    std::optional<double>
        round_seconds; ///< between two updates of the one group; none where there are several
    std::optional<double> updates_per_second; ///< of all groups
    std::optional<double> samples_per_second; ///< that are in updates, each counted once
    std::optional<double> idle_fraction;      ///< waiting / (seconds x live nodes)
    std::optional<double> mean_staleness;     ///< over gradients
    /// p of the law P(staleness = k) = p (1 - p)^k, where staleness has that law.
    std::optional<double> geometric_staleness;
    std::string basis; ///< one sentence: the formula and what it assumes, or why there is none

    friend bool operator==(const Prediction&, const Prediction&) = default;
};

} // namespace lab
