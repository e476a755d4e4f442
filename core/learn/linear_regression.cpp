#include "core/learn/model_catalog.h"
#include "core/learn/network_model.h"

namespace lab {

/// One output, y = weights . x + bias, fitted to Dataset::targets by least squares.
///
/// The loss of a row is (y - target)^2 / 2, the convention of the least-mean-squares rule: its gradient is
/// (y - target) x without a factor 2. Data with classes works too: the target is the number of the class, and a
/// row counts as right when its class is the whole number nearest to y.
/// Parameters: weights [features], then the bias. Starts at zero.
/// Rule: Widrow, Hoff, "Adaptive Switching Circuits", IRE WESCON 1960.
ModelInfo linearRegression()
{
    return {"linear", "Linear regression",
            "One output fitted by least squares: convex, with the fewest parameters.", false,
            [](const ModelSpec& spec, const Dataset& data, InstructionSet instruction_set) {
                return makeNetwork({.layers = {{.inputs = data.features(), .outputs = 1}},
                                    .is_classes = false,
                                    .l2 = static_cast<float>(spec.l2)},
                                   instruction_set);
            }};
}

} // namespace lab
