#pragma once

#include "core/learn/dataset.h"
#include "core/learn/instruction_set.h"
#include "core/learn/vector.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// Indices of training rows.
using Rows = std::span<const std::uint32_t>;

/// The sums over some rows that an evaluation is made of; sums of parts add up to the sum of the whole.
struct LossSum {
    double loss = 0;          ///< sum of the rows' losses, without the l2 penalty
    std::int64_t correct = 0; ///< rows whose class is predicted right; 0 for regression
    std::int64_t rows = 0;
};

/// The model part of an experiment.
struct ModelSpec {
    std::string kind = "mlp";    ///< linear, softmax, mlp or none
    std::vector<int> hidden{32}; ///< mlp: width of each hidden layer
    double l2 = 1e-4;            ///< penalty l2 / 2 * |weights|^2 per row; biases go free
    std::int64_t parameters = 0; ///< none: how many a message would hold

    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

/// What is trained: a pure function from parameters and rows to a loss and its gradient.
///
/// Stateless and safe to use from any thread; equal inputs give equal bits.
class Model {
public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    virtual ~Model() = default;

    /// Number of parameters.
    [[nodiscard]] virtual Eigen::Index size() const = 0;
    /// What its arithmetic is compiled for.
    [[nodiscard]] virtual InstructionSet instructionSet() const = 0;
    /// Parameters to start from, a pure function of the seed. [size()]
    [[nodiscard]] virtual Vector initial(std::uint64_t seed) const = 0;
    /// Adds `coefficient` times the sum over `rows` of the gradient of (row's loss + l2 / 2 * |weights|^2) to `sum`.
    /// `w` is [size()], `sum` too, or it is empty and stands for zeros, until a row is added. Sums, not means: a
    /// mean is taken once, when all parts are together.
    virtual void addGradient(const Vector& w, const Dataset& data, Rows rows, float coefficient,
                             Vector& sum) const = 0;
    /// Sums over the rows first … first+count-1 of `data`. A non-finite loss is reported as it is.
    [[nodiscard]] virtual LossSum loss(const Vector& w, const Dataset& data, std::size_t first,
                                       std::size_t count) const = 0;
};

} // namespace lab
