#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/summary.h"
#include "core/record/run_record.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lab {

class FolderWriter;

/// What the session is called in a run's folder.
inline constexpr const char* k_session_name = "session.slab";

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

/// A run's folder in the making, which is written whole or not at all.
///
/// The files are made in a new folder beside it, each checked and brought to the disk, and then the folders are
/// exchanged: whatever happens, the folder is as it was or holds the whole new run. Missing parents are made. What a
/// killed program leaves of it stays where it is; see leftovers().
class RunFolder {
public:
    /// Throws Error as checkRunFolder() does, and where nothing can be made beside `folder`.
    RunFolder(std::filesystem::path folder, bool may_replace);
    /// What was not published is gone.
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// Where the files are before publish(): for those who write them by themselves.
    [[nodiscard]] const std::filesystem::path& path() const;
    /// Throws Error where something cannot be written.
    void write(const std::vector<NamedBytes>& files);
    /// Gives it its name. Throws Error where that does not go any more.
    void publish();

    /// Session files beside it that programs left behind which were killed while they recorded.
    [[nodiscard]] const std::vector<std::filesystem::path>& leftovers() const { return leftovers_; }

private:
    class Parents;
    std::filesystem::path folder_; ///< as the user named it
    std::filesystem::path target_;
    bool may_replace_;
    std::vector<std::filesystem::path> leftovers_;
    std::unique_ptr<Parents> parents_;
    std::unique_ptr<FolderWriter> writer_;
};

/// A whole folder at once: RunFolder with files that are there already. Throws Error as it does; then nothing is left
/// behind.
void writeRunFolder(const std::filesystem::path& folder, const std::vector<NamedBytes>& files,
                    bool may_replace);

} // namespace lab
