#pragma once

#include "core/record/database.h"
#include "core/record/run_record.h"
#include "core/record/session_copy.h"
#include "core/record/session_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// One run of a session, without its lists.
struct SessionRun {
    std::int64_t number = 0; ///< counted from 1 in the file
    RunHead head;
    std::string journal; ///< the experiment with all edits as events, as JSON text
    std::string
        state; ///< `finished`; else how far it came: `running` where the program was killed, `paused`, …
    std::optional<StopReason> stop_reason;
    TimePoint end; ///< that is recorded
    Version updates = 0;
    std::optional<double> wall_seconds; ///< where it was brought to its end
    std::string summary;                ///< summary.json, where it was brought to its end

    [[nodiscard]] bool isFinished() const { return state == "finished"; }
};

/// All that is recorded of one run.
struct RecordedRun {
    SessionRun run;
    /// As it was at its end or, where it was not brought there, as if it had ended at the last commit: stop reason
    /// Interrupted, work in hand as computing, no fingerprints.
    RunRecord record;
    std::vector<std::string> edits; ///< made while it went on, each a JSON text
    std::string damage; ///< what of it is not sound, one sentence; empty: the very numbers that were recorded
};

/// Reads a session file and never changes it, nor anything beside it. Used by one thread at a time.
class SessionReader {
public:
    /// Throws Error that says what is wrong with the file and what to do, where it is no session or nothing in it can be
    /// read.
    explicit SessionReader(const std::filesystem::path& file);

    /// The file, as it was named.
    [[nodiscard]] const std::string& name() const { return name_; }
    /// In the order in which they began.
    [[nodiscard]] const std::vector<SessionRun>& runs() const { return runs_; }
    /// What could not be read of the list of runs, one sentence; empty: all is there.
    [[nodiscard]] const std::string& damage() const { return damage_; }
    /// A run with all that was recorded, as far as it is sound. Throws Error where there is no such run, or nothing of
    /// it can be read.
    [[nodiscard]] RecordedRun read(std::int64_t number) const;

private:
    void readRuns();

    std::string name_;
    SessionCopy copy_;
    std::unique_ptr<Database> database_;
    std::vector<SessionRun> runs_;
    std::string damage_;
};

} // namespace lab
