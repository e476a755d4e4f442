#pragma once

#include "core/learn/instruction_set.h"
#include "core/sweep/run_figures.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

namespace lab {

/// One run from its experiment to its figures, on this thread alone. What prevents it is in `failure`; nothing is
/// thrown. What comes back once `stop` is requested means nothing.
[[nodiscard]] RunFigures runOne(const Sweep& sweep, std::size_t index, const std::stop_token& stop,
                                InstructionSet instruction_set = bestInstructionSet());

/// Called with each run that has ended, and with null now and then while none does; false stops the sweep.
using SweepProgress = std::function<bool(const RunFigures*)>;

/// Carries out these runs, `threads` at a time, each on one thread: what they give does not depend on it. Returns
/// false where `progress` stopped it; runs that had begun are thrown away.
[[nodiscard]] bool runAll(const Sweep& sweep, std::span<const std::size_t> indices, int threads,
                          const SweepProgress& progress,
                          InstructionSet instruction_set = bestInstructionSet());

} // namespace lab
