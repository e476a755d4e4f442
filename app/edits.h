#pragma once

#include "core/cluster/change.h"
#include "core/experiment/experiment.h"
#include "widgets/strategy_form.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab {

// What a person's edits do to an experiment. Pure functions: the window, undo and tests share them. Nodes are those of
// the experiment that is edited; a run in progress may have others, and knows them by the same names.

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

/// Adds nodes like these, under names that are not taken. In fixed groups each joins the group of `beside`, or the last
/// one.
[[nodiscard]] Experiment withNodes(Experiment experiment, const std::vector<NodeSpec>& like,
                                   const std::vector<NodeId>& beside = {});

/// Takes nodes away, with their places in groups and what was to happen to them. Requires that one stays.
[[nodiscard]] Experiment withoutNodes(Experiment experiment, const std::vector<NodeId>& nodes);

/// A failure that is planned: `at` seconds after the start, for good or until `lasting` seconds later.
struct PlannedFailure {
    double at = 0;
    std::optional<double> lasting;
    friend bool operator==(const PlannedFailure&, const PlannedFailure&) = default;
};

/// The first failure that is planned for a node.
[[nodiscard]] std::optional<PlannedFailure> plannedFailure(const Experiment& experiment, NodeId node);

/// Plans one failure of each of these nodes instead of all others; nothing: none.
[[nodiscard]] Experiment withPlannedFailure(Experiment experiment, const std::vector<NodeId>& nodes,
                                            const std::optional<PlannedFailure>& failure);

/// The same experiment in another folder: relative paths still lead to the files that they led to.
[[nodiscard]] Experiment withFolder(Experiment experiment, const std::filesystem::path& folder);

/// The jitter that a node has: its own or the cluster's.
[[nodiscard]] const Jitter& jitterOf(const Experiment& experiment, NodeId node);

/// The node of that name; invalid where there is none.
[[nodiscard]] NodeId findNode(const Experiment& experiment, const std::string& name);

/// What a running node has to be told so that its slowdown becomes `slowdown`: a factor on what it began with.
[[nodiscard]] Slow slowTo(const Experiment& running, NodeId node, double slowdown);

} // namespace lab
