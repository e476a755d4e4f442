#pragma once

#include <array>
#include <cstdint>

namespace lab {

/// A shuffled order of 0 … length-1 that needs no list: each place is computed on its own, in O(1) time and memory.
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
    /// Even, so that the halves are back on their own sides. Fewer leave a bias that the tests see on short lists.
    static constexpr std::size_t k_rounds = 8;

    std::uint64_t length_;
    std::uint64_t left_;
    std::uint64_t right_;
    std::array<std::uint64_t, k_rounds> keys_{};
};

} // namespace lab
