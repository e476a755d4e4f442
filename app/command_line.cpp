#include "app/command_line.h"

#include "app/arguments.h"
#include "app/option_values.h"
#include "app/parse_export.h"
#include "core/experiment/spelling.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_help_column = 24;

struct CommandSpec {
    std::string_view name;
    std::string_view arguments;
    std::string_view help;
};

constexpr std::array k_commands{
    CommandSpec{"", "[FILE]", "open the window, with an experiment or a session"},
    CommandSpec{"run", "EXPERIMENT [OPTION]...", "run a file or a shipped experiment without a window"},
    CommandSpec{
        "sweep", "SWEEP --out DIR [OPTION]...",
        "make every run of a sweep's file on all cores; the same command goes on where it was interrupted"},
    CommandSpec{"merge", "DIR... --out DIR", "join the parts of a sweep that --slice made"},
    CommandSpec{"export", "SESSION --out DIR [OPTION]...",
                "write a recorded run's tables and pictures into the folder DIR, whole or not at all"},
    CommandSpec{"list", "strategies|models|data|experiments",
                "list what there is, one name at the start of each line"},
    CommandSpec{"validate", "FILE...", "say what is wrong with files of experiments, sweeps and sessions"},
};

constexpr std::array<std::pair<std::string_view, ListCommand::What>, 4> k_lists{
    {{"strategies", ListCommand::What::Strategies},
     {"models", ListCommand::What::Models},
     {"data", ListCommand::What::Data},
     {"experiments", ListCommand::What::Experiments}}};

constexpr std::array<std::pair<std::string_view, Taker>, 6> k_takers{{{"run", Taker::Run},
                                                                      {"sweep", Taker::Sweep},
                                                                      {"merge", Taker::Merge},
                                                                      {"export", Taker::Export},
                                                                      {"the window", Taker::Window},
                                                                      {"the program", Taker::Program}}};

/// Who takes the options of a command line with this command; the window where it is none that has any.
Taker takerNamed(std::string_view command)
{
    const auto found = std::ranges::find(k_takers, command, [](const auto& one) { return one.first; });
    return found != k_takers.end() ? found->second : Taker::Window;
}

/// `run, sweep`.
std::string takersOf(const OptionSpec& option)
{
    std::vector<std::string_view> names;
    for (const auto& [name, taker] : k_takers) {
        if (option.isFor(taker)) {
            names.push_back(name);
        }
    }
    return joined(names);
}

template <class Table, class NameOf> std::vector<std::string_view> namesOf(const Table& table, NameOf name_of)
{
    std::vector<std::string_view> names;
    for (const auto& row : table) {
        names.push_back(name_of(row));
    }
    return names;
}

std::optional<UsageError> applyOption(const Arguments::Given& given, RunCommand& command)
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
                         + withQuotes(given.value));
        }
        command.overrides.push_back({"seed", withQuotes(given.value)});
        return {};
    case Option::Set: {
        const std::size_t equals = given.value.find('=');
        if (equals == std::string::npos || equals == 0) {
            return wrong("must be PATH=VALUE, as in strategy.kind=bsp, not " + withQuotes(given.value));
        }
        command.overrides.push_back({given.value.substr(0, equals), given.value.substr(equals + 1)});
        return {};
    }
    case Option::Clock:
        command.is_live = given.value == "live";
        return command.is_live || given.value == "virtual"
            ? std::nullopt
            : std::optional(wrong("must be virtual or live, not " + withQuotes(given.value)));
    case Option::Threads: {
        const auto threads = threadsIn(given.value);
        if (const auto* problem = std::get_if<std::string>(&threads)) {
            return wrong(*problem);
        }
        command.threads = std::get<int>(threads);
        return {};
    }
    case Option::Isa: {
        const auto set = instructionsIn(given.value);
        if (const auto* problem = std::get_if<std::string>(&set)) {
            return wrong(*problem);
        }
        command.instruction_set = std::get<InstructionSet>(set);
        return {};
    }
    case Option::Slice:
    case Option::Formats:
    case Option::RunNumber:
    case Option::Start:
    case Option::Help:
    case Option::ShowVersion:
        break;
    }
    return {};
}

Command runCommand(const Arguments& parts)
{
    if (parts.words.size() != 2) {
        return UsageError{parts.words.size() < 2
                              ? "run: needs the name of an experiment"
                              : "run: takes one experiment, not also " + withQuotes(parts.words[2])};
    }
    RunCommand command;
    command.experiment = parts.words[1];
    for (const Arguments::Given& given : parts.options) {
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

Command sweepCommand(const Arguments& parts)
{
    if (parts.words.size() != 2) {
        return UsageError{parts.words.size() < 2
                              ? "sweep: needs the name of a sweep's file"
                              : "sweep: takes one file, not also " + withQuotes(parts.words[2])};
    }
    SweepCommand command;
    command.file = parts.words[1];
    for (const Arguments::Given& given : parts.options) {
        const std::string name = std::string(given.spec->name) + ": ";
        if (given.spec->option == Option::Out) {
            command.out = given.value;
        } else if (given.spec->option == Option::Quiet) {
            command.is_quiet = true;
        } else if (given.spec->option == Option::Slice) {
            const std::optional<Slice> slice = sliceIn(given.value);
            if (!slice) {
                return UsageError{name + "must be I/N with I from 1 to N, as in 3/8, not "
                                  + withQuotes(given.value)};
            }
            command.slice = *slice;
        } else if (given.spec->option == Option::Isa) {
            const auto set = instructionsIn(given.value);
            if (const auto* problem = std::get_if<std::string>(&set)) {
                return UsageError{name + *problem};
            }
            command.instruction_set = std::get<InstructionSet>(set);
        } else {
            const auto threads = threadsIn(given.value);
            if (const auto* problem = std::get_if<std::string>(&threads)) {
                return UsageError{name + *problem};
            }
            command.threads = std::get<int>(threads);
        }
    }
    if (command.out.empty()) {
        return UsageError{"sweep: needs a folder for its runs: --out DIR"};
    }
    return command;
}

Command mergeCommand(const Arguments& parts)
{
    if (parts.words.size() < 2) {
        return UsageError{"merge: needs the folders of the parts"};
    }
    MergeCommand command;
    command.parts.assign(parts.words.begin() + 1, parts.words.end());
    for (const Arguments::Given& given : parts.options) {
        command.out = given.value;
    }
    if (command.out.empty()) {
        return UsageError{"merge: needs a folder for the whole: --out DIR"};
    }
    return command;
}

Command listCommand(const Arguments& parts)
{
    const auto names = namesOf(k_lists, [](const auto& one) { return one.first; });
    if (parts.words.size() != 2) {
        return UsageError{"list: needs one of " + joined(names)};
    }
    const auto found = std::ranges::find(names, parts.words[1]);
    if (found == names.end()) {
        return UsageError{"list: there is no list of " + withQuotes(parts.words[1])
                          + suggestion(parts.words[1], names)};
    }
    return ListCommand{k_lists[static_cast<std::size_t>(found - names.begin())].second};
}

Command validateCommand(const Arguments& parts)
{
    if (parts.words.size() < 2) {
        return UsageError{"validate: needs the name of a file"};
    }
    return ValidateCommand{{parts.words.begin() + 1, parts.words.end()}};
}

Command windowCommand(const Arguments& parts)
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
    const std::variant<Arguments, std::string> sorted = sortArguments(arguments);
    if (const auto* wrong = std::get_if<std::string>(&sorted)) {
        return UsageError{*wrong};
    }
    const Arguments& parts = std::get<Arguments>(sorted);
    if (parts.has(Option::Help)) {
        return HelpCommand{};
    }
    if (parts.has(Option::ShowVersion)) {
        return VersionCommand{};
    }
    const std::string name =
        parts.words.empty() || parts.is_after_dashes ? std::string() : parts.words.front();
    const bool is_other = name == "list" || name == "validate";
    const Taker taker = takerNamed(name);
    for (const Arguments::Given& given : parts.options) {
        if (is_other || !given.spec->isFor(taker)) {
            return UsageError{std::string(given.spec->name) + ": goes only with " + takersOf(*given.spec)};
        }
    }
    switch (taker) {
    case Taker::Run:
        return runCommand(parts);
    case Taker::Sweep:
        return sweepCommand(parts);
    case Taker::Merge:
        return mergeCommand(parts);
    case Taker::Export:
        return parseExport(parts);
    case Taker::Window:
    case Taker::Program:
        break;
    }
    if (name == "list") {
        return listCommand(parts);
    }
    if (name == "validate") {
        return validateCommand(parts);
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
    for (const auto& [title, taker] : k_takers) {
        text += "\nOptions of " + std::string(title) + '\n';
        for (const OptionSpec& option : allOptions()) {
            if (option.isFor(taker)) {
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
