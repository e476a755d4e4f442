// The arithmetic of a network, compiled once for each instruction set (CMakeLists.txt); LAB_KERNELS names the result.
//
// Every matrix product is one loop over tiles: a few rows of numbers that are broadcast, times two vectors. Each number
// of the result is one sum in the order of its index, so that tile and vector sizes leave no trace in it: builds with
// fused multiply-add agree bit for bit whatever their vectors. Everything here is local to this file, and no library's
// inline function is used: a linker that keeps one copy of equal functions could otherwise keep one that the processor
// does not know.
//
// Layouts. P = 16 rows or columns stand side by side in a panel, the matrix [n x m] as [m / P][n][P], padded to whole
// panels. Activations exist twice: with panels of rows (to go forward) and of units (to sum gradients); either is the
// other with its 16 x 16 blocks transposed.

#include "core/learn/kernel_lanes.h"
#include "core/learn/kernel_outputs.h"
#include "core/learn/kernel_panels.h"
#include "core/learn/kernel_products.h"

namespace lab {

NeuralKernels LAB_KERNELS();

namespace {

/// Hands out parts of the scratch memory.
struct Scratch {
    float* free;
    float* take(size_t rows, size_t columns)
    {
        float* part = free;
        free += padded(rows) * padded(columns);
        return part;
    }
};

/// The rows' inputs to a layer, twice.
struct Inputs {
    float* by_row = nullptr;  ///< panels of rows
    float* by_unit = nullptr; ///< panels of units
};

void hiddenForward(const Layer& layer, const float* w, const float* inputs, size_t rows, float* outputs)
{
    const float* weights = w + layer.offset;
    const float* biases = weights + layer.inputs * layer.outputs;
    const size_t panel = padded(layer.outputs) * k_panel;
    multiply(
        {weights, layer.inputs, 1}, layer.outputs, {inputs, padded(layer.inputs) * k_panel, k_panel},
        rows / k_lanes, layer.inputs, [=](size_t unit) { return Lanes{} + biases[unit]; },
        [=](size_t unit, size_t v, Lanes z) {
            // Not max(0, z): as written, not-a-number comes through, or a diverged run would look alive.
            store(outputs + placeOf(v, panel) + unit * k_panel, z < Lanes{} ? Lanes{} : z);
        });
    for (size_t unit = layer.outputs; unit < padded(layer.outputs); ++unit) {
        for (size_t v = 0; v < rows / k_lanes; ++v) {
            store(outputs + placeOf(v, panel) + unit * k_panel, Lanes{});
        }
    }
}

/// The last layer's outputs, [outputs][rows].
void lastForward(const Layer& layer, const float* w, const float* inputs, size_t rows, float* outputs)
{
    const float* weights = w + layer.offset;
    const float* biases = weights + layer.inputs * layer.outputs;
    multiply(
        {weights, layer.inputs, 1}, layer.outputs, {inputs, padded(layer.inputs) * k_panel, k_panel},
        rows / k_lanes, layer.inputs, [=](size_t unit) { return Lanes{} + biases[unit]; },
        [=](size_t unit, size_t v, Lanes z) { store(outputs + unit * rows + v * k_lanes, z); });
}

/// sum += delta^T inputs + decay * weights, and the biases' part. `delta` [outputs][rows], zero beyond `count`. A sum
/// that is new has nothing in it that would be read.
void addLayer(const Layer& layer, const float* w, const float* inputs, const float* delta, size_t count,
              float decay, float* sum, bool is_new)
{
    const size_t rows = padded(count);
    const float* weights = w + layer.offset;
    float* weights_sum = sum + layer.offset;
    multiply(
        {delta, rows, 1}, layer.outputs, {inputs, rows * k_panel, k_panel}, padded(layer.inputs) / k_lanes,
        count, [](size_t) { return Lanes{}; },
        [=](size_t unit, size_t v, Lanes part) {
            const size_t first = v * k_lanes;
            const size_t at = unit * layer.inputs + first;
            if (first + k_lanes <= layer.inputs) {
                const Lanes before = is_new ? Lanes{} : load(weights_sum + at);
                store(weights_sum + at, before + (part + decay * load(weights + at)));
                return;
            }
            for (size_t lane = 0; first + lane < layer.inputs; ++lane) {
                const float before = is_new ? 0.0F : weights_sum[at + lane];
                weights_sum[at + lane] = before + (part[lane] + decay * weights[at + lane]);
            }
        });
    float* biases_sum = weights_sum + layer.inputs * layer.outputs;
    for (size_t unit = 0; unit < layer.outputs; ++unit) {
        float parts[k_panel] = {};
        for (size_t row = 0; row < rows; row += k_panel) {
            for (size_t i = 0; i < k_panel; ++i) {
                parts[i] += delta[unit * rows + row + i];
            }
        }
        for (size_t half = k_panel / 2; half > 0; half /= 2) {
            for (size_t i = 0; i < half; ++i) {
                parts[i] += parts[i + half];
            }
        }
        biases_sum[unit] = (is_new ? 0.0F : biases_sum[unit]) + parts[0];
    }
}

/// below = (delta weights^T) where the inputs are above 0, else 0: the slope of ReLU, which we take to be 0 at 0.
void backward(const Layer& layer, const float* w, const float* inputs, const float* delta, size_t rows,
              float* below)
{
    const size_t panel = padded(layer.inputs) * k_panel;
    multiply(
        {w + layer.offset, 1, layer.inputs}, layer.inputs, {delta, k_panel, rows}, rows / k_lanes,
        layer.outputs, [](size_t) { return Lanes{}; },
        [=](size_t unit, size_t v, Lanes value) {
            const Lanes input = load(inputs + placeOf(v, panel) + unit * k_panel);
            store(below + unit * rows + v * k_lanes, input > Lanes{} ? value : Lanes{});
        });
}

void addPiece(const NeuralNetwork& network, const float* w, const Samples& samples, float coefficient,
              float* sum, bool is_new, float* scratch)
{
    const size_t rows = padded(samples.count);
    Scratch room{scratch};
    Inputs inputs[k_most_layers];
    for (size_t l = 0; l < network.depth; ++l) {
        const size_t width = network.layers[l].inputs;
        inputs[l] = {room.take(width, rows), room.take(width, rows)};
    }
    size_t widest = network.layers[network.depth - 1].outputs;
    gather(samples, network.layers[0].inputs, inputs[0].by_unit);
    transpose(inputs[0].by_unit, rows, padded(network.layers[0].inputs), inputs[0].by_row);
    for (size_t l = 0; l + 1 < network.depth; ++l) {
        const Layer& layer = network.layers[l];
        widest = layer.outputs > widest ? layer.outputs : widest;
        hiddenForward(layer, w, inputs[l].by_row, rows, inputs[l + 1].by_row);
        transpose(inputs[l + 1].by_row, padded(layer.outputs), rows, inputs[l + 1].by_unit);
    }
    float* delta = room.take(widest, rows);
    float* below = room.take(widest, rows);
    lastForward(network.layers[network.depth - 1], w, inputs[network.depth - 1].by_row, rows, delta);
    // Everything after this line is linear in delta, so the coefficient is worked in once, here.
    outputsToGradient(network, samples, coefficient, delta);

    const float decay = coefficient * network.l2 * static_cast<float>(samples.count);
    for (size_t l = network.depth; l-- > 0;) {
        addLayer(network.layers[l], w, inputs[l].by_unit, delta, samples.count, decay, sum, is_new);
        if (l > 0) {
            backward(network.layers[l], w, inputs[l].by_row, delta, rows, below);
            float* done = delta;
            delta = below;
            below = done;
        }
    }
}

NeuralLoss lossOfPiece(const NeuralNetwork& network, const float* w, const Samples& samples, float* scratch)
{
    const size_t rows = padded(samples.count);
    Scratch room{scratch};
    const size_t features = network.layers[0].inputs;
    float* by_unit = room.take(features, rows);
    float* inputs = room.take(features, rows);
    gather(samples, features, by_unit);
    transpose(by_unit, rows, padded(features), inputs);
    for (size_t l = 0; l + 1 < network.depth; ++l) {
        float* outputs = room.take(network.layers[l].outputs, rows);
        hiddenForward(network.layers[l], w, inputs, rows, outputs);
        inputs = outputs;
    }
    const Layer& last = network.layers[network.depth - 1];
    float* outputs = room.take(last.outputs, rows);
    lastForward(last, w, inputs, rows, outputs);
    return network.is_classes ? classLoss(samples, last.outputs, outputs) : numberLoss(samples, outputs);
}

/// The rows from `first` on, as many as are worked on at once.
Samples pieceOf(const Samples& samples, size_t first, size_t features)
{
    Samples piece = samples;
    const size_t left = samples.count - first;
    piece.count = left < k_rows_at_once ? left : k_rows_at_once;
    if (samples.rows != nullptr) {
        piece.rows += first;
        return piece;
    }
    piece.x += first * features;
    piece.labels += samples.labels != nullptr ? first : 0;
    piece.targets += samples.targets != nullptr ? first : 0;
    return piece;
}

void addGradient(const NeuralNetwork& network, const float* w, const Samples& samples, float coefficient,
                 float* sum, bool is_new, float* scratch)
{
    for (size_t first = 0; first < samples.count; first += k_rows_at_once) {
        addPiece(network, w, pieceOf(samples, first, network.layers[0].inputs), coefficient, sum,
                 is_new && first == 0, scratch);
    }
}

NeuralLoss loss(const NeuralNetwork& network, const float* w, const Samples& samples, float* scratch)
{
    NeuralLoss sum;
    for (size_t first = 0; first < samples.count; first += k_rows_at_once) {
        const NeuralLoss piece =
            lossOfPiece(network, w, pieceOf(samples, first, network.layers[0].inputs), scratch);
        sum.loss += piece.loss;
        sum.correct += piece.correct;
    }
    return sum;
}

} // namespace

NeuralKernels LAB_KERNELS() { return {addGradient, loss}; }

} // namespace lab
