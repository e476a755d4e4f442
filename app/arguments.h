#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

namespace lab {

enum class Option {
    Out,
    Seed,
    Set,
    Clock,
    Slice,
    Threads,
    Isa,
    Formats,
    RunNumber,
    Force,
    Quiet,
    Start,
    Help,
    ShowVersion
};

/// The commands that take options; `Program` stands for the program itself.
enum class Taker : unsigned { Run = 1, Sweep = 2, Merge = 4, Window = 8, Program = 16, Export = 32 };

/// One option of the command line.
struct OptionSpec {
    Option option;
    std::string_view name;
    std::string_view value; ///< what stands for its value in the help; empty: it has none
    unsigned takers;        ///< who takes it
    std::string_view help;

    [[nodiscard]] bool isFor(Taker taker) const { return (takers & static_cast<unsigned>(taker)) != 0; }
};

/// All options, in the order of the help.
[[nodiscard]] std::span<const OptionSpec> allOptions();

/// The arguments sorted into words and options.
struct Arguments {
    struct Given {
        const OptionSpec* spec;
        std::string value;
    };
    std::vector<std::string> words;
    std::vector<Given> options;
    bool is_after_dashes = false; ///< the first word stands after `--`: it is no command

    [[nodiscard]] bool has(Option option) const
    {
        return std::ranges::any_of(options, [&](const Given& one) { return one.spec->option == option; });
    }
};

/// Sorts the arguments; what is wrong with one of them, in words, where something is.
[[nodiscard]] std::variant<Arguments, std::string> sortArguments(std::span<const std::string> arguments);

/// "x" in quotes.
[[nodiscard]] std::string withQuotes(std::string_view text);

/// A whole number without sign, or nothing.
template <class Number> [[nodiscard]] std::optional<Number> wholeNumber(std::string_view text)
{
    Number number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc{} && rest == text.data() + text.size() && !text.starts_with('-');
    return is_whole ? std::optional(number) : std::nullopt;
}

} // namespace lab
