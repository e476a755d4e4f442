#pragma once

#include "core/base/ids.h"

#include <string>

namespace lab {

/// A number for a sentence: at most `digits` significant digits, a dot as the decimal mark whatever the locale.
[[nodiscard]] std::string shortNumber(double value, int digits = 3);

/// What people call a group: A for the first, Z, AA, AB …
[[nodiscard]] std::string letterOf(GroupId group);

} // namespace lab
