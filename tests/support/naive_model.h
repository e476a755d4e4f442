#pragma once

#include "core/learn/model.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace lab::naive {

/// The models once more, written as one would on paper: in double, one number at a time, with no gradient at all.
/// What the real ones are measured against; the layout of the parameters is part of what they share.

using Numbers = std::vector<double>;

/// outputs = weights x + biases; `at` moves behind the layer's parameters.
inline Numbers layer(const Numbers& w, std::size_t& at, const Numbers& x, std::size_t outputs)
{
    Numbers y(outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
        y[o] = w[at + x.size() * outputs + o];
        for (std::size_t i = 0; i < x.size(); ++i) {
            y[o] += w[at + o * x.size() + i] * x[i];
        }
    }
    at += (x.size() + 1) * outputs;
    return y;
}

/// Widths of all layers but the input.
inline std::vector<std::size_t> widths(const ModelSpec& spec, const Dataset& data)
{
    std::vector<std::size_t> list;
    if (spec.kind == "mlp") {
        list.assign(spec.hidden.begin(), spec.hidden.end());
    }
    list.push_back(spec.kind == "linear" ? 1 : static_cast<std::size_t>(data.classes));
    return list;
}

/// What the last layer puts out for one row.
inline Numbers outputs(const ModelSpec& spec, const Numbers& w, const Dataset& data, std::size_t row)
{
    Numbers values;
    for (std::size_t i = 0; i < data.features(); ++i) {
        values.push_back(
            static_cast<double>(data.x(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(i))));
    }
    std::size_t at = 0;
    for (const std::size_t width : widths(spec, data)) {
        if (at > 0) {
            for (double& value : values) {
                value = value > 0.0 ? value : 0.0;
            }
        }
        values = layer(w, at, values, width);
    }
    return values;
}

/// One row's loss, without the penalty.
inline double loss(const ModelSpec& spec, const Numbers& w, const Dataset& data, std::size_t row)
{
    const Numbers z = outputs(spec, w, data, row);
    if (spec.kind == "linear") {
        const double residual = z[0] - static_cast<double>(data.targets[row]);
        return residual * residual / 2;
    }
    double greatest = z[0];
    for (const double value : z) {
        greatest = std::max(greatest, value);
    }
    double sum = 0;
    for (const double value : z) {
        sum += std::exp(value - greatest);
    }
    return std::log(sum) + greatest - z[static_cast<std::size_t>(data.labels[row])];
}

/// The penalty of one row.
inline double penalty(const ModelSpec& spec, const Numbers& w, const Dataset& data)
{
    double squares = 0;
    std::size_t at = 0;
    std::size_t inputs = data.features();
    for (const std::size_t width : widths(spec, data)) {
        for (std::size_t k = 0; k < inputs * width; ++k) {
            squares += w[at + k] * w[at + k];
        }
        at += (inputs + 1) * width;
        inputs = width;
    }
    return spec.l2 / 2 * squares;
}

/// The gradient of the rows' losses and penalties by central differences.
inline Numbers gradient(const ModelSpec& spec, Numbers w, const Dataset& data, Rows rows)
{
    const auto total = [&] {
        double sum = 0;
        for (const std::uint32_t row : rows) {
            sum += loss(spec, w, data, row) + penalty(spec, w, data);
        }
        return sum;
    };
    constexpr double k_step = 0x1.0p-20;
    Numbers slopes;
    for (double& value : w) {
        const double kept = value;
        value = kept + k_step;
        const double above = total();
        value = kept - k_step;
        const double below = total();
        value = kept;
        slopes.push_back((above - below) / (2 * k_step));
    }
    return slopes;
}

inline Numbers toDouble(const Vector& values) { return {values.begin(), values.end()}; }

/// Greatest difference, as a share of the greatest expected value (or of 1 where that is less).
inline double distance(const Vector& actual, const Numbers& expected)
{
    double greatest = 1;
    double difference = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        greatest = std::max(greatest, std::abs(expected[k]));
        difference = std::max(
            difference, std::abs(static_cast<double>(actual[static_cast<Eigen::Index>(k)]) - expected[k]));
    }
    return difference / greatest;
}

} // namespace lab::naive
