#pragma once

#include <string>

namespace lab {

/// A number for a sentence: at most `digits` significant digits, a dot as the decimal mark whatever the locale.
[[nodiscard]] std::string shortNumber(double value, int digits = 3);

} // namespace lab
