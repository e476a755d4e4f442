#pragma once

#include "core/grouping/task_law.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lab {

/// Places and weights: the sum of weight * g(at) approximates the integral of g over t >= 0.
struct Quadrature {
    std::vector<double> at;
    std::vector<double> weight;
};

/// How exact a quadrature is.
struct QuadratureRules {
    double tolerance = 1e-9;        ///< relative to the smallest mean of the laws
    std::size_t most_pieces = 0;    ///< above this many jumps, neighbouring ones are lumped; 0: never
    std::size_t most_halvings = 14; ///< of a smooth piece
};

/// A quadrature for any g(t) = P(T > t) where T is made of independent times with these laws by minima, maxima or
/// order statistics.
///
/// The jumps of all laws bound the pieces. Where every law is constant one place per piece is exact; other pieces use
/// Gauss-Legendre's 8 places, halved until the mean law, the maximum and the minimum of all are within tolerance.
/// Behind the last piece follows the exp-sinh rule, t = last + c exp(pi/2 sinh u), to which exponential and power
/// tails are equally easy.
[[nodiscard]] Quadrature quadratureFor(std::span<const TaskLaw> laws, const QuadratureRules& rules = {});

} // namespace lab
