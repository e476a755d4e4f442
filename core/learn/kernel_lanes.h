#pragma once

#include "core/learn/neural_network.h"

// Part of neural_kernels.cpp, in a namespace without a name: every instruction set has its own copy.

namespace lab {
namespace {

using std::ptrdiff_t;
using std::size_t;

#if defined(__AVX512F__)
constexpr size_t k_lanes = 16;
#elif defined(__AVX__)
constexpr size_t k_lanes = 8;
#else
constexpr size_t k_lanes = 4;
#endif
using Lanes __attribute__((vector_size(k_lanes * sizeof(float)))) = float;
using Whole __attribute__((vector_size(k_lanes * sizeof(float)))) = std::int32_t;
using Four __attribute__((vector_size(4 * sizeof(float)))) = float;

constexpr size_t padded(size_t count) { return (count + k_panel - 1) / k_panel * k_panel; }

[[gnu::always_inline]] inline Lanes load(const float* from)
{
    Lanes value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

[[gnu::always_inline]] inline void store(float* to, Lanes value)
{
    __builtin_memcpy(to, &value, sizeof value);
}

/// Where vector number `v` of a row begins, panels being `panel` numbers apart.
[[gnu::always_inline]] inline size_t placeOf(size_t v, size_t panel)
{
    return v * k_lanes / k_panel * panel + v * k_lanes % k_panel;
}

} // namespace
} // namespace lab
