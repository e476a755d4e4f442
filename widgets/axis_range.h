#pragma once

#include <QString>

#include <vector>

namespace lab {

/// Two ends of an axis: finite, `from` < `to`, far enough apart for arithmetic between them.
struct AxisRange {
    double from = 0;
    double to = 1;
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

/// The range that holds both values, whatever they are: equal, reversed, not finite, huge.
[[nodiscard]] AxisRange safeRange(double one, double other);

/// An axis from 0 that follows growing data: it grows by a quarter at a time, so that it seldom moves.
[[nodiscard]] double growEnd(double end, double data_end);

/// 1, 2 or 5 times a power of ten: the step that gives about `count` ticks.
[[nodiscard]] double niceStep(double length, int count);

/// Ticks at multiples of the nice step, inside the range.
[[nodiscard]] std::vector<double> linearTicks(AxisRange range, int count);

/// Round numbers for a logarithmic axis whose ends are given as powers of ten: about `count` of them, at least two.
[[nodiscard]] std::vector<double> logarithmicTicks(AxisRange exponents, int count);

/// The number of a tick in few digits, with a dot as the decimal mark.
[[nodiscard]] QString tickText(double value);

} // namespace lab
