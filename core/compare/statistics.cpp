#include "core/compare/statistics.h"

#include "core/base/error.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace lab {
namespace {

/// The probability that |T| is below tan(angle) x sqrt(degrees).
double probabilityWithin(double angle, std::size_t degrees)
{
    const double cosine = std::cos(angle);
    const bool is_odd = degrees % 2 == 1;
    // Odd: cos + (2/3) cos^3 + (2 4)/(3 5) cos^5 …; even: 1 + (1/2) cos^2 + (1 3)/(2 4) cos^4 …; up to degrees - 2.
    double term = is_odd ? cosine : 1;
    double sum = 0;
    for (std::size_t power = is_odd ? 1 : 0; power + 2 <= degrees; power += 2) {
        sum += term;
        term *= cosine * cosine * static_cast<double>(power + 1) / static_cast<double>(power + 2);
    }
    sum *= std::sin(angle);
    return is_odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

} // namespace

double studentQuantile(std::size_t degrees)
{
    LAB_EXPECTS(degrees >= 1);
    double low = 0;
    double high = std::numbers::pi / 2;
    while (high - low > 2 * std::numeric_limits<double>::epsilon() * high) {
        const double middle = low + (high - low) / 2;
        (probabilityWithin(middle, degrees) < 0.95 ? low : high) = middle;
    }
    return std::tan(low) * std::sqrt(static_cast<double>(degrees));
}

MeanInterval meanInterval(std::span<const double> values)
{
    MeanInterval result{.runs = values.size(), .mean = std::nan(""), .half_width = {}};
    if (values.empty()) {
        return result;
    }
    const double count = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    result.mean = sum / count;
    if (values.size() == 1 || !std::isfinite(result.mean)) {
        return result;
    }
    double squares = 0;
    for (const double value : values) {
        squares += (value - result.mean) * (value - result.mean);
    }
    result.half_width = studentQuantile(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
    return result;
}

} // namespace lab
