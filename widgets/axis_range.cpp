#include "widgets/axis_range.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_limit = 1e300; ///< beyond it differences overflow

double tamed(double value) { return std::isfinite(value) ? std::clamp(value, -k_limit, k_limit) : 0; }

} // namespace

AxisRange safeRange(double one, double other)
{
    double low = std::min(tamed(one), tamed(other));
    double high = std::max(tamed(one), tamed(other));
    const double least = std::max({std::abs(low), std::abs(high), 1e-9}) * 1e-6;
    if (high - low < least) {
        low -= least;
        high += least;
    }
    return {low, high};
}

double growEnd(double end, double data_end)
{
    const double wanted = tamed(data_end);
    return wanted <= end ? end : std::max(wanted, 1e-9) * 1.25;
}

double niceStep(double length, int count)
{
    if (!(length > 0) || !std::isfinite(length) || count < 1) {
        return 1;
    }
    const double raw = length / count;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (raw <= digit * power * 1.0001) {
            return digit * power;
        }
    }
    return 10 * power;
}

std::vector<double> linearTicks(AxisRange range, int count)
{
    std::vector<double> ticks;
    const double step = niceStep(range.to - range.from, count);
    const double first = std::ceil(range.from / step - 1e-9);
    for (double k = first; k * step <= range.to + step * 1e-9 && ticks.size() < 64; ++k) {
        ticks.push_back(k * step);
    }
    return ticks;
}

std::vector<double> logarithmicTicks(AxisRange exponents, int count)
{
    const double decades = exponents.to - exponents.from;
    if (decades < 0.8) {
        return linearTicks(safeRange(std::pow(10.0, exponents.from), std::pow(10.0, exponents.to)), count);
    }
    const std::vector<double> mantissas =
        decades < 2.5 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
    const double every = std::max(1.0, std::ceil(decades / std::max(1, count)));
    std::vector<double> ticks;
    for (double power = std::floor(exponents.from); power <= exponents.to; ++power) {
        if (std::fmod(power, every) != 0) {
            continue;
        }
        for (const double mantissa : mantissas) {
            const double at = power + std::log10(mantissa);
            if (at >= exponents.from - 1e-9 && at <= exponents.to + 1e-9) {
                ticks.push_back(std::pow(10.0, at));
            }
        }
    }
    if (ticks.size() < 2) {
        ticks = {std::pow(10.0, exponents.from), std::pow(10.0, exponents.to)};
    }
    return ticks;
}

QString tickText(double value)
{
    return QString::number(value, 'g', 6); // ticks are round numbers: more digits would be noise, fewer a lie
}

} // namespace lab
