#pragma once

#include <charconv>
#include <string>
#include <type_traits>

namespace lab {

/// Appends the shortest digits that read back to the same number, with a dot as the decimal mark whatever the locale;
/// `nan`, `inf` or `-inf` where there is no such number.
inline void appendNumber(std::string& text, double value)
{
    char digits[32];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, result.ptr);
}

/// Appends a whole number.
template <class Whole>
requires std::is_integral_v<Whole>
void appendNumber(std::string& text, Whole value)
{
    char digits[32];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, result.ptr);
}

/// The shortest digits that read back to the same number.
template <class Number> [[nodiscard]] std::string numberText(Number value)
{
    std::string text;
    appendNumber(text, value);
    return text;
}

} // namespace lab
