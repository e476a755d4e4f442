#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lab {

struct NeuralKernels;

/// What the kernels of a gradient are compiled for. Elsewhere than on x86-64 there is only Baseline.
///
/// Sums have the same order in all of them. V3 and V4 round once per multiply-add and agree bit for bit; Baseline rounds
/// twice, so that its numbers differ in their last bits.
enum class InstructionSet : std::uint8_t {
    Baseline, ///< every processor of the architecture
    V3,       ///< x86-64-v3: AVX2 and fused multiply-add
    V4        ///< x86-64-v4: AVX-512
};

/// `baseline`, `v3` or `v4`, as in files and on the command line.
[[nodiscard]] const char* instructionSetName(InstructionSet);
/// The one with this name, whether or not this machine has it.
[[nodiscard]] std::optional<InstructionSet> findInstructionSet(std::string_view name);

/// Those that this build holds and this machine can run, the fastest last.
[[nodiscard]] std::span<const InstructionSet> supportedInstructionSets();
[[nodiscard]] bool isSupported(InstructionSet);
[[nodiscard]] InstructionSet bestInstructionSet();

/// Requires isSupported().
[[nodiscard]] NeuralKernels kernelsOf(InstructionSet);

} // namespace lab
