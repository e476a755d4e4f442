#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace lab {

/// A number, or what is wrong with the text that should be one: words that complete an error message.
using Number = std::variant<double, std::string>;

/// Reads a decimal number as every locale's program would write it to a data file: a dot, no grouping, spaces around
/// it ignored. Infinite, not-a-number and empty texts are refused.
[[nodiscard]] Number parseNumber(std::string_view text);

/// The same for a value that has to fit into float32.
[[nodiscard]] Number parseFeature(std::string_view text);

/// `text` in quotes, cut where it is too long for a message.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// `text` without spaces and tabs at either end.
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace lab
