#include "core/experiment/checks.h"

#include "core/record/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lab {
namespace {

/// Parameters that say how many nodes an update may do without: at least one must be left.
constexpr std::array<std::string_view, 2> k_nodes_to_spare{"stragglers", "backups"};

bool isAuto(const ParamValue& value)
{
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr && *word == "auto";
}

bool inRange(const ParamSpec& spec, double number) { return number >= spec.least && number <= spec.most; }

bool isAllowed(const ParamSpec& spec, const ParamValue& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    const bool is_whole = whole != nullptr && inRange(spec, static_cast<double>(*whole));
    switch (spec.type) {
    case ParamSpec::Type::Whole:
        return is_whole;
    case ParamSpec::Type::WholeOrAuto:
        return is_whole || isAuto(value);
    case ParamSpec::Type::WholesOrAuto: {
        const auto* wholes = std::get_if<std::vector<std::int64_t>>(&value);
        return is_whole || isAuto(value)
            || (wholes != nullptr && !wholes->empty() && std::ranges::all_of(*wholes, [&](std::int64_t one) {
                    return inRange(spec, static_cast<double>(one));
                }));
    }
    case ParamSpec::Type::Real: {
        const auto* number = std::get_if<double>(&value);
        return number != nullptr && inRange(spec, *number);
    }
    case ParamSpec::Type::Choice: {
        const auto* word = std::get_if<std::string>(&value);
        return word != nullptr && std::ranges::find(spec.choices, *word) != spec.choices.end();
    }
    case ParamSpec::Type::Toggle:
        return std::holds_alternative<bool>(value);
    }
    return false;
}

} // namespace

std::string plainNumber(double value)
{
    if (std::trunc(value) == value && std::abs(value) < 0x1.0p53) {
        return numberText(static_cast<std::int64_t>(value));
    }
    return numberText(value);
}

std::string allowedValues(const ParamSpec& spec)
{
    const std::string range = " from " + plainNumber(spec.least) + " to " + plainNumber(spec.most);
    switch (spec.type) {
    case ParamSpec::Type::Whole:
        return "a whole number" + range;
    case ParamSpec::Type::WholeOrAuto:
        return "a whole number" + range + " or \"auto\"";
    case ParamSpec::Type::WholesOrAuto:
        return "a whole number" + range + ", a list of such, one for each group, or \"auto\"";
    case ParamSpec::Type::Real:
        return "a number" + range;
    case ParamSpec::Type::Toggle:
        return "true or false";
    case ParamSpec::Type::Choice: {
        std::string words;
        for (const std::string& word : spec.choices) {
            words += (words.empty() ? "one of " : ", ") + word;
        }
        return words;
    }
    }
    return {};
}

std::optional<std::string> checkParam(const ParamSpec& spec, const ParamValue& value, std::size_t nodes)
{
    if (!isAllowed(spec, value)) {
        return "must be " + allowedValues(spec);
    }
    const auto* whole = std::get_if<std::int64_t>(&value);
    const bool counts_spares = std::ranges::find(k_nodes_to_spare, spec.name) != k_nodes_to_spare.end();
    if (counts_spares && whole != nullptr && nodes > 0 && *whole >= static_cast<std::int64_t>(nodes)) {
        return "must be below the number of nodes, " + numberText(nodes);
    }
    return {};
}

const ParamSpec* findParam(const StrategyInfo& info, std::string_view name)
{
    const auto found = std::ranges::find(info.params, name, &ParamSpec::name);
    return found == info.params.end() ? nullptr : &*found;
}

bool usesCode(const StrategyInfo& info) { return findParam(info, "code") != nullptr; }

} // namespace lab
