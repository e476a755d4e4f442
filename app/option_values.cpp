#include "app/option_values.h"

#include "app/arguments.h"
#include "core/experiment/spelling.h"

#include <string_view>
#include <vector>

namespace lab {

std::variant<int, std::string> threadsIn(const std::string& value)
{
    const std::optional<int> threads = wholeNumber<int>(value);
    if (!threads || *threads > 1024) {
        return "must be a whole number from 0 to 1024, not " + withQuotes(value);
    }
    return *threads;
}

std::variant<InstructionSet, std::string> instructionsIn(const std::string& value)
{
    std::vector<std::string_view> supported;
    for (const InstructionSet one : supportedInstructionSets()) {
        supported.emplace_back(instructionSetName(one));
    }
    const std::optional<InstructionSet> set = findInstructionSet(value);
    if (!set) {
        return "must be baseline, v3 or v4, not " + withQuotes(value);
    }
    if (!isSupported(*set)) {
        return "this machine cannot run " + value + ", only " + joined(supported);
    }
    return *set;
}

std::optional<Slice> sliceIn(std::string_view value)
{
    const std::size_t slash = value.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto part = wholeNumber<std::size_t>(value.substr(0, slash));
    const auto of = wholeNumber<std::size_t>(value.substr(slash + 1));
    const bool is_slice = part && of && *part >= 1 && *part <= *of;
    return is_slice ? std::optional(Slice{*part, *of}) : std::nullopt;
}

} // namespace lab
