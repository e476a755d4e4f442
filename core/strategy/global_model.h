#pragma once

#include "core/base/ids.h"
#include "core/learn/vector.h"

#include <cstdint>
#include <span>

namespace lab {

/// A gradient times a coefficient: one term of what an update is summed from.
struct Term {
    double coefficient = 1;
    Params gradient; ///< [model size]
};

/// The parameters that the server holds, their version, and the only place where they change.
///
/// Heavy ball: buffer <- momentum * buffer + weight * mean gradient; w <- w - learning_rate * buffer.
/// The weight stands inside the buffer, so that with `update_weight: samples` a sample keeps the same total effect
/// however the updates are cut. Momentum 0 is plain SGD and keeps no buffer.
class GlobalModel {
public:
    /// `version` of the parameters to start at.
    GlobalModel(Params start_at, double learning_rate, double momentum, Version version = 0);

    [[nodiscard]] const Params& params() const { return params_; }
    [[nodiscard]] Version version() const { return version_; }

    /// One update. `terms` are sums over rows that together stand for `samples` rows; they are added in the order
    /// given, in double where there is more than one. Requires samples > 0 and at least one term.
    void apply(std::span<const Term> terms, std::int64_t samples, double weight);

private:
    Params params_;
    Version version_;
    double learning_rate_;
    double momentum_;
    Vector buffer_; ///< [model size] with momentum, else empty
};

} // namespace lab
