#pragma once

#include "core/experiment/experiment.h"
#include "core/record/frame.h"

#include <QString>

#include <string>

namespace lab {

class RunHistory;

// Sentences about a run, for the window.

/// The strategy's name where room is short: `Hybrid`.
[[nodiscard]] QString strategyTitle(const Experiment& experiment);
[[nodiscard]] QString strategyTitle(const std::string& kind);

/// What the server trains: `MLP on digits`.
[[nodiscard]] QString modelText(const Experiment& experiment);

/// Why nodes cannot be moved between groups; empty where they can.
[[nodiscard]] QString whyNoMoves(const Experiment& experiment);

/// Measurement beside theory, a line for each quantity that theory knows: `updates/s 2.28 · theory 2.31`. What is
/// measured now, since theory speaks of the cluster as it is now.
[[nodiscard]] QString findingText(const Frame& frame, double updates_per_second, double idle_fraction);

/// Whom the others waited for longest up to the frame, and how long: `n11 cost the others 12.9 s`; else what the chart shows.
[[nodiscard]] QString waitingRemark(const RunHistory& history, const Frame& frame);

/// `Running`, `Finished: all its time has passed`, `Diverged at update 812`.
[[nodiscard]] QString stateText(const Frame& frame);

} // namespace lab
