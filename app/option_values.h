#pragma once

#include "core/learn/instruction_set.h"
#include "core/sweep/sweep.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lab {

// What options are given: the value, or what is wrong with it, in words that follow the option's name.

[[nodiscard]] std::variant<int, std::string> threadsIn(const std::string& value);
/// Only instructions that this machine has.
[[nodiscard]] std::variant<InstructionSet, std::string> instructionsIn(const std::string& value);
/// `3/8`, or nothing.
[[nodiscard]] std::optional<Slice> sliceIn(std::string_view value);

} // namespace lab
