#include "core/compare/target.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lab {
namespace {

double lossOf(const Evaluation& one, Target::Loss which)
{
    const double value = which == Target::Loss::Training ? one.train_loss : one.validation_loss;
    return std::isnan(value) ? k_never : value;
}

/// The median of an evaluation and the two before it. Requires i >= 2.
double medianAt(std::span<const Evaluation> curve, std::size_t i, Target::Loss which)
{
    std::array<double, 3> last{lossOf(curve[i - 2], which), lossOf(curve[i - 1], which),
                               lossOf(curve[i], which)};
    std::ranges::sort(last);
    return last[1];
}

} // namespace

double timeToTarget(std::span<const Evaluation> curve, const Target& target)
{
    for (std::size_t i = 2; i < curve.size(); ++i) {
        if (medianAt(curve, i, target.loss) <= target.value) {
            return toSeconds(curve[i].time);
        }
    }
    return k_never;
}

double lowestLoss(std::span<const Evaluation> curve)
{
    double lowest = k_never;
    for (std::size_t i = 2; i < curve.size(); ++i) {
        lowest = std::min(lowest, medianAt(curve, i, Target::Loss::Training));
    }
    return lowest;
}

} // namespace lab
