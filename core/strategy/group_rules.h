#pragma once

#include "core/base/partition.h"
#include "core/coding/decoder.h"
#include "core/coding/gradient_code.h"
#include "core/grouping/speed_estimate.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace lab {

/// Who belongs together, what each group's code rides out, and why.
struct GroupPlan {
    Partition groups;
    std::vector<int> tolerance;       ///< [groups]
    std::vector<std::string> reasons; ///< sentences for the event log
};

/// Decides on groups from measured speeds.
class GroupPlanner {
public:
    GroupPlanner() = default;
    GroupPlanner(const GroupPlanner&) = delete;
    GroupPlanner& operator=(const GroupPlanner&) = delete;
    virtual ~GroupPlanner() = default;

    /// After the warm-up, when every node has been measured.
    [[nodiscard]] virtual GroupPlan firstPlan(const SpeedEstimate& speeds) = 0;
    /// Asked when a group has finished a round and when a node failed or came back; nothing: stay as you are.
    /// `rounds`: all groups' since the run began. `is_alive` [nodes].
    [[nodiscard]] virtual std::optional<GroupPlan> replan(const GroupPlan& current,
                                                          const SpeedEstimate& speeds,
                                                          const std::vector<bool>& is_alive,
                                                          std::int64_t rounds) = 0;
};

/// How many of a node's latest tasks its speed is the median of.
inline constexpr std::size_t k_speed_window = 10;

/// What a coded group does when so many members are known to be dead that the round in hand can never decode.
enum class Beyond {
    Waits,        ///< for one of them to come back and compute its share after all
    Approximates, ///< takes the least-squares decoding of the messages that are in, flagged with its error
    Reencodes     ///< throws the round away and starts over with a code for the survivors
};

enum class CodeKind { Fractional, Cyclic, Heterogeneous };

/// What makes the group engine one strategy or another.
struct GroupRules {
    Partition groups;                      ///< to start with
    std::vector<int> tolerance;            ///< [groups]
    std::shared_ptr<GroupPlanner> planner; ///< null: groups change by hand only
    std::size_t warm_up_tasks = 0;         ///< that each node runs alone before the planner is asked first
    CodeKind code = CodeKind::Cyclic;
    Beyond beyond = Beyond::Reencodes;
    std::optional<double> enough{}; ///< share of messages that ends a round even if it only approximates
    bool balances_batches = false;  ///< batch sizes in proportion to speed, the same total
    /// Late tasks of every fifth round of a coded group run to their end, though nobody waits for them: of a task that
    /// is given up nobody ever learns how slow it was, nor that its node is as fast as the others again.
    bool measures_late_tasks = false;
    int local_steps = 1; ///< on the node's own copy of the parameters, per round
};

/// The codes of a run and what is known of their decodings: each is made once, for all groups that use it.
/// Heterogeneity-aware codes are made anew for other speeds.
class CodeCache {
public:
    CodeCache(CodeKind kind, std::uint64_t seed) : kind_(kind), seed_(seed) {}

    /// A code for so many workers; `speeds` [workers] counts for heterogeneity-aware ones only. Where a cyclic code
    /// would be too ill-conditioned, fractional repetition takes its place. Tolerance is cut to workers - 1.
    [[nodiscard]] std::shared_ptr<Decoder> decoder(std::size_t workers, std::size_t tolerance,
                                                   const std::vector<double>& speeds);

private:
    [[nodiscard]] std::shared_ptr<const GradientCode> make(std::size_t workers, std::size_t tolerance,
                                                           const std::vector<double>& speeds) const;

    CodeKind kind_;
    std::uint64_t seed_;
    std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<Decoder>> made_;
};

} // namespace lab
