#include "core/learn/model_catalog.h"
#include "core/learn/network_model.h"

namespace lab {

/// Multinomial logistic regression: logits = weights x + biases, cross-entropy loss. Convex.
///
/// Parameters: weights [features x classes], column-major, then biases [classes]. Starts at zero, where every class
/// is equally likely and the loss is log(classes).
ModelInfo softmaxRegression()
{
    return {"softmax", "Softmax regression",
            "Multinomial logistic regression, one linear layer under a softmax: convex, quick to compute.",
            false, [](const ModelSpec& spec, const Dataset& data, InstructionSet instruction_set) {
                requireClasses(data, "softmax");
                const auto classes = static_cast<std::size_t>(data.classes);
                return makeNetwork({.layers = {{.inputs = data.features(), .outputs = classes}},
                                    .l2 = static_cast<float>(spec.l2)},
                                   instruction_set);
            }};
}

} // namespace lab
