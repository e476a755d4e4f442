#pragma once

#include "core/learn/vector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

/// Rows with what they should be mapped to. Immutable once made; shared by all threads.
struct Dataset {
    using Features = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    std::string name;
    Features x;                           ///< [rows x features]
    std::vector<std::int32_t> labels;     ///< [rows] class of each row, 0 … classes-1; empty for regression
    std::vector<float> targets;           ///< [rows] for regression, and the class number for classification
    int classes = 0;                      ///< 0 for regression
    std::vector<std::string> class_names; ///< [classes], or empty

    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(x.rows()); }
    [[nodiscard]] std::size_t features() const { return static_cast<std::size_t>(x.cols()); }
};

} // namespace lab
