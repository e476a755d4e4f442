#pragma once

#include "core/learn/kernel_lanes.h"

// Part of neural_kernels.cpp, in a namespace without a name: every instruction set has its own copy.

namespace lab {
namespace {

/// exp(x) for x <= 0, to a unit in the last place; below -87 as at -87; not-a-number stays what it is.
/// x = n log 2 + r with |r| <= log(2) / 2, and 2^n times the series of exp(r) up to r^7 / 7!.
[[gnu::always_inline]] inline Lanes expOf(Lanes x)
{
    constexpr float k_round =
        12582912.0F; // 1.5 * 2^23: adding it leaves the nearest whole number in the low bits
    const Lanes least = Lanes{} - 87.0F;
    x = x < least ? least : x;
    const Lanes shifted = x * 1.44269504F + k_round;
    const Lanes n = shifted - k_round;
    const Lanes r =
        (x - n * 0.693359375F) + n * 2.12194440e-4F; // log 2 in two parts, the first exact in 10 bits
    Lanes series = r * (1.0F / 5040) + 1.0F / 720;
    series = series * r + 1.0F / 120;
    series = series * r + 1.0F / 24;
    series = series * r + 1.0F / 6;
    series = series * r + 0.5F;
    series = series * r + 1.0F;
    series = series * r + 1.0F;
    Whole bits;
    __builtin_memcpy(&bits, &shifted, sizeof bits);
    bits = (bits - 0x4B400000 + 127) << 23;
    Lanes power;
    __builtin_memcpy(&power, &bits, sizeof power);
    return series * power;
}

size_t rowOf(const Samples& samples, size_t i) { return samples.rows != nullptr ? samples.rows[i] : i; }

/// A row's greatest output, and the sum over its outputs of exp(output - greatest), which is at least 1: no exponential
/// overflows. The outputs become these exponentials where `keeps`.
struct Softmax {
    Lanes greatest;
    Lanes sum;
};
[[gnu::always_inline]] inline Softmax softmax(float* outputs, size_t classes, size_t stride, bool keeps)
{
    Lanes greatest = load(outputs);
    for (size_t c = 1; c < classes; ++c) {
        const Lanes other = load(outputs + c * stride);
        greatest = other > greatest ? other : greatest;
    }
    Lanes sum = Lanes{};
    for (size_t c = 0; c < classes; ++c) {
        const Lanes share = expOf(load(outputs + c * stride) - greatest);
        sum += share;
        if (keeps) {
            store(outputs + c * stride, share);
        }
    }
    return {greatest, sum};
}

/// Turns outputs [classes][stride] into `coefficient` times the gradient of the loss by them; zero beyond the rows.
void outputsToGradient(const NeuralNetwork& network, const Samples& samples, float coefficient,
                       float* outputs)
{
    const size_t count = network.layers[network.depth - 1].outputs;
    const size_t stride = padded(samples.count);
    if (network.is_classes) {
        for (size_t row = 0; row < stride; row += k_lanes) {
            const Softmax of = softmax(outputs + row, count, stride, true);
            const Lanes share = coefficient / of.sum;
            for (size_t c = 0; c < count; ++c) {
                store(outputs + c * stride + row, load(outputs + c * stride + row) * share);
            }
        }
        for (size_t row = 0; row < samples.count; ++row) {
            const auto label = static_cast<size_t>(samples.labels[rowOf(samples, row)]);
            outputs[label * stride + row] -= coefficient;
        }
    } else {
        for (size_t row = 0; row < samples.count; ++row) {
            outputs[row] = coefficient * (outputs[row] - samples.targets[rowOf(samples, row)]);
        }
    }
    for (size_t c = 0; c < count; ++c) {
        for (size_t row = samples.count; row < stride; ++row) {
            outputs[c * stride + row] = 0;
        }
    }
}

/// Of equal outputs the first class wins.
bool isFirstGreatest(const float* outputs, size_t stride, size_t label, float greatest)
{
    for (size_t c = 0; c < label; ++c) {
        if (outputs[c * stride] == greatest) {
            return false;
        }
    }
    return outputs[label * stride] == greatest;
}

NeuralLoss classLoss(const Samples& samples, size_t classes, float* outputs)
{
    const size_t stride = padded(samples.count);
    NeuralLoss sum;
    for (size_t row = 0; row < samples.count; row += k_lanes) {
        const Softmax of = softmax(outputs + row, classes, stride, false);
        for (size_t lane = 0; lane < k_lanes && row + lane < samples.count; ++lane) {
            const auto label = static_cast<size_t>(samples.labels[rowOf(samples, row + lane)]);
            const float* own = outputs + row + lane;
            const float greatest = of.greatest[lane];
            // In double: the difference of two finite floats may exceed what a float holds.
            const double loss = __builtin_log(static_cast<double>(of.sum[lane]))
                + (static_cast<double>(greatest) - static_cast<double>(own[label * stride]));
            sum.loss += loss;
            sum.correct += isFirstGreatest(own, stride, label, greatest) && __builtin_isfinite(loss) ? 1 : 0;
        }
    }
    return sum;
}

NeuralLoss numberLoss(const Samples& samples, const float* outputs)
{
    NeuralLoss sum;
    for (size_t i = 0; i < samples.count; ++i) {
        const size_t row = rowOf(samples, i);
        const double output = outputs[i];
        const double residual = output - static_cast<double>(samples.targets[row]);
        sum.loss += 0.5 * residual * residual;
        sum.correct += samples.labels != nullptr && __builtin_round(output) == samples.labels[row] ? 1 : 0;
    }
    return sum;
}

} // namespace
} // namespace lab
