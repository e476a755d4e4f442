#pragma once

#include <cstddef>
#include <cstdint>

// Plain values only: what is compiled for other instruction sets must share no inline function with the rest.

namespace lab {

/// Where one layer's parameters stand in the flat vector: weights [inputs x outputs], column-major, then biases
/// [outputs].
struct Layer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::size_t offset = 0;
};

/// Rows or units that stand side by side in the kernels' layout of activations.
inline constexpr std::size_t k_panel = 16;

inline constexpr std::size_t k_most_layers = 32;

/// Fully connected layers, ReLU between them.
struct NeuralNetwork {
    const Layer* layers = nullptr;
    std::size_t depth = 0; ///< number of layers, 1 to k_most_layers
    bool is_classes =
        false;    ///< cross-entropy of a softmax at the end; else half the squared error of one output
    float l2 = 0; ///< penalty l2 / 2 * |weights|^2 per row; biases go free
};

/// Rows of a data set.
struct Samples {
    const float* x = nullptr;             ///< [… x features], row-major
    const std::uint32_t* rows = nullptr;  ///< [count] which of them; null: the first ones
    std::size_t count = 0;                ///< how many
    const std::int32_t* labels = nullptr; ///< class of each row of x; null for a regression
    const float* targets = nullptr;       ///< number that each row of x is mapped to; null for classes
};

/// Sums over rows.
struct NeuralLoss {
    double loss = 0;          ///< without the l2 penalty
    std::int64_t correct = 0; ///< rows whose class is predicted right
};

/// Rows that are worked on at once: their activations stay in the second-level cache, however large a batch is.
inline constexpr std::size_t k_rows_at_once = 128;

/// The arithmetic of a network, compiled once for each instruction set.
///
/// Pure functions of their arguments, with sums in an order that depends on neither caches, alignment nor vector
/// width. `scratch` holds scratchFloats() numbers, aligned to 64 bytes; what it holds before does not matter.
struct NeuralKernels {
    /// Adds `coefficient` times the sum over the rows of the gradient of (row's loss + penalty) to `sum`, which counts
    /// as zeros where it `is_new`. `w` and `sum` are [parameters]. Requires a row.
    void (*add_gradient)(const NeuralNetwork&, const float* w, const Samples&, float coefficient, float* sum,
                         bool is_new, float* scratch) = nullptr;
    /// Sums over the rows.
    NeuralLoss (*loss)(const NeuralNetwork&, const float* w, const Samples&, float* scratch) = nullptr;
};

} // namespace lab
