#include "core/record/session_reader.h"

#include "core/record/number_text.h"
#include "core/record/session_cells.h"
#include "core/record/session_run_reader.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace lab {
namespace {

std::uint64_t seedIn(const std::string& text)
{
    std::uint64_t seed = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    Cells::expect(error == std::errc{} && rest == text.data() + text.size());
    return seed;
}

SessionRun runIn(const Row& row)
{
    Cells cells(row);
    SessionRun run;
    run.number = cells.whole(1);
    run.head.title = cells.text();
    run.head.strategy = cells.text();
    run.head.clock = cells.text();
    run.head.seed = seedIn(cells.text());
    run.head.started = cells.text();
    run.head.program_version = cells.text();
    run.head.build = cells.text();
    run.head.instruction_set = cells.text();
    run.head.folder = cells.text();
    run.state = cells.text();
    run.stop_reason = cells.maybeWord<StopReason>(k_stop_reasons, stopReasonName);
    run.end = cells.moment();
    run.updates = cells.whole();
    run.wall_seconds = cells.maybeReal();
    return run;
}

/// Throws DamagedFile where it is not there.
std::string textOf(const Database& database, const SessionRun& run, std::string_view name)
{
    Row row;
    Query query(database, "SELECT text FROM texts WHERE run = ? AND name = ?",
                row.whole(run.number).text(name));
    Cells::expect(query.next());
    Row found;
    query.read(found);
    return Cells(found).text();
}

/// Where a file was cut off, what was written last is missing first. A run without its journal has no edits, and its
/// fingerprint then says that something is missing.
std::string textOr(const Database& database, const SessionRun& run, std::string_view name,
                   const std::string& otherwise)
{
    try {
        return textOf(database, run, name);
    } catch (const DamagedFile&) {
        return otherwise;
    }
}

} // namespace

SessionReader::SessionReader(const std::filesystem::path& file) : name_(file.string()), copy_(file)
{
    database_ = std::make_unique<Database>(
        copy_.path(), copy_.isCopy() ? Database::Access::Write : Database::Access::Immutable, name_);
    // What is in the file is data: nothing in its schema may do anything.
    database_->run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
    try {
        readRuns();
    } catch (const DamagedFile&) {
        // A file that was cut off is refused as a whole, unless SQLite is told not to care.
        runs_.clear();
        database_->run("PRAGMA writable_schema = ON");
        try {
            readRuns();
        } catch (const DamagedFile&) {
            damage_ = name_ + ": is damaged; only a part of its runs can be read";
        }
        if (runs_.empty()) {
            throw Error(name_
                        + ": is damaged, and none of its runs can be read; take it from a backup, or record "
                          "the run again");
        }
    }
}

void SessionReader::readRuns()
{
    // A view in place of a table could go on for ever.
    Cells::expect(
        database_->whole("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' OR (type = 'view' "
                         "AND name NOT IN ('timeline', 'blame'))")
        == 0);
    Query query(
        *database_,
        "SELECT run, title, strategy, clock, seed, started, program_version, build, instruction_set, folder, "
        "state, stop_reason, seconds, updates, wall_seconds FROM runs ORDER BY run");
    Row row;
    while (query.next()) {
        query.read(row);
        SessionRun run = runIn(row);
        run.head.experiment = textOf(*database_, run, "experiment");
        run.journal = textOr(*database_, run, "journal", run.head.experiment);
        run.summary = run.isFinished() ? textOr(*database_, run, "summary", {}) : std::string();
        runs_.push_back(std::move(run));
    }
}

RecordedRun SessionReader::read(std::int64_t number) const
{
    const auto run = std::ranges::find(runs_, number, &SessionRun::number);
    if (run == runs_.end()) {
        throw Error(
            name_ + ": holds no run " + numberText(number)
            + (runs_.empty() ? "; it holds none" : "; its runs are 1 to " + numberText(runs_.back().number)));
    }
    try {
        RecordedRun read = SessionRunReader(*database_, *run).read();
        if (!read.damage.empty()) {
            read.damage = name_ + ": run " + numberText(number) + " is damaged: " + read.damage
                + "; what could be read is shown, the rest takes a backup or another run";
        }
        return read;
    } catch (const DamagedFile& damaged) {
        throw Error(
            name_ + ": run " + numberText(number)
            + " is damaged and cannot be shown; take the file from a backup, or record the run again");
    }
}

} // namespace lab
