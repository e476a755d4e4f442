#pragma once

#include "core/experiment/json_reader.h"
#include "core/sweep/sweep.h"

#include <optional>
#include <string>

namespace lab {

/// Reads one entry of a sweep's `vary`: its name and values, each with what it sets. `where` is its path. What is wrong
/// is in the complaints; nothing where it is no object.
[[nodiscard]] std::optional<Factor> readFactor(const JsonValue& value, const std::string& where,
                                               Complaints& complaints);

} // namespace lab
