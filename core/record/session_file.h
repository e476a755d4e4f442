#pragma once

#include "core/record/database.h"
#include "core/record/run_record.h"
#include "core/record/session_schema.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// What a session file says of a run before its first second.
struct RunHead {
    std::string title;
    std::string strategy;
    std::string clock; ///< `virtual` or `live`
    std::uint64_t seed = 0;
    std::string started; ///< date and time in UTC, ISO 8601; for people
    std::string program_version;
    std::string build;              ///< compiler and kind of build
    std::string instruction_set;    ///< of the gradients; empty where there are none
    std::string folder;             ///< where relative paths of the experiment start
    std::string experiment;         ///< as JSON text
    std::vector<std::string> nodes; ///< names
    friend bool operator==(const RunHead&, const RunHead&) = default;
};

/// Writes runs into a session file, `.slab`: one SQLite database with the tables that the README describes. What was
/// committed outlives the program, however it ends; a file that was closed is one file that needs no other beside it.
///
/// Used by one thread. It has no clock: whoever has one commits, once a second at least. Every method but close() and
/// the destructor throws Error that names the file and the cause; what was committed before stays.
class SessionFile {
public:
    /// Makes the file, or opens one that is a sound session, to add runs to it. `shown` is what errors call it, where
    /// that is not its name.
    explicit SessionFile(const std::filesystem::path& file, std::string shown = {});
    ~SessionFile();
    SessionFile(const SessionFile&) = delete;
    SessionFile& operator=(const SessionFile&) = delete;

    /// Another run, which all that follows belongs to, and its first frame. Committed at once.
    void begin(const RunHead& head, const Frame& first);
    /// The fresh lists of a frame.
    void append(const Frame& frame);
    /// An edit of the run, as JSON text.
    void change(TimePoint at, std::string_view json);
    /// The experiment with all edits as events, as JSON text.
    void journal(std::string_view experiment);
    /// Live: the seconds of each node's tasks so far, the whole lists, of which the last may still change.
    void tasks(std::span<const std::vector<double>> seconds);
    /// Brings everything so far to the file, with the state as the frame has it.
    void commit(const Frame& frame);
    /// The end of the run, whose lists have been appended. Committed.
    void finish(const RunRecord& ending, double wall_seconds, std::string_view summary);
    /// The run will not go on; `why` is one word. Committed.
    void abandon(std::string_view why);

    /// What the file takes on the disk, without what has not been committed.
    [[nodiscard]] std::int64_t bytes();

    /// Makes it one file again and lets go of it. Where that cannot be done, as on a full disk, a second file stays
    /// beside it, and what was committed is in the two.
    void close() noexcept;

private:
    void make(const std::filesystem::path& file, const std::string& shown);
    void setText(std::string_view name, std::string_view text);
    void startTransaction();
    void commitTransaction();
    /// Adds rows, which begin with the run's number, to one of the growing tables.
    void add(Growing table, std::size_t rows, const FillRow& fill);
    void addUpdates(std::span<const UpdateRecord> updates);
    void addGroupings(std::span<const GroupingRecord> groupings);
    /// All tasks that are not in the file yet, without the last `held_back` of each node.
    void addTasks(std::span<const std::vector<double>> seconds, std::size_t held_back);
    void writeState(const Frame& frame);
    void writeNodes(const Frame& frame);
    void replaceOpen(const Frame& frame);

    std::unique_ptr<Database> database_; ///< null: closed
    std::vector<std::string> names_;
    std::int64_t run_ = 0;
    std::size_t groupings_ = 0;      ///< of this run so far
    std::vector<std::size_t> tasks_; ///< of each node that are in the file
    ContentFingerprint content_;
    bool is_in_transaction_ = false;
};

} // namespace lab
