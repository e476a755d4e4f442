#pragma once

#include "core/learn/instruction_set.h"
#include "core/learn/model.h"
#include "core/learn/neural_network.h"

#include <memory>
#include <vector>

namespace lab {

/// What makes a network one model or another.
struct NeuralNetworkSpec {
    std::vector<Layer> layers;     ///< each starts where the one before ends
    bool is_classes = true;        ///< cross-entropy of a softmax; else half the squared error of one output
    bool starts_at_random = false; ///< else all parameters are 0 at first
    float l2 = 0;
};

/// Requires 1 to k_most_layers layers that fit each other, and an instruction set that is supported.
[[nodiscard]] std::unique_ptr<const Model> makeNetwork(NeuralNetworkSpec spec,
                                                       InstructionSet instruction_set);

/// Throws Error unless `data` has at least two classes.
void requireClasses(const Dataset& data, const char* model);

} // namespace lab
