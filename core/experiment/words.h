#pragma once

#include "core/cluster/node_spec.h"
#include "core/experiment/experiment.h"
#include "core/experiment/json_reader.h"
#include "core/learn/dataset_catalog.h"
#include "core/strategy/strategy.h"

#include <string_view>

namespace lab {

// The words of the experiment file, for reading and for writing.

inline constexpr std::string_view k_format = "straggler-lab/experiment";

inline constexpr Words<JitterKind, 7> k_jitter_words{{{"none", JitterKind::None},
                                                      {"shifted_exponential", JitterKind::ShiftedExponential},
                                                      {"exponential", JitterKind::Exponential},
                                                      {"pareto", JitterKind::Pareto},
                                                      {"lognormal", JitterKind::Lognormal},
                                                      {"bimodal", JitterKind::Bimodal},
                                                      {"markov", JitterKind::Markov}}};

inline constexpr Words<PartitionKind, 3> k_partition_words{{{"shuffled", PartitionKind::Shuffled},
                                                            {"sharded", PartitionKind::Sharded},
                                                            {"by_label", PartitionKind::ByLabel}}};

inline constexpr Words<UpdateWeight, 2> k_update_weight_words{
    {{"samples", UpdateWeight::Samples}, {"update", UpdateWeight::Update}}};

inline constexpr Words<Grouping::By, 3> k_grouping_words{
    {{"speed", Grouping::By::Speed}, {"members", Grouping::By::Members}, {"coding", Grouping::By::Coding}}};

/// The word for a value. Requires that the table has it.
template <class Enum, std::size_t N>
[[nodiscard]] std::string_view wordFor(Enum value, const Words<Enum, N>& words)
{
    for (const auto& [word, meaning] : words) {
        if (meaning == value) {
            return word;
        }
    }
    LAB_EXPECTS(false);
    return {};
}

} // namespace lab
