#include "core/compare/target.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lab {

double timeToTarget(std::span<const Evaluation> curve, const Target& target)
{
    const auto loss = [&](const Evaluation& one) {
        const double value = target.loss == Target::Loss::Training ? one.train_loss : one.validation_loss;
        return std::isnan(value) ? k_never : value;
    };
    for (std::size_t i = 2; i < curve.size(); ++i) {
        std::array<double, 3> last{loss(curve[i - 2]), loss(curve[i - 1]), loss(curve[i])};
        std::ranges::sort(last);
        if (last[1] <= target.value) {
            return toSeconds(curve[i].time);
        }
    }
    return k_never;
}

} // namespace lab
