#pragma once

#include "core/learn/model.h"

#include <functional>

namespace lab {

/// The rows first … first+count-1 in place, valid as long as `data`. [count x features]
[[nodiscard]] Eigen::Map<const Dataset::Features> samplesOf(const Dataset& data, std::size_t first,
                                                            std::size_t count);

/// Copies of the given rows, one below the other. [rows x features]
[[nodiscard]] Dataset::Features gather(const Dataset& data, Rows rows);

/// Calls `part` for pieces of first … first+count-1 that are small enough for their activations to stay in the
/// cache, and adds up what it returns. The pieces depend on nothing but the arguments.
[[nodiscard]] LossSum sumInPieces(std::size_t first, std::size_t count,
                                  const std::function<LossSum(std::size_t first, std::size_t count)>& part);

/// States what every model requires of its caller.
void expectRows(const Dataset& data, Rows rows);
void expectRows(const Dataset& data, std::size_t first, std::size_t count);

} // namespace lab
