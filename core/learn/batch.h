#pragma once

#include "core/learn/model.h"

#include <functional>

namespace lab {

/// Samples as the models see them: one column each, so that a layer is `weights * samples`. [features x samples]
using Samples = Eigen::Map<const Eigen::MatrixXf>;

/// The rows first … first+count-1 in place: a row-major row is a column-major column. Valid as long as `data`.
[[nodiscard]] Samples samplesOf(const Dataset& data, std::size_t first, std::size_t count);

/// The given rows, copied side by side. [features x rows]
[[nodiscard]] Eigen::MatrixXf gather(const Dataset& data, Rows rows);

/// Calls `part` for pieces of first … first+count-1 that are small enough for their activations to stay in the
/// cache, and adds up what it returns. The pieces depend on nothing but the arguments.
[[nodiscard]] LossSum sumInPieces(std::size_t first, std::size_t count,
                                  const std::function<LossSum(std::size_t first, std::size_t count)>& part);

/// States what every model requires of its caller.
void expectRows(const Dataset& data, Rows rows);
void expectRows(const Dataset& data, std::size_t first, std::size_t count);

} // namespace lab
