#include "core/base/error.h"
#include "core/learn/batch.h"
#include "core/learn/model_catalog.h"

#include <cmath>

namespace lab {
namespace {

/// One output, y = weights . x + bias, fitted to Dataset::targets by least squares.
///
/// The loss of a row is (y - target)^2 / 2, the convention of the least-mean-squares rule: its gradient is
/// (y - target) x without a factor 2. Data with classes works too: the target is the number of the class, and a
/// row counts as right when its class is the whole number nearest to y.
/// Parameters: weights [features], then the bias.
/// Rule: Widrow, Hoff, "Adaptive Switching Circuits", IRE WESCON 1960.
class LinearRegression final : public Model {
public:
    LinearRegression(Eigen::Index features, float l2) : features_(features), l2_(l2) {}

    [[nodiscard]] Eigen::Index size() const override { return features_ + 1; }

    [[nodiscard]] Vector initial(std::uint64_t /*seed*/) const override { return Vector::Zero(size()); }

    void addGradient(const Vector& w, const Dataset& data, Rows rows, float coefficient,
                     Vector& sum) const override
    {
        LAB_EXPECTS(w.size() == size() && sum.size() == size() && data.x.cols() == features_);
        expectRows(data, rows);
        for (const std::uint32_t row : rows) {
            const float residual = predict(w, data, row) - data.targets[row];
            sum.head(features_) += coefficient * residual * data.x.row(row).transpose();
            sum[features_] += coefficient * residual;
        }
        sum.head(features_) += coefficient * l2_ * static_cast<float>(rows.size()) * w.head(features_);
    }

    [[nodiscard]] LossSum loss(const Vector& w, const Dataset& data, std::size_t first,
                               std::size_t count) const override
    {
        LAB_EXPECTS(w.size() == size() && data.x.cols() == features_);
        expectRows(data, first, count);
        LossSum sum;
        sum.rows = static_cast<std::int64_t>(count);
        for (std::size_t row = first; row < first + count; ++row) {
            const double output = predict(w, data, row);
            const double residual = output - static_cast<double>(data.targets[row]);
            sum.loss += 0.5 * residual * residual;
            sum.correct += data.classes > 0 && std::round(output) == data.labels[row] ? 1 : 0;
        }
        return sum;
    }

private:
    [[nodiscard]] float predict(const Vector& w, const Dataset& data, std::size_t row) const
    {
        return data.x.row(static_cast<Eigen::Index>(row)).dot(w.head(features_)) + w[features_];
    }

    Eigen::Index features_;
    float l2_;
};

} // namespace

ModelInfo linearRegression()
{
    return {"linear", "Linear regression",
            "One output fitted by least squares: convex, with the fewest parameters.", false,
            [](const ModelSpec& spec, const Dataset& data) {
                return std::make_unique<const LinearRegression>(data.x.cols(), static_cast<float>(spec.l2));
            }};
}

} // namespace lab
