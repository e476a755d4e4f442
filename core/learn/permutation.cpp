#include "core/learn/permutation.h"

#include "core/base/error.h"
#include "core/base/rng.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

/// A hash of `half`, below `bound`. Scales instead of dividing; with bounds below 2^17 the bias is below 2^-15.
std::uint64_t hashBelow(std::uint64_t half, std::uint64_t key, std::uint64_t bound) noexcept
{
    return ((mixBits(half ^ key) >> 32) * bound) >> 32;
}

/// (half + shift) mod bound for two numbers below bound.
std::uint64_t turned(std::uint64_t half, std::uint64_t shift, std::uint64_t bound) noexcept
{
    const std::uint64_t sum = half + shift;
    // A mask instead of a branch, which would be mispredicted every other time.
    return sum - (bound & (0 - static_cast<std::uint64_t>(sum >= bound)));
}

} // namespace

Permutation::Permutation(std::uint64_t length, std::uint64_t key) noexcept : length_(length)
{
    LAB_EXPECTS(length >= 1 && length < (std::uint64_t{1} << 32));
    // Nearly equal halves with the least room to spare: less than one walk in sqrt(length) places.
    left_ = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(length))));
    left_ = std::max(left_, k_least_half);
    right_ = std::max((length + left_ - 1) / left_, k_least_half);
    for (std::size_t round = 0; round < k_rounds; ++round) {
        keys_[round] = mixBits(key + (round + 1) * 0x9e3779b97f4a7c15ULL);
    }
}

std::uint32_t Permutation::operator()(std::uint64_t place) const noexcept
{
    LAB_EXPECTS(place < length_);
    std::uint64_t value = place;
    do {
        std::uint64_t left = value / right_;
        std::uint64_t right = value % right_;
        for (std::size_t round = 0; round < k_rounds; round += 2) {
            left = turned(left, hashBelow(right, keys_[round], left_), left_);
            right = turned(right, hashBelow(left, keys_[round + 1], right_), right_);
        }
        value = left * right_ + right;
    } while (value >= length_);
    return static_cast<std::uint32_t>(value);
}

} // namespace lab
