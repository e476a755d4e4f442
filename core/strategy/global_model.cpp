#include "core/strategy/global_model.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

// Compiled for AVX2 as well; the dynamic linker takes what the processor knows. Without fused multiply-add, so that wider
// vectors change no bit. The sanitizers do without: they cannot follow the linker's choice.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)                              \
    && !defined(__SANITIZE_THREAD__)
#define LAB_WIDER [[gnu::target_clones("default", "avx2")]]
#else
#define LAB_WIDER
#endif

namespace lab {
namespace {

constexpr std::size_t k_block = 1024; ///< doubles that stay in the first-level cache

/// to = from - rate * by.
LAB_WIDER void step(const float* from, float rate, const float* by, std::size_t size, float* __restrict to)
{
    for (std::size_t i = 0; i < size; ++i) {
        to[i] = from[i] - rate * by[i];
    }
}

/// sum = a * x.
LAB_WIDER void begin(double a, const float* x, std::size_t size, double* sum)
{
    for (std::size_t i = 0; i < size; ++i) {
        sum[i] = a * static_cast<double>(x[i]);
    }
}

/// sum = (sum + a * x) + b * y.
LAB_WIDER void addTwo(double a, const float* x, double b, const float* y, std::size_t size, double* sum)
{
    for (std::size_t i = 0; i < size; ++i) {
        sum[i] = (sum[i] + a * static_cast<double>(x[i])) + b * static_cast<double>(y[i]);
    }
}

LAB_WIDER void addOne(double a, const float* x, std::size_t size, double* sum)
{
    for (std::size_t i = 0; i < size; ++i) {
        sum[i] += a * static_cast<double>(x[i]);
    }
}

LAB_WIDER void round(const double* sum, std::size_t size, float* to)
{
    for (std::size_t i = 0; i < size; ++i) {
        to[i] = static_cast<float>(sum[i]);
    }
}

Params stepped(const Vector& from, double rate, const Vector& by)
{
    auto to = std::make_shared<Vector>(from.size());
    step(from.data(), static_cast<float>(rate), by.data(), static_cast<std::size_t>(from.size()), to->data());
    return to;
}

Vector sumOf(std::span<const Term> terms)
{
    const auto size = static_cast<std::size_t>(terms.front().gradient->size());
    LAB_EXPECTS(std::ranges::all_of(
        terms, [&](const Term& term) { return static_cast<std::size_t>(term.gradient->size()) == size; }));
    Vector result(terms.front().gradient->size());
    std::array<double, k_block> sum;
    for (std::size_t first = 0; first < size; first += k_block) {
        const std::size_t length = std::min(k_block, size - first);
        const auto at = [&](std::size_t term) { return terms[term].gradient->data() + first; };
        begin(terms[0].coefficient, at(0), length, sum.data());
        std::size_t t = 1;
        for (; t + 1 < terms.size(); t += 2) { // by twos: every number of the sum is fetched half as often
            addTwo(terms[t].coefficient, at(t), terms[t + 1].coefficient, at(t + 1), length, sum.data());
        }
        if (t < terms.size()) {
            addOne(terms[t].coefficient, at(t), length, sum.data());
        }
        round(sum.data(), length, result.data() + first);
    }
    return result;
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
        params_ = stepped(*params_, learning_rate_ * share, sum);
    } else {
        buffer_ = static_cast<float>(momentum_) * buffer_ + static_cast<float>(share) * sum;
        params_ = stepped(*params_, learning_rate_, buffer_);
    }
}

} // namespace lab
