#pragma once

#include <Eigen/Core>

#include <memory>

namespace lab {

using Vector = Eigen::VectorXf; ///< one flat parameter vector or gradient, float32, [model size]
using Params = std::shared_ptr<const Vector>; ///< immutable from the moment it is shared

} // namespace lab
