#include "core/base/error.h"
#include "core/strategy/group_rules.h"

#include <algorithm>

namespace lab {

std::shared_ptr<Decoder> CodeCache::decoder(std::size_t workers, std::size_t tolerance,
                                            const std::vector<double>& speeds)
{
    tolerance = std::min(tolerance, workers - 1);
    if (tolerance > 0 && kind_ == CodeKind::Heterogeneous) {
        return std::make_shared<Decoder>(make(workers, tolerance, speeds));
    }
    auto& kept = made_[{workers, tolerance}];
    if (!kept) {
        kept = std::make_shared<Decoder>(make(workers, tolerance, speeds));
    }
    return kept;
}

std::shared_ptr<const GradientCode> CodeCache::make(std::size_t workers, std::size_t tolerance,
                                                    const std::vector<double>& speeds) const
{
    if (tolerance == 0) {
        return uncoded(workers);
    }
    try {
        if (kind_ == CodeKind::Cyclic) {
            return cyclicRepetition(workers, tolerance, seed_);
        }
        if (kind_ == CodeKind::Heterogeneous) {
            return heterogeneityAware(speeds, tolerance, seed_);
        }
    } catch (const Error&) {
        // The code for the whole group was checked before the run. This is one for survivors, and a run must go on;
        // repetition has no coefficients that could be bad.
    }
    return fractionalRepetition(workers, tolerance);
}

} // namespace lab
