#include "core/learn/instruction_set.h"

#include "core/base/error.h"
#include "core/learn/neural_network.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lab {

// neural_kernels.cpp, once for each
NeuralKernels baselineKernels();
#ifdef LAB_X86_KERNELS
NeuralKernels v3Kernels();
NeuralKernels v4Kernels();
#endif

namespace {

constexpr std::array<const char*, 3> k_names{"baseline", "v3", "v4"};

std::vector<InstructionSet> findSupported()
{
    std::vector<InstructionSet> found{InstructionSet::Baseline};
#ifdef LAB_X86_KERNELS
    // Asked for is what CMakeLists.txt lets the compiler use, which is all of the level that these kernels need.
    __builtin_cpu_init();
    const auto all = [](auto... has) { return (... && (has != 0)); };
    if (!all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"), __builtin_cpu_supports("bmi"),
             __builtin_cpu_supports("bmi2"))) {
        return found;
    }
    found.push_back(InstructionSet::V3);
    if (all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
            __builtin_cpu_supports("avx512cd"), __builtin_cpu_supports("avx512dq"),
            __builtin_cpu_supports("avx512vl"))) {
        found.push_back(InstructionSet::V4);
    }
#endif
    return found;
}

} // namespace

const char* instructionSetName(InstructionSet set) { return k_names[static_cast<std::size_t>(set)]; }

std::optional<InstructionSet> findInstructionSet(std::string_view name)
{
    const auto found = std::ranges::find(k_names, name);
    return found == k_names.end() ? std::nullopt
                                  : std::optional(static_cast<InstructionSet>(found - k_names.begin()));
}

std::span<const InstructionSet> supportedInstructionSets()
{
    static const std::vector<InstructionSet> k_supported = findSupported();
    return k_supported;
}

bool isSupported(InstructionSet set)
{
    return std::ranges::find(supportedInstructionSets(), set) != supportedInstructionSets().end();
}

InstructionSet bestInstructionSet() { return supportedInstructionSets().back(); }

NeuralKernels kernelsOf(InstructionSet set)
{
    LAB_EXPECTS(isSupported(set));
#ifdef LAB_X86_KERNELS
    if (set == InstructionSet::V3) {
        return v3Kernels();
    }
    if (set == InstructionSet::V4) {
        return v4Kernels();
    }
#endif
    return baselineKernels();
}

} // namespace lab
