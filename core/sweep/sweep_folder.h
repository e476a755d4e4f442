#pragma once

#include "core/sweep/run_figures.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

// A sweep's folder: `sweep.json` (the sweep with its experiment, and its fingerprint), `runs.csv` (every run that has
// ended), and, once all runs of the sweep or the slice are there, `results.csv` and `results.md`.

/// Makes the folder and its parents where they are missing, and writes sweep.json; a folder that holds this sweep
/// already is left as it is. Throws Error where it holds another one, or anything that is no sweep.
void claimSweepFolder(const std::filesystem::path& folder, const Sweep& sweep);

/// What a folder holds. Throws Error where it holds no sweep or one of another version of the program.
struct SweepFolder {
    Sweep sweep;
    std::string fingerprint;
    Runs runs;
};
[[nodiscard]] SweepFolder readSweepFolder(const std::filesystem::path& folder);

/// Writes results.csv and results.md for these runs.
void writeResults(const std::filesystem::path& folder, const Sweep& sweep, const Runs& runs);

/// runs.csv with each run once, in order.
[[nodiscard]] std::string runsText(const Sweep& sweep, const Runs& runs);

/// All bytes of a file. Throws Error.
[[nodiscard]] std::string textOf(const std::filesystem::path& file);
/// Writes a file whole or not at all, in the place of one that is there. Throws Error.
void replaceFile(const std::filesystem::path& file, std::string_view bytes);

} // namespace lab
