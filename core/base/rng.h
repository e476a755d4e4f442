#pragma once

#include <cstdint>

namespace lab {

/// What a random stream is for. Streams of different purposes never share a number, so that a change in one
/// use of randomness leaves every other as it was (common random numbers).
enum class Purpose : std::uint32_t {
    Data = 1,    ///< the order in which a node visits its rows
    Jitter = 2,  ///< how long a task takes
    Initial = 3, ///< the parameters at version 0
    Dataset = 4, ///< synthetic rows
    Split = 5,   ///< training or validation
    Code = 6,    ///< coefficients of a gradient code
    Estimate = 7 ///< Monte Carlo inside a planner or a prediction
};

/// A short stream of random numbers that is a pure function of (seed, purpose, id, step).
///
/// SplitMix64 started at a hash of the four: cheap enough to make one per draw, so nothing needs to be stored
/// between draws. Distributions are our own, since those of the standard library differ between vendors.
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
class Rng {
public:
    Rng(std::uint64_t seed, Purpose purpose, std::uint64_t id, std::uint64_t step) noexcept
        : Rng(Steps(seed, purpose, id), step)
    {
    }

    /// What the streams for every step have in common, where many are drawn.
    class Steps {
    public:
        Steps(std::uint64_t seed, Purpose purpose, std::uint64_t id) noexcept;

    private:
        friend class Rng;
        std::uint64_t state_;
    };
    Rng(Steps steps, std::uint64_t step) noexcept;

    /// Uniform over all 64-bit numbers.
    [[nodiscard]] std::uint64_t next() noexcept;
    /// Uniform over (0, 1), both ends excluded; 53 bits.
    [[nodiscard]] double uniform() noexcept;
    /// Uniform over 0 … bound-1 without bias. Requires bound > 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept;
    /// Exp(1), by inversion.
    [[nodiscard]] double exponential() noexcept;
    /// N(0, 1), by Box and Muller; uses two uniforms and keeps nothing.
    [[nodiscard]] double normal() noexcept;

private:
    std::uint64_t state_;
};

/// A 64-bit mixing function: a bijection in which every output bit depends on every input bit.
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t value) noexcept
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

} // namespace lab
