#include "core/grouping/erlang.h"

#include <cmath>
#include <numbers>

namespace lab {
namespace {

/// log(n!), by Stirling's series where n is large; its first term left out is below 1e-14 there.
double logFactorial(std::size_t n)
{
    constexpr std::size_t k_few = 32;
    double sum = 0;
    if (n <= k_few) {
        for (std::size_t k = 2; k <= n; ++k) {
            sum += std::log(static_cast<double>(k));
        }
        return sum;
    }
    const auto x = static_cast<double>(n);
    return x * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi * x) + 1 / (12 * x)
        - 1 / (360 * x * x * x) + 1 / (1260 * std::pow(x, 5));
}

} // namespace

double erlangSurvival(std::size_t stages, double x)
{
    constexpr double k_nothing = 1e-18; // of the sum so far
    const auto termAt = [x](std::size_t events) {
        return std::exp(-x + static_cast<double>(events) * std::log(x) - logFactorial(events));
    };
    double sum = 0;
    if (x >= static_cast<double>(stages)) {
        double term = termAt(stages - 1);
        for (std::size_t events = stages - 1; term > k_nothing * sum; --events) {
            sum += term;
            term *= static_cast<double>(events) / x;
        }
        return sum;
    }
    double term = termAt(stages);
    for (std::size_t events = stages + 1; term > k_nothing * sum; ++events) {
        sum += term;
        term *= x / static_cast<double>(events);
    }
    return 1 - sum;
}

double erlangQuantile(std::size_t stages, double probability)
{
    double low = 0;
    double high = static_cast<double>(stages);
    while (erlangSurvival(stages, high) > 1 - probability) {
        high *= 2;
    }
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (erlangSurvival(stages, middle) > 1 - probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace lab
