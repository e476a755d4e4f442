#pragma once

#include "core/strategy/configuration.h"

namespace lab {

// What the catalogue lines say of themselves, one rule for each family; called through predict().

/// Groups in the partition given, uncoded: bsp, asp and everything between.
[[nodiscard]] Prediction predictGroups(const StrategyInfo& info, const Configuration& configuration);
/// The same with the code that the parameters name: coded, hybrid_coded.
[[nodiscard]] Prediction predictCodedGroups(const StrategyInfo& info, const Configuration& configuration);
[[nodiscard]] Prediction predictLoadBalanced(const StrategyInfo& info, const Configuration& configuration);
[[nodiscard]] Prediction predictLocalSteps(const StrategyInfo& info, const Configuration& configuration);

/// Everybody runs alone: asp, and what has its schedule.
[[nodiscard]] Prediction predictAlone(const StrategyInfo& info, const Configuration& configuration);
[[nodiscard]] Prediction predictBounded(const StrategyInfo& info, const Configuration& configuration);
/// Each takes K as the rule's parameters give it.
[[nodiscard]] Prediction predictKSync(const Configuration& configuration, std::size_t k);
[[nodiscard]] Prediction predictKBatchSync(const Configuration& configuration, std::size_t k);
[[nodiscard]] Prediction predictKAsync(const Configuration& configuration, std::size_t k);
[[nodiscard]] Prediction predictKBatchAsync(const Configuration& configuration, std::size_t k);
[[nodiscard]] Prediction predictBackup(const Configuration& configuration, std::size_t k);
[[nodiscard]] Prediction predictThreshold(const Configuration& configuration, std::int64_t threshold);

/// A barrier's round: every node of the cluster starts together, and it ends when the k-th is in.
struct BarrierRound {
    double seconds = 0; ///< messages included
    double waiting = 0; ///< idle seconds of all its nodes together
};

/// Of these nodes without a code; nothing where messages wait in line in a way that has no closed form. `is_alone`:
/// no other group's messages get in the way.
[[nodiscard]] std::optional<BarrierRound> uncodedRound(const std::vector<TaskLaw>& laws,
                                                       const Configuration& configuration, bool is_alone);

/// The figures of one group whose every round gives `samples`: rates, idle fraction, no staleness.
[[nodiscard]] Prediction oneGroup(const std::optional<BarrierRound>& round,
                                  const Configuration& configuration, double samples);

/// ` (each message 2 ms)` and the like, for the basis.
[[nodiscard]] std::string costOfMessages(const Configuration& configuration);

} // namespace lab
