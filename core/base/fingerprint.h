#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "core/base/rng.h"

namespace lab {

/// An order-sensitive 64-bit hash of everything that was added: equal histories give equal fingerprints.
class Fingerprint {
public:
    void add(std::uint64_t value) noexcept { state_ = mixBits(state_ * 0x9e3779b97f4a7c15ULL + value + 1); }
    void add(std::int64_t value) noexcept { add(static_cast<std::uint64_t>(value)); }
    void add(std::int32_t value) noexcept { add(static_cast<std::int64_t>(value)); }
    /// The bits of each number, in order.
    void add(std::span<const float> values) noexcept
    {
        for (const float value : values) {
            add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(value)));
        }
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

private:
    std::uint64_t state_ = 0x5354524147474c45ULL;
};

} // namespace lab
