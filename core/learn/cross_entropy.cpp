#include "core/learn/cross_entropy.h"

#include "core/base/error.h"

#include <cmath>

namespace lab {
namespace {

bool isFirstGreatest(const Eigen::MatrixXf& logits, Eigen::Index row, Eigen::Index label, float greatest)
{
    if (logits(row, label) != greatest) {
        return false;
    }
    for (Eigen::Index k = 0; k < label; ++k) {
        if (logits(row, k) == greatest) {
            return false;
        }
    }
    return true;
}

} // namespace

void logitsToGradient(Eigen::MatrixXf& logits, const Dataset& data, Rows rows, float coefficient)
{
    // With the greatest logit taken off, no exponential exceeds 1 and their sum is at least 1.
    const Eigen::VectorXf greatest = logits.rowwise().maxCoeff();
    logits.colwise() -= greatest;
    logits = logits.array().exp().matrix();
    const Eigen::ArrayXf share = coefficient / logits.rowwise().sum().array();
    logits.array().colwise() *= share;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        logits(static_cast<Eigen::Index>(i), data.labels[rows[i]]) -= coefficient;
    }
}

LossSum crossEntropy(const Eigen::MatrixXf& logits, const Dataset& data, std::size_t first)
{
    const Eigen::VectorXf greatest = logits.rowwise().maxCoeff();
    const Eigen::VectorXf excess = (logits.colwise() - greatest).array().exp().rowwise().sum();
    LossSum sum;
    sum.rows = logits.rows();
    for (Eigen::Index i = 0; i < logits.rows(); ++i) {
        const Eigen::Index label = data.labels[first + static_cast<std::size_t>(i)];
        // In double: the difference of two finite floats may exceed what a float holds.
        const double loss = std::log(static_cast<double>(excess[i]))
            + (static_cast<double>(greatest[i]) - static_cast<double>(logits(i, label)));
        sum.loss += loss;
        sum.correct += isFirstGreatest(logits, i, label, greatest[i]) && std::isfinite(loss) ? 1 : 0;
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
