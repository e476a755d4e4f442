#include "app/command_line.h"

#include "core/experiment/spelling.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_help_column = 24;

enum class Option { Out, Seed, Set, Clock, Threads, Force, Quiet, Start, Help, Version };

struct OptionSpec {
    Option option;
    std::string_view name;
    std::string_view value; ///< what stands for its value in the help; empty: it has none
    bool is_for_run;        ///< else it is for the program
    std::string_view help;
};

constexpr std::array k_options{
    OptionSpec{Option::Out, "--out", "DIR", true,
               "write the results into the new folder DIR, whole or not at all"},
    OptionSpec{Option::Force, "--force", "", true, "replace a run that DIR holds"},
    OptionSpec{Option::Seed, "--seed", "N", true,
               "use this seed: a whole number from 0 to 18446744073709551615"},
    OptionSpec{Option::Set, "--set", "PATH=VALUE", true,
               "replace one value of the experiment, as in strategy.kind=bsp; may be given again"},
    OptionSpec{Option::Clock, "--clock", "virtual|live", true,
               "what a second of the run is: counted, the default, or one on the wall, each node a thread"},
    OptionSpec{
        Option::Threads, "--threads", "N", true,
        "compute gradients on N threads; 0, the default, is one for each core; the results are the same"},
    OptionSpec{Option::Quiet, "--quiet", "", true, "show no progress"},
    OptionSpec{Option::Start, "--start", "", false, "start the run when the window opens"},
    OptionSpec{Option::Help, "--help", "", false, "show this text"},
    OptionSpec{Option::Version, "--version", "", false, "show the version"},
};

struct CommandSpec {
    std::string_view name;
    std::string_view arguments;
    std::string_view help;
};

constexpr std::array k_commands{
    CommandSpec{"", "[FILE]", "open the window, with an experiment"},
    CommandSpec{"run", "EXPERIMENT [OPTION]...", "run a file or a shipped experiment without a window"},
    CommandSpec{"list", "strategies|models|data|experiments",
                "list what there is, one name at the start of each line"},
    CommandSpec{"validate", "FILE...", "say what is wrong with experiment files"},
};

constexpr std::array<std::pair<std::string_view, ListCommand::What>, 4> k_lists{
    {{"strategies", ListCommand::What::Strategies},
     {"models", ListCommand::What::Models},
     {"data", ListCommand::What::Data},
     {"experiments", ListCommand::What::Experiments}}};

template <class Table, class NameOf> std::vector<std::string_view> namesOf(const Table& table, NameOf name_of)
{
    std::vector<std::string_view> names;
    for (const auto& row : table) {
        names.push_back(name_of(row));
    }
    return names;
}

std::string inQuotes(std::string_view text) { return '"' + std::string(text) + '"'; }

/// A whole number without sign, or nothing.
template <class Number> std::optional<Number> wholeNumber(std::string_view text)
{
    Number number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc{} && rest == text.data() + text.size() && !text.starts_with('-');
    return is_whole ? std::optional(number) : std::nullopt;
}

/// The arguments sorted into words and options.
struct Parts {
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

std::optional<UsageError> readOption(std::span<const std::string> arguments, std::size_t& at, Parts& parts)
{
    const std::string_view argument = arguments[at];
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const auto spec = std::ranges::find(k_options, name, &OptionSpec::name);
    if (spec == k_options.end()) {
        const auto names = namesOf(k_options, [](const OptionSpec& one) { return one.name; });
        const std::string_view near = closest(name, names);
        return UsageError{std::string(name) + ": there is no such option"
                          + (near.empty() ? "; see --help" : "; did you mean " + std::string(near) + "?")};
    }
    if (spec->value.empty()) {
        if (equals != std::string_view::npos) {
            return UsageError{std::string(name) + ": takes no value"};
        }
        parts.options.push_back({spec, {}});
        return {};
    }
    if (equals != std::string_view::npos) {
        parts.options.push_back({spec, std::string(argument.substr(equals + 1))});
        return {};
    }
    if (at + 1 == arguments.size()) {
        return UsageError{std::string(name) + ": needs a value: " + std::string(name) + ' '
                          + std::string(spec->value)};
    }
    parts.options.push_back({spec, arguments[++at]});
    return {};
}

std::variant<Parts, UsageError> sortArguments(std::span<const std::string> arguments)
{
    Parts parts;
    bool are_all_words = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (are_all_words || argument.size() < 2 || argument.front() != '-') {
            parts.is_after_dashes = parts.is_after_dashes || (are_all_words && parts.words.empty());
            parts.words.push_back(argument);
        } else if (argument == "--") {
            are_all_words = true;
        } else if (auto error = readOption(arguments, i, parts)) {
            return *error;
        }
    }
    return parts;
}

std::optional<UsageError> applyOption(const Parts::Given& given, RunCommand& command)
{
    const auto wrong = [&](const std::string& what) {
        return UsageError{std::string(given.spec->name) + ": " + what};
    };
    switch (given.spec->option) {
    case Option::Out:
        command.out = given.value;
        return given.value.empty() ? std::optional(wrong("needs the name of a folder")) : std::nullopt;
    case Option::Force:
        command.may_replace = true;
        return {};
    case Option::Quiet:
        command.is_quiet = true;
        return {};
    case Option::Seed:
        if (!wholeNumber<std::uint64_t>(given.value)) {
            return wrong("must be a whole number from 0 to 18446744073709551615, not "
                         + inQuotes(given.value));
        }
        command.overrides.push_back({"seed", inQuotes(given.value)});
        return {};
    case Option::Set: {
        const std::size_t equals = given.value.find('=');
        if (equals == std::string::npos || equals == 0) {
            return wrong("must be PATH=VALUE, as in strategy.kind=bsp, not " + inQuotes(given.value));
        }
        command.overrides.push_back({given.value.substr(0, equals), given.value.substr(equals + 1)});
        return {};
    }
    case Option::Clock:
        command.is_live = given.value == "live";
        return command.is_live || given.value == "virtual"
            ? std::nullopt
            : std::optional(wrong("must be virtual or live, not " + inQuotes(given.value)));
    case Option::Threads: {
        const std::optional<int> threads = wholeNumber<int>(given.value);
        if (!threads || *threads > 1024) {
            return wrong("must be a whole number from 0 to 1024, not " + inQuotes(given.value));
        }
        command.threads = *threads;
        return {};
    }
    case Option::Start:
        return wrong("is for the window, not for run");
    case Option::Help:
    case Option::Version:
        break;
    }
    return {};
}

Command runCommand(const Parts& parts)
{
    if (parts.words.size() != 2) {
        return UsageError{parts.words.size() < 2
                              ? "run: needs the name of an experiment"
                              : "run: takes one experiment, not also " + inQuotes(parts.words[2])};
    }
    RunCommand command;
    command.experiment = parts.words[1];
    for (const Parts::Given& given : parts.options) {
        if (auto error = applyOption(given, command)) {
            return *error;
        }
    }
    if (command.may_replace && !command.out) {
        return UsageError{"--force: goes only with --out"};
    }
    if (command.is_live && command.threads > 0) {
        return UsageError{"--threads: not with --clock live, where each node has a thread of its own"};
    }
    return command;
}

Command listCommand(const Parts& parts)
{
    const auto names = namesOf(k_lists, [](const auto& one) { return one.first; });
    if (parts.words.size() != 2) {
        return UsageError{"list: needs one of " + joined(names)};
    }
    const auto found = std::ranges::find(names, parts.words[1]);
    if (found == names.end()) {
        return UsageError{"list: there is no list of " + inQuotes(parts.words[1])
                          + suggestion(parts.words[1], names)};
    }
    return ListCommand{k_lists[static_cast<std::size_t>(found - names.begin())].second};
}

Command validateCommand(const Parts& parts)
{
    if (parts.words.size() < 2) {
        return UsageError{"validate: needs the name of a file"};
    }
    return ValidateCommand{{parts.words.begin() + 1, parts.words.end()}};
}

Command windowCommand(const Parts& parts)
{
    if (parts.words.size() > 1) {
        const std::string& word = parts.words.front();
        const std::string_view near =
            closest(word, namesOf(k_commands, [](const CommandSpec& one) { return one.name; }));
        return UsageError{word + ": there is no such command"
                          + (near.empty() ? "; see --help" : "; did you mean " + std::string(near) + "?")};
    }
    WindowCommand command;
    if (!parts.words.empty()) {
        command.file = parts.words.front();
    }
    command.starts = parts.has(Option::Start);
    return command;
}

} // namespace

Command parseCommandLine(std::span<const std::string> arguments)
{
    const std::variant<Parts, UsageError> sorted = sortArguments(arguments);
    if (const auto* error = std::get_if<UsageError>(&sorted)) {
        return *error;
    }
    const Parts& parts = std::get<Parts>(sorted);
    if (parts.has(Option::Help)) {
        return HelpCommand{};
    }
    if (parts.has(Option::Version)) {
        return VersionCommand{};
    }
    const std::string name =
        parts.words.empty() || parts.is_after_dashes ? std::string() : parts.words.front();
    if (name == "run") {
        return runCommand(parts);
    }
    for (const Parts::Given& given : parts.options) {
        if (given.spec->option != Option::Start) {
            return UsageError{std::string(given.spec->name) + ": goes only with run"};
        }
        if (name == "list" || name == "validate") {
            return UsageError{"--start: goes only with the window"};
        }
    }
    if (name == "list") {
        return listCommand(parts);
    }
    if (name == "validate") {
        return validateCommand(parts);
    }
    if (name == "export") {
        return UsageError{"export: is not available in this version; run --out writes the same files"};
    }
    return windowCommand(parts);
}

std::string helpText()
{
    const auto padded = [](std::string text) {
        text.resize(std::max(text.size() + 2, k_help_column), ' ');
        return text;
    };
    std::string text = "Straggler Lab shows how data-parallel training behaves on unequal nodes.\n\n";
    for (const CommandSpec& command : k_commands) {
        const std::string name = command.name.empty() ? std::string() : std::string(command.name) + ' ';
        text += "  straggler-lab " + name + std::string(command.arguments) + "\n      "
            + std::string(command.help) + '\n';
    }
    for (const bool is_for_run : {true, false}) {
        text += is_for_run ? "\nOptions of run\n" : "\nOther options\n";
        for (const OptionSpec& option : k_options) {
            if (option.is_for_run == is_for_run) {
                const std::string value =
                    option.value.empty() ? std::string() : ' ' + std::string(option.value);
                text += padded("  " + std::string(option.name) + value) + std::string(option.help) + '\n';
            }
        }
    }
    return text
        + "\nExit status: 0 the run ended as asked, 1 it could not be carried out, 2 the command line or a "
          "file is "
          "wrong,\n3 the run stalled: no live node could ever make progress, 130 interrupted (nothing is "
          "written).\n";
}

} // namespace lab
