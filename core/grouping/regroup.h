#pragma once

#include "core/grouping/by_objective.h"
#include "core/grouping/speed_estimate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// When groups are reconsidered and when a better plan is good enough. Rounds are rounds of a group: count them as
/// updates / groups, or as the rounds of the group that is asked for.
struct RegroupRules {
    std::int64_t period = 20;        ///< rounds between two ticks
    std::int64_t cooldown = 30;      ///< rounds between two changes, at least
    double gain = 0.1;               ///< h: a new plan must cost less than (1 - h) times the current one
    int ticks = 2;                   ///< consecutive ticks on which it must
    double staleness_penalty = 0.03; ///< as in PlanRequest, like the fields that follow
    int most_tolerance = 0;
    std::optional<std::size_t> count;
    bool is_fractional = false;
    double server_seconds = 0;
};

/// What is known when groups are reconsidered.
struct ClusterOutlook {
    std::span<const TaskLaw> laws;               ///< [nodes] of one ordinary batch, see lawsFrom()
    const std::vector<bool>* is_alive = nullptr; ///< [nodes]; null: all of them
    std::int64_t rounds = 0;                     ///< so far
    bool is_urgent = false;                      ///< a node failed or joined: do not wait for the tick
};

/// Regroups while the run goes on, reluctantly (strategies, 3.6).
///
/// Every `period` rounds it plans anew and adopts the plan only where it costs less than (1 - gain) times what the
/// current groups cost by the same estimates, on `ticks` consecutive ticks, and `cooldown` rounds after the last
/// change. A moved node loses about one task, so the new plan's cost is multiplied by 1 + moved / (period * nodes).
/// An urgent question is answered at once and needs no second tick, but the cooldown holds for it too: it is
/// answered when that is over. Groups keep their numbers where they keep most of their nodes. Dead nodes are planned
/// for by nobody; they are put with the group whose median is nearest, for when they come back.
///
/// Where codes cancel late tasks, their risk goes out of sight and the policy would drop the code, meet the risk,
/// code again (13 changes in 1000 rounds at a constant risk of 0.1). So the group engine lets late tasks of every fifth
/// round run to their end and adds them: 3 changes; every second round: 2.
///
/// A value with a little state and no clock; equal questions give equal answers.
class RegroupPolicy {
public:
    explicit RegroupPolicy(RegroupRules rules);

    /// consider() would plan: worth making laws for.
    [[nodiscard]] bool isDue(std::int64_t rounds, bool is_urgent) const;
    /// The plan to adopt now, or nothing; cheap where it is not due. `tolerance` [groups].
    [[nodiscard]] std::optional<Plan> consider(const Partition& groups, std::span<const int> tolerance,
                                               const ClusterOutlook& outlook);
    /// Groups changed by other means (first grouping, by hand) at `rounds`: starts the cooldown.
    void changed(std::int64_t rounds);

private:
    [[nodiscard]] bool isCooling(std::int64_t rounds) const;
    /// The best plan if it is enough better than these groups; one without groups otherwise.
    [[nodiscard]] Plan planFor(const Partition& groups, std::span<const int> tolerance,
                               const ClusterOutlook& outlook) const;

    RegroupRules rules_;
    std::int64_t last_tick_ = 0;
    std::optional<std::int64_t> last_change_;
    int better_ticks_ = 0;
    bool is_urgent_ = false;
};

/// Laws for planners out of measured times: a node's median times the cluster's ordinary jitter, plus the risk of a
/// slow task.
///
/// Jitter is pooled over all nodes (8 quantiles of time / median, up to `theta`), and so is how slow slow tasks are;
/// a node's own are its median and its risk, riskOf(). So one slow task says little about its node and nothing about
/// where that belongs, while a change of the median says everything. How slow is believed only as far as it was seen:
/// (5 + sum of the slow tasks' ratios) / (5 + their number). A node without a task gets the median of the others.
/// Requires one node with a task.
[[nodiscard]] std::vector<TaskLaw> lawsFrom(const SpeedEstimate& speeds, double theta = 3);

/// Gives the plan's groups the numbers of the groups they share most nodes with, so that few nodes change groups;
/// numbers that nobody takes become empty groups.
[[nodiscard]] Plan renumbered(Plan plan, const Partition& groups);

/// A change in sentences, one per node that moved and one per tolerance that changed: "n6 moved to group B: median
/// 0.41 s, was 0.11 s". `before` and `now` [nodes] are medians when groups were last made and today's.
[[nodiscard]] std::vector<std::string> explainChange(const Partition& groups, std::span<const int> tolerance,
                                                     const Plan& next, std::span<const double> before,
                                                     std::span<const double> now,
                                                     std::span<const std::string> names);

} // namespace lab
