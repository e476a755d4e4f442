#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lab {

/// The candidate that `word` is most likely a misspelling of, or nothing where none is near.
[[nodiscard]] std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean x?" or nothing, then "; allowed: a, b, c": the end of a message about an unknown word.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> allowed);

/// `a, b, c`.
[[nodiscard]] std::string joined(std::span<const std::string_view> words);

} // namespace lab
