#pragma once

#include "core/base/rng.h"
#include "core/learn/dataset.h"

#include <cstddef>
#include <cstdint>

namespace lab::test {

/// Random rows in [-1, 1] and random classes, all of them present where there are enough rows.
[[nodiscard]] inline Dataset randomData(std::size_t rows, std::size_t features, int classes,
                                        std::uint64_t seed)
{
    Dataset data;
    data.name = "random";
    data.classes = classes;
    data.x.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(features));
    Rng rng(seed, Purpose::Dataset, 0, 0);
    for (float& value : data.x.reshaped()) {
        value = static_cast<float>(2 * rng.uniform() - 1);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        data.labels.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(classes))));
        data.targets.push_back(static_cast<float>(data.labels.back()));
    }
    return data;
}

} // namespace lab::test
