#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/summary.h"
#include "core/record/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lab {

/// A file to be written.
struct NamedBytes {
    std::string name; ///< relative to the run's folder, such as `charts/loss.svg`; no `..`
    std::string bytes;
};

/// The tables and the summary of a run: everything in contract section 5 that needs no drawing. A live run's also hold
/// what repeats it under the virtual clock: `replay.json` with `trace.csv`.
[[nodiscard]] std::vector<NamedBytes> runFiles(const Experiment& experiment, const RunRecord& run,
                                               const Summary& summary);

/// Throws Error where `folder` cannot become a run's folder: it is a file, it is where the user stands, it holds a run
/// and `may_replace` is false, or it holds something that no run has written. Changes nothing.
void checkRunFolder(const std::filesystem::path& folder, bool may_replace);

/// Writes a run's folder whole or not at all.
///
/// The files are made in a new folder beside it, each checked and brought to the disk, and then the folders are
/// exchanged: whatever happens, `folder` is as it was or holds the whole new run. Missing parents are made.
/// Throws Error as checkRunFolder() does, and where something cannot be written; then nothing is left behind.
void writeRunFolder(const std::filesystem::path& folder, const std::vector<NamedBytes>& files,
                    bool may_replace);

} // namespace lab
