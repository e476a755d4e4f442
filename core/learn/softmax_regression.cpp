#include "core/base/error.h"
#include "core/learn/batch.h"
#include "core/learn/cross_entropy.h"
#include "core/learn/model_catalog.h"

namespace lab {
namespace {

/// Multinomial logistic regression: logits = weights x + biases, cross-entropy loss. Convex.
///
/// Parameters: weights [features x classes], column-major, then biases [classes]. Starts at zero, where every class
/// is equally likely and the loss is log(classes).
class SoftmaxRegression final : public Model {
public:
    SoftmaxRegression(Eigen::Index features, Eigen::Index classes, float l2)
        : features_(features),
          classes_(classes),
          l2_(l2)
    {
    }

    [[nodiscard]] Eigen::Index size() const override { return classes_ * (features_ + 1); }

    [[nodiscard]] Vector initial(std::uint64_t /*seed*/) const override { return Vector::Zero(size()); }

    void addGradient(const Vector& w, const Dataset& data, Rows rows, float coefficient,
                     Vector& sum) const override
    {
        LAB_EXPECTS(sum.size() == size());
        expectShape(w, data);
        const Dataset::Features x = gather(data, rows);
        Eigen::MatrixXf delta = logits(w, x);
        logitsToGradient(delta, data, rows, coefficient);

        Eigen::Map<Eigen::MatrixXf> weights_sum(sum.data(), features_, classes_);
        weights_sum.noalias() += x.transpose() * delta;
        weights_sum += coefficient * l2_ * static_cast<float>(rows.size()) * weights(w);
        sum.tail(classes_) += delta.colwise().sum().transpose();
    }

    [[nodiscard]] LossSum loss(const Vector& w, const Dataset& data, std::size_t first,
                               std::size_t count) const override
    {
        expectShape(w, data);
        return sumInPieces(first, count, [&](std::size_t begin, std::size_t rows) {
            return crossEntropy(logits(w, samplesOf(data, begin, rows)), data, begin);
        });
    }

private:
    void expectShape(const Vector& w, const Dataset& data) const
    {
        LAB_EXPECTS(w.size() == size() && data.x.cols() == features_ && data.classes == classes_);
    }

    [[nodiscard]] Eigen::Map<const Eigen::MatrixXf> weights(const Vector& w) const
    {
        return {w.data(), features_, classes_};
    }

    /// [samples x classes]
    [[nodiscard]] Eigen::MatrixXf logits(const Vector& w, const Eigen::Ref<const Dataset::Features>& x) const
    {
        Eigen::MatrixXf z = x * weights(w);
        z.rowwise() += w.tail(classes_).transpose();
        return z;
    }

    Eigen::Index features_;
    Eigen::Index classes_;
    float l2_;
};

} // namespace

ModelInfo softmaxRegression()
{
    return {"softmax", "Softmax regression",
            "Multinomial logistic regression, one linear layer under a softmax: convex, quick to compute.",
            false, [](const ModelSpec& spec, const Dataset& data) {
                requireClasses(data, "softmax");
                return std::make_unique<const SoftmaxRegression>(data.x.cols(), data.classes,
                                                                 static_cast<float>(spec.l2));
            }};
}

} // namespace lab
