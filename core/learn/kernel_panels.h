#pragma once

#include "core/learn/kernel_lanes.h"

// Part of neural_kernels.cpp, in a namespace without a name: every instruction set has its own copy.

namespace lab {
namespace {

/// to[j][i] = from[i][j] for rows that are 16 numbers long.
[[gnu::always_inline]] inline void transposeFour(const float* from, float* to)
{
    Four rows[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) {
        __builtin_memcpy(&rows[i], from + i * k_panel, sizeof rows[i]);
    }
    const Four ab_low = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Four ab_high = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Four cd_low = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Four cd_high = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    const Four columns[4] = {
        __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
        __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
        __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
        __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7),
    };
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; ++j) {
        __builtin_memcpy(to + j * k_panel, &columns[j], sizeof columns[j]);
    }
}

/// From panels of columns, [columns / P][rows][P], to panels of rows or back; both counts are whole panels.
void transpose(const float* from, size_t rows, size_t columns, float* to)
{
    constexpr size_t k_block = k_panel * k_panel;
    for (size_t p = 0; p < columns / k_panel; ++p) {
        for (size_t q = 0; q < rows / k_panel; ++q) {
            const float* source = from + (p * (rows / k_panel) + q) * k_block;
            float* target = to + (q * (columns / k_panel) + p) * k_block;
            for (size_t i = 0; i < k_panel; i += 4) {
                for (size_t j = 0; j < k_panel; j += 4) {
                    transposeFour(source + i * k_panel + j, target + j * k_panel + i);
                }
            }
        }
    }
}

/// Copies of the rows as panels of features, [features / P][padded rows][P], with zeros where there is nothing.
void gather(const Samples& samples, size_t features, float* to)
{
    const size_t rows = padded(samples.count);
    const size_t whole = features / k_panel;
    for (size_t row = 0; row < rows; ++row) {
        const bool is_there = row < samples.count;
        const size_t index = is_there && samples.rows != nullptr ? samples.rows[row] : row;
        const float* from = samples.x + (is_there ? index * features : 0);
        const size_t used = is_there ? whole : 0;
        for (size_t p = 0; p < used; ++p) {
            __builtin_memcpy(to + (p * rows + row) * k_panel, from + p * k_panel, k_panel * sizeof(float));
        }
        for (size_t p = used; p < padded(features) / k_panel; ++p) {
            float* place = to + (p * rows + row) * k_panel;
            for (size_t i = 0; i < k_panel; ++i) {
                const size_t feature = p * k_panel + i;
                place[i] = is_there && feature < features ? from[feature] : 0.0F;
            }
        }
    }
}

} // namespace
} // namespace lab
