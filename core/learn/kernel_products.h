#pragma once

#include "core/learn/kernel_lanes.h"

// Part of neural_kernels.cpp, in a namespace without a name: every instruction set has its own copy.

namespace lab {
namespace {

/// The factor whose numbers are broadcast.
struct Left {
    const float* data;
    size_t row;  ///< from one row of the result to the next
    size_t step; ///< from one term of the sum to the next
};

/// The factor that is read as vectors.
struct Right {
    const float* data;
    size_t panel; ///< from one panel to the next
    size_t step;  ///< from one term of the sum to the next
};

template <size_t Rows, size_t Width, class Begin, class End>
[[gnu::always_inline]] inline void tile(const Left& left, const Right& right, size_t depth, size_t row,
                                        size_t v, Begin begin, End end)
{
    Lanes sum[Rows][Width];
#pragma GCC unroll 8
    for (size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
        for (size_t j = 0; j < Width; ++j) {
            sum[i][j] = begin(row + i);
        }
    }
    const float* a = left.data + row * left.row;
    const float* b = right.data + placeOf(v, right.panel);
    const size_t next = placeOf(v + 1, right.panel) - placeOf(v, right.panel);
    for (size_t k = 0; k < depth; ++k) {
        Lanes vectors[Width];
#pragma GCC unroll 2
        for (size_t j = 0; j < Width; ++j) {
            vectors[j] = load(b + j * next);
        }
#pragma GCC unroll 8
        for (size_t i = 0; i < Rows; ++i) {
            const float factor = a[i * left.row];
#pragma GCC unroll 2
            for (size_t j = 0; j < Width; ++j) {
                sum[i][j] += factor * vectors[j];
            }
        }
        a += left.step;
        b += right.step;
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
        for (size_t j = 0; j < Width; ++j) {
            end(row + i, v + j, sum[i][j]);
        }
    }
}

template <size_t Rows, class Begin, class End>
void stripe(const Left& left, const Right& right, size_t vectors, size_t depth, size_t row, Begin begin,
            End end)
{
    size_t v = 0;
    for (; v + 1 < vectors; v += 2) {
        tile<Rows, 2>(left, right, depth, row, v, begin, end);
    }
    if (v < vectors) { // never with vectors that are shorter than a panel
        tile<Rows, 1>(left, right, depth, row, v, begin, end);
    }
}

/// Each number of the result is begin(row) + sum over `depth` terms of left x right, and goes to end(row, v, vector).
template <class Begin, class End>
void multiply(const Left& left, size_t rows, const Right& right, size_t vectors, size_t depth, Begin begin,
              End end)
{
    for (size_t row = 0; row < rows;) {
        const size_t rest = rows - row;
        // Six rows of two vectors fill the registers; the last ones are shared out evenly.
        const size_t height = rest >= 12 || rest == 6 ? 6 : rest > 6 ? (rest + 1) / 2 : rest;
        switch (height) {
        case 6:
            stripe<6>(left, right, vectors, depth, row, begin, end);
            break;
        case 5:
            stripe<5>(left, right, vectors, depth, row, begin, end);
            break;
        case 4:
            stripe<4>(left, right, vectors, depth, row, begin, end);
            break;
        case 3:
            stripe<3>(left, right, vectors, depth, row, begin, end);
            break;
        case 2:
            stripe<2>(left, right, vectors, depth, row, begin, end);
            break;
        default:
            stripe<1>(left, right, vectors, depth, row, begin, end);
            break;
        }
        row += height;
    }
}

} // namespace
} // namespace lab
