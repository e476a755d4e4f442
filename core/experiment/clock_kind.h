#pragma once

#include <cstdint>

namespace lab {

/// What a run's seconds are (contract, section 4): counted by the emulation, or those on the wall while every node is
/// a worker of its own.
enum class ClockKind : std::uint8_t { Virtual, Live };

} // namespace lab
