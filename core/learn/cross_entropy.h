#pragma once

#include "core/learn/model.h"

namespace lab {

/// Multinomial cross-entropy: a row with logits z and class c has the loss -log softmax(z)[c] = log sum exp(z) - z[c].
/// Written so that it never overflows: any finite logits have a finite loss and gradient.

/// Turns logits into `coefficient` times the gradient of the loss by them, softmax(z) - 1 at c. [rows x classes]
void logitsToGradient(Eigen::MatrixXf& logits, const Dataset& data, Rows rows, float coefficient);

/// Sums over all of `logits` [rows x classes], which belong to the rows of `data` from `first` on.
/// A row counts as right when its class has the greatest logit; of equal logits the first class wins.
[[nodiscard]] LossSum crossEntropy(const Eigen::MatrixXf& logits, const Dataset& data, std::size_t first);

/// Throws Error unless `data` has at least two classes.
void requireClasses(const Dataset& data, const char* model);

} // namespace lab
