#include "core/strategy/global_model.h"

#include "core/base/error.h"

#include <memory>
#include <utility>

namespace lab {
namespace {

Vector sumOf(std::span<const Term> terms)
{
    Eigen::VectorXd sum = terms.front().coefficient * terms.front().gradient->cast<double>();
    for (const Term& term : terms.subspan(1)) {
        sum += term.coefficient * term.gradient->cast<double>();
    }
    return sum.cast<float>();
}

} // namespace

GlobalModel::GlobalModel(Params start_at, double learning_rate, double momentum, Version version)
    : params_(std::move(start_at)),
      version_(version),
      learning_rate_(learning_rate),
      momentum_(momentum)
{
    LAB_EXPECTS(params_ != nullptr);
    if (momentum_ != 0) {
        buffer_ = Vector::Zero(params_->size());
    }
}

void GlobalModel::apply(std::span<const Term> terms, std::int64_t samples, double weight)
{
    LAB_EXPECTS(!terms.empty() && samples > 0);
    ++version_;
    if (params_->size() == 0) {
        return; // a run for its times alone
    }
    // A single plain term needs no sum: the asynchronous rules pass here for every gradient.
    const bool is_plain = terms.size() == 1 && terms.front().coefficient == 1;
    const Vector summed = is_plain ? Vector() : sumOf(terms);
    const Vector& sum = is_plain ? *terms.front().gradient : summed;
    LAB_EXPECTS(sum.size() == params_->size());

    const double share = weight / static_cast<double>(samples);
    if (momentum_ == 0) {
        params_ = std::make_shared<const Vector>(*params_ - static_cast<float>(learning_rate_ * share) * sum);
    } else {
        buffer_ = static_cast<float>(momentum_) * buffer_ + static_cast<float>(share) * sum;
        params_ = std::make_shared<const Vector>(*params_ - static_cast<float>(learning_rate_) * buffer_);
    }
}

} // namespace lab
