#pragma once

#include <array>
#include <cstdint>

namespace lab {

/// A shuffled order of 0 … length-1 that needs no list: each place is computed on its own, in O(1) memory
/// and, from 64 places on, O(1) time.
///
/// A Feistel network on pairs (left, right) with left * right >= length, whose rounds add a keyed hash of one half to
/// the other; places that fall outside walk on along their cycle until they come back in. Every step can be undone,
/// so it is a true permutation whatever the key.
/// Source: Black, Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002, methods 2 and 3.
class Permutation {
public:
    /// Requires 1 <= length < 2^32.
    Permutation(std::uint64_t length, std::uint64_t key) noexcept;

    /// What stands at `place`. Requires place < length.
    [[nodiscard]] std::uint32_t operator()(std::uint64_t place) const noexcept;

private:
    /// Six rounds on halves of eight at least: the least with which all orders of a short list come up equally often,
    /// as the chi-square test asks. Narrower halves can only make even permutations and walk in ruts.
    static constexpr std::size_t k_rounds = 6;
    static constexpr std::uint64_t k_least_half = 8;

    std::uint64_t length_;
    std::uint64_t left_;
    std::uint64_t right_;
    std::array<std::uint64_t, k_rounds> keys_{};
};

} // namespace lab
