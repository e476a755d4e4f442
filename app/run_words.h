#pragma once

#include "core/experiment/experiment.h"
#include "core/record/frame.h"

#include <QString>

namespace lab {

// Sentences about a run, for the window.

/// The strategy's name where room is short: `Hybrid`.
[[nodiscard]] QString strategyTitle(const Experiment& experiment);

/// What the server trains: `MLP on digits`.
[[nodiscard]] QString modelText(const Experiment& experiment);

/// Why nodes cannot be moved between groups; empty where they can.
[[nodiscard]] QString whyNoMoves(const Experiment& experiment);

/// `Running`, `Finished: all its time has passed`, `Diverged at update 812`.
[[nodiscard]] QString stateText(const Frame& frame);

} // namespace lab
