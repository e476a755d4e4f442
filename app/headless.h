#pragma once

#include "app/command_line.h"
#include "core/experiment/results.h"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// What the program answers with (contract, section 4).
enum ExitStatus : int {
    k_ended = 0,
    k_not_carried_out = 1,
    k_wrong_input = 2,
    k_stalled = 3,
    k_interrupted = 130 ///< as shells say of SIGINT
};

/// Draws the charts of a run: the files under `charts/`. May throw Error.
using DrawCharts = std::function<std::vector<NamedBytes>(const Experiment&, const RunRecord&)>;

/// Draws the pictures of a run in the formats asked for, of `png`, `svg` and `pdf`: files under `charts/`; with `html`
/// also its report. May throw Error.
using DrawPictures = std::function<std::vector<NamedBytes>(
    const Experiment&, const RunRecord&, const Summary&, std::span<const std::string> formats)>;

/// Where a command without a window speaks.
struct Console {
    std::ostream& out;             ///< results
    std::ostream& err;             ///< everything else
    bool shows_progress = false;   ///< `err` is a terminal
    std::function<bool()> is_over; ///< asked now and then: the user wants to stop. May be empty
};

/// The experiment in a file, or else the shipped one of that name. Throws ExperimentError.
[[nodiscard]] Experiment loadFileOrShipped(const std::string& name, std::span<const Override> overrides = {});

/// Whether a file says of itself that it is a session, by its name or its first bytes.
[[nodiscard]] bool isSessionFile(const std::filesystem::path& file);
/// What validate says of a sound session. Throws Error where it is not.
[[nodiscard]] std::string aboutSession(const std::string& file);

/// Says a result and makes sure that it was heard: `status`, or that it could not be written.
[[nodiscard]] ExitStatus say(const std::string& text, const Console& console, ExitStatus status);

/// Does the work and says what went wrong: an experiment that is wrong, or anything else that stopped it.
[[nodiscard]] ExitStatus guarded(const Console& console, const std::function<ExitStatus()>& work);

// Each carries its command out and returns the exit status; errors are said on `err`. No display is needed.

/// A run that was interrupted writes nothing. `draw_charts` may be empty: then there are no charts.
[[nodiscard]] ExitStatus carryOut(const RunCommand& command, const Console& console,
                                  const DrawCharts& draw_charts);
/// One line for each sweep that ends; a sweep that was interrupted keeps the runs that have ended.
[[nodiscard]] ExitStatus carryOut(const SweepCommand& command, const Console& console);
[[nodiscard]] ExitStatus carryOut(const MergeCommand& command, const Console& console);
/// What of a session is not sound is said, and the rest written. `draw_pictures` may be empty: then there are none.
[[nodiscard]] ExitStatus carryOut(const ExportCommand& command, const Console& console,
                                  const DrawPictures& draw_pictures);
[[nodiscard]] ExitStatus carryOut(const ListCommand& command, const Console& console);
[[nodiscard]] ExitStatus carryOut(const ValidateCommand& command, const Console& console);

} // namespace lab
