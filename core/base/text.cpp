#include "core/base/text.h"

#include <array>
#include <charconv>

namespace lab {

std::string shortNumber(double value, int digits)
{
    std::array<char, 64> text{};
    const auto result =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    return {text.data(), result.ptr};
}

} // namespace lab
