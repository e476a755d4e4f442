#include "core/learn/network_model.h"

#include "core/base/error.h"
#include "core/base/rng.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_alignment = 64;

std::size_t paramsOf(const Layer& layer) { return (layer.inputs + 1) * layer.outputs; }

/// How much scratch memory the kernels need for so many rows: activations of every layer twice, and two gradients by
/// them, all in whole panels.
std::size_t scratchFloats(const std::vector<Layer>& layers, std::size_t count)
{
    const auto padded = [](std::size_t n) { return (n + k_panel - 1) / k_panel * k_panel; };
    const std::size_t rows = padded(std::min(count, k_rows_at_once));
    std::size_t floats = 0;
    std::size_t widest = 0;
    for (const Layer& layer : layers) {
        floats += 2 * padded(layer.inputs) * rows;
        widest = std::max(widest, layer.outputs);
    }
    return floats + 2 * padded(widest) * rows;
}

/// This thread's scratch memory. It grows to what was ever needed and goes with the thread, so that in the long run no
/// gradient asks for memory.
float* scratch(std::size_t floats)
{
    thread_local std::vector<float> memory;
    const std::size_t room = floats + k_alignment / sizeof(float);
    if (memory.size() < room) {
        memory = {}; // rather than copied
        memory.resize(room);
    }
    void* start = memory.data();
    std::size_t space = memory.size() * sizeof(float);
    return static_cast<float*>(std::align(k_alignment, floats * sizeof(float), start, space));
}

class NetworkModel final : public Model {
public:
    NetworkModel(NeuralNetworkSpec spec, InstructionSet instruction_set)
        : spec_(std::move(spec)),
          instruction_set_(instruction_set),
          kernels_(kernelsOf(instruction_set))
    {
        LAB_EXPECTS(!spec_.layers.empty() && spec_.layers.size() <= k_most_layers);
    }

    [[nodiscard]] Eigen::Index size() const override
    {
        const Layer& last = spec_.layers.back();
        return static_cast<Eigen::Index>(last.offset + paramsOf(last));
    }

    [[nodiscard]] InstructionSet instructionSet() const override { return instruction_set_; }

    /// Biases 0; weights, unless all start at 0, normal with variance 2 / inputs before a ReLU (He et al., "Delving Deep
    /// into Rectifiers", ICCV 2015, eq. 10) and 2 / (inputs + outputs) before the softmax (Glorot, Bengio, AISTATS 2010,
    /// eq. 12).
    [[nodiscard]] Vector initial(std::uint64_t seed) const override
    {
        Vector w = Vector::Zero(size());
        for (std::size_t i = 0; spec_.starts_at_random && i < spec_.layers.size(); ++i) {
            const Layer& layer = spec_.layers[i];
            const bool is_last = i + 1 == spec_.layers.size();
            const auto fan = static_cast<double>(layer.inputs + (is_last ? layer.outputs : 0));
            const double deviation = std::sqrt(2.0 / fan);
            for (std::size_t k = 0; k < layer.inputs * layer.outputs; ++k) {
                Rng rng(seed, Purpose::Initial, i, k);
                w[static_cast<Eigen::Index>(layer.offset + k)] = static_cast<float>(deviation * rng.normal());
            }
        }
        return w;
    }

    void addGradient(const Vector& w, const Dataset& data, Rows rows, float coefficient,
                     Vector& sum) const override
    {
        LAB_EXPECTS(sum.size() == size() || sum.size() == 0);
        LAB_EXPECTS(rows.empty() || *std::max_element(rows.begin(), rows.end()) < data.rows());
        Samples samples = samplesOf(w, data, 0);
        samples.rows = rows.data();
        samples.count = rows.size();
        if (rows.empty()) {
            return;
        }
        const bool is_new = sum.size() == 0;
        sum.resize(size()); // nothing to do unless it is new
        kernels_.add_gradient(network(), w.data(), samples, coefficient, sum.data(), is_new,
                              scratch(scratchFloats(spec_.layers, rows.size())));
    }

    [[nodiscard]] LossSum loss(const Vector& w, const Dataset& data, std::size_t first,
                               std::size_t count) const override
    {
        LAB_EXPECTS(first <= data.rows() && count <= data.rows() - first);
        Samples samples = samplesOf(w, data, first);
        samples.count = count;
        const NeuralLoss sum =
            kernels_.loss(network(), w.data(), samples, scratch(scratchFloats(spec_.layers, count)));
        return {.loss = sum.loss, .correct = sum.correct, .rows = static_cast<std::int64_t>(count)};
    }

private:
    [[nodiscard]] NeuralNetwork network() const
    {
        return {.layers = spec_.layers.data(),
                .depth = spec_.layers.size(),
                .is_classes = spec_.is_classes,
                .l2 = spec_.l2};
    }

    /// The rows from `first` on, after the checks of what every caller promises.
    [[nodiscard]] Samples samplesOf(const Vector& w, const Dataset& data, std::size_t first) const
    {
        LAB_EXPECTS(w.size() == size() && data.features() == spec_.layers.front().inputs);
        LAB_EXPECTS(!spec_.is_classes
                    || static_cast<std::size_t>(data.classes) == spec_.layers.back().outputs);
        return {.x = data.x.data() + first * data.features(),
                .labels = data.classes > 0 ? data.labels.data() + first : nullptr,
                .targets = spec_.is_classes ? nullptr : data.targets.data() + first};
    }

    NeuralNetworkSpec spec_;
    InstructionSet instruction_set_;
    NeuralKernels kernels_;
};

} // namespace

std::unique_ptr<const Model> makeNetwork(NeuralNetworkSpec spec, InstructionSet instruction_set)
{
    return std::make_unique<const NetworkModel>(std::move(spec), instruction_set);
}

void requireClasses(const Dataset& data, const char* model)
{
    if (data.classes < 2) {
        throw Error("data '" + data.name + "': model '" + model
                    + "' needs at least two classes to choose from, and these rows have "
                    + (data.classes == 0 ? "a number to predict; choose the model 'linear'"
                                         : "only one; choose other data"));
    }
}

} // namespace lab
