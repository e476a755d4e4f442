#include "core/record/session_file.h"

#include "core/base/error.h"
#include "core/record/number_text.h"
#include "core/record/session_copy.h"
#include "core/record/session_rows.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace lab {
namespace {

namespace fs = std::filesystem;

} // namespace

SessionFile::SessionFile(const fs::path& file, std::string shown)
{
    shown = shown.empty() ? file.string() : std::move(shown);
    std::error_code error;
    if (fs::symlink_status(file, error).type() == fs::file_type::not_found) {
        make(file, shown);
    } else {
        checkSessionHeader(file); // nothing may be recovered in a database that is not ours
        database_ = std::make_unique<Database>(file, Database::Access::Write, shown);
    }
    // What a commit has written is then safe from the end of the program, though not all of it from a power cut, which
    // takes the last seconds and leaves a sound file.
    database_->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192;"
                   "PRAGMA cache_size = -16384");
}

SessionFile::~SessionFile() { close(); }

void SessionFile::make(const fs::path& file, const std::string& shown)
{
    database_ = std::make_unique<Database>(file, Database::Access::Create, shown);
    try {
        // The tables go into the file itself before there is a log, so that even a file without its log is a session.
        database_->run("BEGIN; PRAGMA application_id = " + numberText(k_session_application)
                       + "; PRAGMA user_version = " + numberText(k_session_version) + ';' + k_session_tables
                       + "; INSERT INTO session VALUES ('format', 'straggler-lab/session'), ('version', '"
                       + numberText(k_session_version) + "'); COMMIT");
    } catch (const Error&) {
        database_.reset();
        std::error_code ignored;
        fs::remove(file, ignored);
        throw;
    }
}

void SessionFile::startTransaction()
{
    if (!is_in_transaction_) {
        database_->run("BEGIN IMMEDIATE", Row());
        is_in_transaction_ = true;
    }
}

void SessionFile::commitTransaction()
{
    if (is_in_transaction_) {
        database_->run("COMMIT", Row());
        is_in_transaction_ = false;
    }
}

void SessionFile::begin(const RunHead& head, const Frame& first)
{
    LAB_EXPECTS(head.nodes.size() == first.nodes.size());
    startTransaction();
    names_ = head.nodes;
    groupings_ = 0;
    tasks_.assign(names_.size(), 0);
    content_ = {};
    Row row;
    const std::string seed = numberText(head.seed);
    content_.setHead(addHead(row, head, seed));
    content_.setJournal(head.experiment);
    row.shorten(row.size() - 1);
    database_->run("INSERT INTO runs(" + std::string(k_head_columns) + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   row);
    run_ = database_->whole("SELECT max(run) FROM runs");
    setText("experiment", head.experiment);
    setText("journal", head.experiment);
    if (run_ == 1) {
        row.clear();
        row.text(head.program_version).text(head.build).text(head.instruction_set);
        database_->run("INSERT OR REPLACE INTO session VALUES ('program_version', ?), ('build', ?), "
                       "('instruction_set', ?)",
                       row);
    }
    append(first);
    commit(first);
}

void SessionFile::setText(std::string_view name, std::string_view text)
{
    Row row;
    row.whole(run_).text(name).text(text);
    database_->run("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", row);
}

void SessionFile::add(Growing table, std::size_t rows, const FillRow& fill)
{
    if (rows == 0) {
        return;
    }
    startTransaction();
    const GrowingTable& grows = growing(table);
    database_->insert("INSERT INTO " + std::string(grows.name) + '(' + grows.columns + ')', rows, grows.width,
                      [&](std::size_t number, Row& row) {
                          row.whole(run_);
                          fill(number, row);
                          content_.add(table, row);
                      });
}

void SessionFile::append(const Frame& frame)
{
    addUpdates(frame.updates);
    add(Growing::Evaluations, frame.evaluations.size(), [&](std::size_t i, Row& row) {
        const Evaluation& one = frame.evaluations[i];
        addTime(row, one.time).whole(one.update).whole(one.samples);
        row.real(one.train_loss).real(one.validation_loss).real(one.validation_accuracy);
    });
    add(Growing::Spans, frame.spans.size(), [&](std::size_t i, Row& row) { addSpan(row, frame.spans[i]); });
    addGroupings(frame.groupings);
    add(Growing::Slowdowns, frame.slowdowns.size(), [&](std::size_t i, Row& row) {
        addTime(row, frame.slowdowns[i].time);
        addId(row, frame.slowdowns[i].node).real(frame.slowdowns[i].slowdown);
    });
    add(Growing::Events, frame.log.size(), [&](std::size_t i, Row& row) {
        const LogEntry& one = frame.log[i];
        addTime(row, one.time).text(logKindName(one.kind));
        addId(row, one.node).text(one.text);
    });
}

void SessionFile::addUpdates(std::span<const UpdateRecord> updates)
{
    add(Growing::Updates, updates.size(), [&](std::size_t i, Row& row) {
        const UpdateRecord& one = updates[i];
        addTime(row.whole(one.update), one.time);
        addId(row, one.group).whole(one.samples).whole(static_cast<std::int64_t>(one.gradients.size()));
        row.real(one.staleness_mean).whole(one.staleness_max).real(one.weight).real(one.decode_error);
    });
    std::size_t gradients = 0;
    for (const UpdateRecord& update : updates) {
        gradients += update.gradients.size();
    }
    auto update = updates.begin();
    std::size_t part = 0;
    add(Growing::Gradients, gradients, [&](std::size_t /*number*/, Row& row) {
        while (part == update->gradients.size()) {
            ++update;
            part = 0;
        }
        addId(row.whole(update->update), update->gradients[part].node)
            .whole(update->gradients[part].staleness);
        ++part;
    });
}

void SessionFile::addGroupings(std::span<const GroupingRecord> groupings)
{
    for (const GroupingRecord& grouping : groupings) {
        const auto number = static_cast<std::int64_t>(++groupings_);
        if (grouping.groups.empty()) {
            add(Growing::Groups, 1, [&](std::size_t /*number*/, Row& row) {
                addTime(row.whole(number), grouping.time).whole(grouping.update).null().null().whole(0);
                row.whole(grouping.is_measuring ? 1 : 0);
            });
        }
        for (std::size_t g = 0; g < grouping.groups.size(); ++g) {
            const std::vector<NodeId>& members = grouping.groups[g];
            add(Growing::Groups, std::max(members.size(), std::size_t{1}), [&](std::size_t i, Row& row) {
                addTime(row.whole(number), grouping.time)
                    .whole(grouping.update)
                    .whole(static_cast<std::int64_t>(g));
                addId(row, members.empty() ? NodeId{} : members[i]);
                row.whole(grouping.tolerance[g]).whole(grouping.is_measuring ? 1 : 0);
            });
        }
    }
}

void SessionFile::change(TimePoint at, std::string_view json)
{
    add(Growing::Journal, 1, [&](std::size_t /*number*/, Row& row) { addTime(row, at).text(json); });
}

void SessionFile::journal(std::string_view experiment)
{
    startTransaction();
    content_.setJournal(experiment);
    setText("journal", experiment);
}

void SessionFile::tasks(std::span<const std::vector<double>> seconds) { addTasks(seconds, 1); }

void SessionFile::addTasks(std::span<const std::vector<double>> seconds, std::size_t held_back)
{
    for (std::size_t node = 0; node < seconds.size(); ++node) {
        const std::size_t done = seconds[node].size() - std::min(seconds[node].size(), held_back);
        const std::size_t first = tasks_[node];
        if (done <= first) {
            continue;
        }
        add(Growing::Tasks, done - first, [&](std::size_t i, Row& row) {
            row.whole(static_cast<std::int64_t>(node)).whole(static_cast<std::int64_t>(first + i));
            row.real(seconds[node][first + i]);
        });
        tasks_[node] = done;
    }
}

void SessionFile::commit(const Frame& frame)
{
    startTransaction();
    content_.beginState();
    writeNodes(frame);
    replaceOpen(frame);
    writeState(frame);
    commitTransaction();
}

void SessionFile::finish(const RunRecord& ending, double wall_seconds, std::string_view summary)
{
    startTransaction();
    addTasks(ending.task_seconds, 0);
    content_.beginState();
    const std::string schedule = hexText(ending.schedule_fingerprint);
    const std::string numbers = hexText(ending.number_fingerprint);
    Row row;
    content_.addState(row.text(schedule).text(numbers).real(wall_seconds).text(summary));
    row.shorten(row.size() - 1);
    database_->run("UPDATE runs SET (" + std::string(k_end_columns) + ") = (?, ?, ?) WHERE run = ?",
                   row.whole(run_));
    setText("summary", summary);
    writeNodes(ending.last);
    replaceOpen(ending.last);
    writeState(ending.last);
    commitTransaction();
}

void SessionFile::abandon(std::string_view why)
{
    startTransaction();
    Row row;
    database_->run("UPDATE runs SET state = ? WHERE run = ?", row.text(why).whole(run_));
    commitTransaction();
}

std::int64_t SessionFile::bytes()
{
    return database_->whole("PRAGMA page_count") * database_->whole("PRAGMA page_size");
}

void SessionFile::close() noexcept
{
    if (database_ == nullptr) {
        return;
    }
    try {
        database_->rollBack();
        // Whoever else has it open makes it one file when they let go.
        database_->run("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): what was committed is safe beside it
    }
    database_.reset();
}

} // namespace lab
