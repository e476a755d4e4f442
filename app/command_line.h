#pragma once

#include "core/experiment/experiment_json.h"
#include "core/learn/instruction_set.h"
#include "core/sweep/sweep.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lab {

/// `straggler-lab [--start] [FILE]`
struct WindowCommand {
    std::optional<std::string> file;
    bool starts = false; ///< the run begins at once
};

/// `straggler-lab run EXPERIMENT`
struct RunCommand {
    std::string experiment; ///< a file, or the name of a shipped experiment
    std::optional<std::string> out;
    std::vector<Override> overrides; ///< --set and --seed, in the order given
    int threads = 0;                 ///< 0: as many as the machine has cores
    InstructionSet instruction_set = bestInstructionSet();
    bool is_live = false; ///< on the wall's clock, each node on a thread of its own
    bool may_replace = false;
    bool is_quiet = false;
};

/// `straggler-lab sweep SWEEP --out DIR`
struct SweepCommand {
    std::string file;
    std::string out;
    Slice slice;     ///< the whole where nothing was said
    int threads = 0; ///< 0: as many as the machine has cores
    InstructionSet instruction_set = bestInstructionSet();
    bool is_quiet = false;
};

/// `straggler-lab merge DIR... --out DIR`
struct MergeCommand {
    std::vector<std::string> parts;
    std::string out;
};

/// What `export` can write, by the words of --formats.
inline constexpr std::array<std::string_view, 7> k_export_formats{"csv", "json",  "png", "svg",
                                                                  "pdf", "trace", "html"};

/// `straggler-lab export SESSION --out DIR`
struct ExportCommand {
    std::string session;
    std::string out;
    std::vector<std::string> formats; ///< of k_export_formats, each once
    std::optional<std::int64_t> run;  ///< its number in the session; nothing: the only one
    bool may_replace = false;
};

/// `straggler-lab list WHAT`
struct ListCommand {
    enum class What { Strategies, Models, Data, Experiments };
    What what = What::Strategies;
};

/// `straggler-lab validate FILE...`
struct ValidateCommand {
    std::vector<std::string> files;
};

struct HelpCommand {};
struct VersionCommand {};

/// A command line that is wrong: exit status 2.
struct UsageError {
    std::string text; ///< one line that names the argument and says what is allowed
};

using Command = std::variant<WindowCommand, RunCommand, SweepCommand, MergeCommand, ExportCommand,
                             ListCommand, ValidateCommand, HelpCommand, VersionCommand, UsageError>;

/// Reads the arguments that follow the program's name. Options may stand anywhere, as `--opt value` or `--opt=value`;
/// after `--` everything is a file's name.
[[nodiscard]] Command parseCommandLine(std::span<const std::string> arguments);

/// What --help prints.
[[nodiscard]] std::string helpText();

} // namespace lab
