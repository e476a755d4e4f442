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

std::string letterOf(GroupId group)
{
    std::string letters;
    for (std::int32_t left = group.value(); left >= 0; left = left / 26 - 1) {
        letters.insert(letters.begin(), static_cast<char>('A' + left % 26));
    }
    return letters;
}

} // namespace lab
