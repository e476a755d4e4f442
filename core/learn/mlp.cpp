#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/learn/batch.h"
#include "core/learn/cross_entropy.h"
#include "core/learn/model_catalog.h"

#include <cmath>
#include <utility>

namespace lab {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXf;

constexpr int k_widest_layer = 65'536;
constexpr double k_most_parameters = 1e8; // 400 MB for each copy, and every node in flight holds some

/// Where one layer's parameters stand in the flat vector: weights [inputs x outputs], column-major, then biases.
struct Layer {
    Index inputs = 0;
    Index outputs = 0;
    Index offset = 0;

    [[nodiscard]] Index weights() const { return outputs * inputs; }
    [[nodiscard]] Index end() const { return offset + weights() + outputs; }
};

/// A multilayer perceptron: fully connected layers, ReLU between them, cross-entropy of a softmax at the end.
///
/// Without hidden layers it is softmax regression with random initial weights. Gradients by backpropagation:
/// Rumelhart, Hinton, Williams, "Learning Representations by Back-Propagating Errors", Nature 323, 1986.
class Mlp final : public Model {
public:
    /// Requires at least one layer, each starting where the one before ends.
    Mlp(std::vector<Layer> layers, float l2) : layers_(std::move(layers)), l2_(l2) {}

    [[nodiscard]] Index size() const override { return layers_.back().end(); }

    /// Biases 0; weights normal with variance 2 / inputs before a ReLU (He et al., "Delving Deep into Rectifiers", ICCV
    /// 2015, eq. 10) and 2 / (inputs + outputs) before the softmax (Glorot, Bengio, AISTATS 2010, eq. 12).
    [[nodiscard]] Vector initial(std::uint64_t seed) const override
    {
        Vector w = Vector::Zero(size());
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            const Layer& layer = layers_[i];
            const bool is_last = i + 1 == layers_.size();
            const auto fan = static_cast<double>(layer.inputs + (is_last ? layer.outputs : 0));
            const double deviation = std::sqrt(2.0 / fan);
            for (Index k = 0; k < layer.weights(); ++k) {
                Rng rng(seed, Purpose::Initial, i, static_cast<std::uint64_t>(k));
                w[layer.offset + k] = static_cast<float>(deviation * rng.normal());
            }
        }
        return w;
    }

    void addGradient(const Vector& w, const Dataset& data, Rows rows, float coefficient,
                     Vector& sum) const override
    {
        LAB_EXPECTS(sum.size() == size());
        expectShape(w, data);
        const Dataset::Features x = gather(data, rows);
        std::vector<Matrix> outputs = forward(w, x);
        Matrix delta = std::move(outputs.back());
        // Everything after this line is linear in delta, so the coefficient is worked in once, here.
        logitsToGradient(delta, data, rows, coefficient);

        const float decay = coefficient * l2_ * static_cast<float>(rows.size());
        for (std::size_t i = layers_.size(); i-- > 0;) {
            const Layer& layer = layers_[i];
            Eigen::Map<Matrix> weights_sum(sum.data() + layer.offset, layer.inputs, layer.outputs);
            weights_sum += decay * weights(w, layer);
            sum.segment(layer.offset + layer.weights(), layer.outputs) += delta.colwise().sum().transpose();
            if (i == 0) {
                weights_sum.noalias() += x.transpose() * delta;
                break;
            }
            const Matrix& inputs = outputs[i - 1];
            weights_sum.noalias() += inputs.transpose() * delta;
            // The slope of ReLU is 1 where its output is positive, else 0; at 0 itself we take 0.
            const Matrix below = delta * weights(w, layer).transpose();
            delta = (inputs.array() > 0.0F).select(below, 0.0F);
        }
    }

    [[nodiscard]] LossSum loss(const Vector& w, const Dataset& data, std::size_t first,
                               std::size_t count) const override
    {
        expectShape(w, data);
        return sumInPieces(first, count, [&](std::size_t begin, std::size_t rows) {
            return crossEntropy(forward(w, samplesOf(data, begin, rows)).back(), data, begin);
        });
    }

private:
    void expectShape(const Vector& w, const Dataset& data) const
    {
        LAB_EXPECTS(w.size() == size() && data.x.cols() == layers_.front().inputs
                    && data.classes == layers_.back().outputs);
    }

    [[nodiscard]] static Eigen::Map<const Matrix> weights(const Vector& w, const Layer& layer)
    {
        return {w.data() + layer.offset, layer.inputs, layer.outputs};
    }

    /// What each layer puts out: after ReLU for the hidden ones, the logits for the last. [samples x outputs] each
    [[nodiscard]] std::vector<Matrix> forward(const Vector& w,
                                              const Eigen::Ref<const Dataset::Features>& x) const
    {
        std::vector<Matrix> outputs;
        outputs.reserve(layers_.size());
        for (const Layer& layer : layers_) {
            Matrix z =
                outputs.empty() ? Matrix(x * weights(w, layer)) : Matrix(outputs.back() * weights(w, layer));
            z.rowwise() += w.segment(layer.offset + layer.weights(), layer.outputs).transpose();
            if (outputs.size() + 1 < layers_.size()) {
                // Not max(0, z): as written, not-a-number comes through, or a diverged run would look alive.
                z = (z.array() < 0.0F).select(0.0F, z);
            }
            outputs.push_back(std::move(z));
        }
        return outputs;
    }

    std::vector<Layer> layers_;
    float l2_;
};

/// Throws Error where a width is out of range or the whole is too large to emulate.
std::vector<Layer> layersFor(const ModelSpec& spec, const Dataset& data)
{
    requireClasses(data, "mlp");
    std::vector<int> widths = spec.hidden;
    widths.push_back(data.classes);
    std::vector<Layer> layers;
    Layer next{.inputs = data.x.cols()};
    for (const int width : widths) {
        if (width < 1 || width > k_widest_layer) {
            throw Error("model.hidden: a layer " + std::to_string(width) + " wide; allowed is 1 to "
                        + std::to_string(k_widest_layer));
        }
        next.outputs = width;
        layers.push_back(next);
        if (static_cast<double>(next.end()) > k_most_parameters) {
            throw Error("model.hidden: more than 100 million parameters; make the layers narrower");
        }
        next = {.inputs = next.outputs, .offset = next.end()};
    }
    return layers;
}

} // namespace

ModelInfo multilayerPerceptron()
{
    return {"mlp", "Multilayer perceptron",
            "Fully connected hidden layers with ReLU under a softmax: not convex, as the models of practice.",
            true, [](const ModelSpec& spec, const Dataset& data) {
                return std::make_unique<const Mlp>(layersFor(spec, data), static_cast<float>(spec.l2));
            }};
}

} // namespace lab
