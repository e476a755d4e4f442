#include "core/learn/cross_entropy.h"

#include "core/base/error.h"

#include <cmath>

namespace lab {

void logitsToGradient(Eigen::MatrixXf& logits, const Dataset& data, Rows rows, float coefficient)
{
    // With the greatest logit taken off, no exponential exceeds 1 and their sum is at least 1.
    const Eigen::RowVectorXf greatest = logits.colwise().maxCoeff();
    logits.rowwise() -= greatest;
    logits = logits.array().exp().matrix();
    for (Eigen::Index column = 0; column < logits.cols(); ++column) {
        logits.col(column) *= coefficient / logits.col(column).sum();
        logits(data.labels[rows[static_cast<std::size_t>(column)]], column) -= coefficient;
    }
}

LossSum crossEntropy(const Eigen::MatrixXf& logits, const Dataset& data, std::size_t first)
{
    LossSum sum;
    sum.rows = logits.cols();
    for (Eigen::Index column = 0; column < logits.cols(); ++column) {
        const auto row = logits.col(column);
        const Eigen::Index label = data.labels[first + static_cast<std::size_t>(column)];
        Eigen::Index best = 0;
        for (Eigen::Index k = 1; k < row.size(); ++k) {
            if (row[k] > row[best]) {
                best = k;
            }
        }
        // In double from here on: the difference of two finite floats may exceed what a float holds.
        const double excess = (row.array() - row[best]).exp().sum();
        const double loss =
            std::log(excess) + (static_cast<double>(row[best]) - static_cast<double>(row[label]));
        sum.loss += loss;
        // Not-a-number compares false with everything, which would make the first class win: it is right for no row.
        sum.correct += best == label && std::isfinite(loss) ? 1 : 0;
    }
    return sum;
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
