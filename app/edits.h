#pragma once

#include "core/cluster/change.h"
#include "core/experiment/experiment.h"
#include "widgets/strategy_form.h"

#include <vector>

namespace lab {

// What a person's edits do to an experiment. Pure functions: the window, undo and tests share them.

[[nodiscard]] StrategyValues strategyValuesOf(const Experiment& experiment);
[[nodiscard]] Experiment withStrategyValues(Experiment experiment, const StrategyValues& values);

/// Gives these nodes a slowdown of their own, from the start of the next run.
[[nodiscard]] Experiment withSlowdown(Experiment experiment, const std::vector<NodeId>& nodes,
                                      double slowdown);

/// Gives these nodes a jitter of their own; the cluster's again where it equals that.
[[nodiscard]] Experiment withJitter(Experiment experiment, const std::vector<NodeId>& nodes,
                                    const Jitter& jitter);

/// Fixes the groups as `drawn`, with the moves made. Groups that end up empty go.
[[nodiscard]] Experiment withMoves(Experiment experiment, const Partition& drawn,
                                   const std::vector<Move>& moves);

/// The jitter that a node has: its own or the cluster's.
[[nodiscard]] const Jitter& jitterOf(const Experiment& experiment, NodeId node);

/// What a running node has to be told so that its slowdown becomes `slowdown`: a factor on what it began with.
[[nodiscard]] Slow slowTo(const Experiment& running, NodeId node, double slowdown);

} // namespace lab
