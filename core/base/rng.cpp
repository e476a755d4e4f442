#include "core/base/rng.h"

#include "core/base/error.h"

#include <cmath>
#include <numbers>

namespace lab {
namespace {

constexpr std::uint64_t k_golden_gamma = 0x9e3779b97f4a7c15ULL;

/// Each part is folded in through a full mix, so that (seed 1, id 2) and (seed 2, id 1) start far apart.
std::uint64_t folded(std::uint64_t state, std::uint64_t part) noexcept
{
    return mixBits(state + k_golden_gamma) ^ (part * 0xd1342543de82ef95ULL + 1);
}

} // namespace

Rng::Steps::Steps(std::uint64_t seed, Purpose purpose, std::uint64_t id) noexcept
    : state_(folded(folded(seed, static_cast<std::uint64_t>(purpose)), id))
{
}

Rng::Rng(Steps steps, std::uint64_t step) noexcept
    : state_(mixBits(folded(steps.state_, step) + k_golden_gamma))
{
}

std::uint64_t Rng::next() noexcept
{
    state_ += k_golden_gamma;
    return mixBits(state_);
}

double Rng::uniform() noexcept
{
    // The half step keeps both ends out, so that a logarithm of it is always finite.
    return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53;
}

std::uint64_t Rng::below(std::uint64_t bound) noexcept
{
    LAB_EXPECTS(bound > 0);
    const std::uint64_t unfair = (0 - bound) % bound; // 2^64 mod bound
    std::uint64_t draw = next();
    while (draw < unfair) {
        draw = next();
    }
    return draw % bound;
}

double Rng::exponential() noexcept { return -std::log(uniform()); }

double Rng::normal() noexcept
{
    const double radius = std::sqrt(2.0 * exponential());
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

} // namespace lab
