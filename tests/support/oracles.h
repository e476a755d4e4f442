#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lab::test {

/// Equal nodes whose task takes one second times the jitter; gradients are as cheap as can be.
[[nodiscard]] Experiment longRun(const std::string& strategy, std::size_t nodes, const Jitter& jitter,
                                 std::int64_t updates);

/// The same with a slowdown for each node.
[[nodiscard]] Experiment longRun(const std::string& strategy, const std::vector<double>& slowdowns,
                                 const Jitter& jitter, std::int64_t updates);

/// Groups by hand, as node numbers.
void setGroups(Experiment& experiment, const std::vector<std::vector<std::size_t>>& groups);

/// What a run came to, figure by figure as theory gives them; only the law of staleness is left out.
[[nodiscard]] Prediction measured(const RunRecord& run);

/// H_n = 1 + 1/2 + ... + 1/n.
[[nodiscard]] double harmonicSum(std::size_t n);

/// A figure against another, for the message of a test: empty where they differ by no more than `allowed`, or are both
/// left open.
[[nodiscard]] std::string disagreement(const char* figure, std::optional<double> value,
                                       std::optional<double> expected, double allowed);

/// An experiment and its closed form, which a test writes out.
struct Oracle {
    Experiment experiment;
    Prediction closed_form;  ///< what is not set must not be predicted either
    double tolerance = 0.02; ///< of the measurement
};

/// What does not agree first: the prediction with the closed form (to 1e-9 of it, or of one) and the whole run with the prediction.
/// Empty where everything does.
[[nodiscard]] std::string wrongWith(const Oracle& oracle);

} // namespace lab::test
