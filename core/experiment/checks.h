#pragma once

#include "core/experiment/experiment.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// validate() without the order of events and of group members: both may stand as the file has them, so that the
/// paths in the problems are the file's.
[[nodiscard]] std::vector<Problem> checkContent(const Experiment& experiment);

/// Files and folders that the experiment names and that are not there.
[[nodiscard]] std::vector<Problem> checkFiles(const Experiment& experiment);

/// What is wrong with one parameter of a strategy on so many nodes, if anything is.
[[nodiscard]] std::optional<std::string> checkParam(const ParamSpec& spec, const ParamValue& value,
                                                    std::size_t nodes);

/// The values a parameter may have, in words: `a whole number from 1 to 8`.
[[nodiscard]] std::string allowedValues(const ParamSpec& spec);

/// The strategy's parameter of that name, or null.
[[nodiscard]] const ParamSpec* findParam(const StrategyInfo& info, std::string_view name);

/// Its updates are decoded from a gradient code.
[[nodiscard]] bool usesCode(const StrategyInfo& info);

/// A number as a person writes it: 1000000 rather than 1e+06.
[[nodiscard]] std::string plainNumber(double value);

} // namespace lab
