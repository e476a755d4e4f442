#include "core/base/error.h"
#include "core/learn/model_catalog.h"
#include "core/learn/network_model.h"

namespace lab {
namespace {

constexpr int k_widest_layer = 65'536;
constexpr double k_most_parameters = 1e8; // 400 MB for each copy, and every node in flight holds some

std::size_t endOf(const Layer& layer) { return layer.offset + (layer.inputs + 1) * layer.outputs; }

/// Throws Error where a width is out of range or the whole is too large to emulate.
std::vector<Layer> layersFor(const ModelSpec& spec, const Dataset& data)
{
    requireClasses(data, "mlp");
    std::vector<int> widths = spec.hidden;
    widths.push_back(data.classes);
    std::vector<Layer> layers;
    Layer next{.inputs = data.features()};
    for (const int width : widths) {
        if (width < 1 || width > k_widest_layer) {
            throw Error("model.hidden: a layer " + std::to_string(width) + " wide; allowed is 1 to "
                        + std::to_string(k_widest_layer));
        }
        next.outputs = static_cast<std::size_t>(width);
        layers.push_back(next);
        if (static_cast<double>(endOf(next)) > k_most_parameters) {
            throw Error("model.hidden: more than 100 million parameters; make the layers narrower");
        }
        next = {.inputs = next.outputs, .offset = endOf(next)};
    }
    return layers;
}

} // namespace

/// A multilayer perceptron: fully connected layers, ReLU between them, cross-entropy of a softmax at the end.
///
/// Without hidden layers it is softmax regression with random initial weights. Gradients by backpropagation:
/// Rumelhart, Hinton, Williams, "Learning Representations by Back-Propagating Errors", Nature 323, 1986.
ModelInfo multilayerPerceptron()
{
    return {"mlp", "Multilayer perceptron",
            "Fully connected hidden layers with ReLU under a softmax: not convex, as the models of practice.",
            true, [](const ModelSpec& spec, const Dataset& data, InstructionSet instruction_set) {
                return makeNetwork({.layers = layersFor(spec, data),
                                    .starts_at_random = true,
                                    .l2 = static_cast<float>(spec.l2)},
                                   instruction_set);
            }};
}

} // namespace lab
