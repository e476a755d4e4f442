#pragma once

#include "core/base/partition.h"
#include "core/grouping/task_law.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// Tolerances that coding planners try, 0 … this: more than that never pays in groups of sensible size.
inline constexpr int k_most_tolerance = 3;

/// Groups and redundancy, and what they promise.
struct Plan {
    Partition groups;           ///< fastest first; a renumbered plan may have empty groups
    std::vector<int> tolerance; ///< [groups] stragglers that a group's code tolerates; 0: no code
    double cost = 0;            ///< expected seconds per unit of progress (one batch), see planGroups()
    std::vector<double> round_seconds;   ///< [groups] expected; 0 for an empty group
    std::vector<double> uncoded_seconds; ///< [groups] what a round would take without redundancy
    std::string why;                     ///< a sentence for the log
    /// [nodes] the least cost with 1, 2 … groups contiguous in speed, before nodes were spread; empty where the
    /// groups were given; infinite for what was not tried.
    std::vector<double> cost_by_count;
};

/// What a planner needs to know.
struct PlanRequest {
    std::span<const TaskLaw> laws;    ///< [nodes] of one ordinary batch
    double staleness_penalty = 0.03;  ///< kappa: a unit of mean staleness costs this share more samples
    int most_tolerance = 0;           ///< 0: no coding; else see k_most_tolerance
    std::optional<std::size_t> count; ///< of groups; nothing: the planner decides
    bool is_fractional = false; ///< the code decodes with one message per block, not with n - s messages
    /// planGroups() may also code against nodes that are slow by their medians. It would park a very slow node in a
    /// group that never waits for it, where a group of its own is not worth its staleness: cheaper, but hard to
    /// explain.
    bool codes_predictable = false;
    double server_seconds = 0;                   ///< the server's time for each message
    std::span<const double> failure_probability; ///< [nodes] of being dead in a round; empty: nobody dies
    double failure_limit = 1e-3; ///< coded groups: how often more nodes than tolerated may be dead
};

/// Groups, and tolerances where allowed, of least cost
///
///   J = (1 + kappa (m - 1)) / sum over groups of |G| / T(G, s)
///
/// in seconds per ordinary batch: m groups have mean staleness m - 1 exactly, which costs progress; a round of group
/// G gives |G| batches every T seconds. T is the expected time until decodable, every node's work being s + 1 batches
/// (fractional: its block's size), plus server_seconds per member; all groups together are never faster than 1 /
/// server_seconds.
///
/// A dynamic programme over contiguous groups for every number of groups, once in order of median, once in order of
/// mean and, with codes, once with nodes of like median mixed by risk; then single nodes are moved and swapped while
/// J falls (at most 200 times, in a fixed order), since risky nodes may have to be spread. Up to 16 nodes it starts
/// from six numbers of groups in each order, up to 32 from two, then from one; more than 64 nodes: contiguous groups
/// only; more than 256: cut at every ceil(nodes / 256)-th place only, and fractional codes, above 64 nodes, in groups
/// of up to 16 only. Against all partitions of 6 nodes the plan costs 1 % too much at worst (tested).
///
/// Move what is predictable, code what is not: a tolerance that would pay if every task took its node's median is not
/// used, unless codes_predictable says so.
///
/// Deterministic, no random numbers. Candidates are compared by coarse integrals, right to about 1e-3; what the plan
/// says of itself is right to 1e-6. Requires laws, penalty >= 0 and
/// 1 <= count <= nodes where given. A tolerance violates the failure limit only where no plan respects it.
[[nodiscard]] Plan planGroups(const PlanRequest& request);

/// The best tolerances for given groups, against predictable stragglers too, who cannot be moved here. Every node is
/// in one group; empty groups stay. `count` is ignored.
[[nodiscard]] Plan planTolerances(const Partition& groups, const PlanRequest& request);

/// What given groups with given tolerances cost. `tolerance` [groups], each below its group's size; `count`,
/// `most_tolerance` and the failure limit are ignored.
[[nodiscard]] Plan costOf(const Partition& groups, std::span<const int> tolerance,
                          const PlanRequest& request);

} // namespace lab
