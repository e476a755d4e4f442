#include "core/learn/numbers.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace lab {

Number parseNumber(std::string_view text)
{
    text = trimmed(text);
    if (text.empty()) {
        return std::string("is empty; fill in a number or drop the row");
    }
    std::string_view digits = text;
    // std::from_chars takes no plus sign, but libsvm's labels carry one.
    if (digits.front() == '+' && digits.substr(1, 1) != "-") {
        digits.remove_prefix(1);
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) {
        return inQuotes(text) + " is outside what a double holds";
    }
    if (error != std::errc() || end != digits.data() + digits.size()) {
        return inQuotes(text) + " is not a number";
    }
    if (!std::isfinite(value)) {
        return inQuotes(text) + " is not a finite number; fill in a number or drop the row";
    }
    return value;
}

Number parseFeature(std::string_view text)
{
    Number number = parseNumber(text);
    const double* value = std::get_if<double>(&number);
    if (value != nullptr && std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) {
        return inQuotes(trimmed(text)) + " is too large for 32 bits; scale the column down";
    }
    return number;
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t k_longest = 40;
    return '\'' + std::string(text.substr(0, k_longest)) + (text.size() > k_longest ? "…'" : "'");
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

} // namespace lab
