#include "core/record/session_run_reader.h"

#include "core/record/number_text.h"
#include "core/record/session_cells.h"

#include <limits>
#include <utility>

namespace lab {
SessionRunReader::SessionRunReader(const Database& database, const SessionRun& run) : database_(database)
{
    read_.run = run;
}

Row SessionRunReader::forRun() const
{
    Row row;
    row.whole(read_.run.number);
    return row;
}

Span SessionRunReader::spanIn(Cells& cells) const
{
    Span span;
    span.node = cells.id<NodeId>(nodes_);
    span.start = cells.moment();
    span.end = cells.moment();
    span.activity = static_cast<Activity>(cells.whole(0, k_activities - 1));
    span.released_by = cells.id<NodeId>(nodes_);
    Cells::expect(span.node.isValid() && span.start < span.end);
    return span;
}

RecordedRun SessionRunReader::read()
{
    // The state in the order in which its fingerprint is made.
    readHeadAndEnd();
    readNodes();
    readOpen();
    readState();
    readUpdates();
    readGradients();
    readEvaluations();
    readSpans();
    readGroups();
    readRest();
    checkContent();
    rebuildLast();
    return std::move(read_);
}

void SessionRunReader::addDamage(const std::string& what)
{
    read_.damage += (read_.damage.empty() ? "" : ", ") + what;
}

template <class Take> void SessionRunReader::readGrowing(Growing table, Take take)
{
    const GrowingTable& grows = growing(table);
    std::int64_t rows = 0;
    try {
        Query query(database_,
                    "SELECT " + std::string(grows.columns) + " FROM " + grows.name
                        + " WHERE run = ? ORDER BY rowid",
                    forRun());
        Row row;
        for (; query.next(); ++rows) {
            query.read(row);
            Cells cells(row, 1);
            take(cells);
            content_.add(table, row);
        }
    } catch (const DamagedFile&) {
        addDamage("only " + numberText(rows) + " rows of " + grows.name + " can be read");
    }
}

void SessionRunReader::readUpdates()
{
    std::vector<UpdateRecord>& updates = read_.record.updates;
    readGrowing(Growing::Updates, [&](Cells& cells) {
        UpdateRecord one;
        one.update = cells.whole();
        one.time = cells.moment();
        one.group = cells.id<GroupId>(SessionRunReader::k_most);
        one.samples = cells.whole();
        const std::int64_t gradients = cells.whole();
        one.staleness_mean = cells.real();
        one.staleness_max = cells.whole();
        one.weight = cells.real();
        one.decode_error = cells.real();
        const auto before = static_cast<Version>(updates.size());
        Cells::expect(one.update == before + 1 && gradients <= SessionRunReader::k_most
                      && (updates.empty() || one.time >= updates.back().time));
        one.gradients.reserve(static_cast<std::size_t>(gradients));
        updates.push_back(std::move(one));
    });
}

void SessionRunReader::readGradients()
{
    std::vector<UpdateRecord>& updates = read_.record.updates;
    readGrowing(Growing::Gradients, [&](Cells& cells) {
        const std::int64_t update = cells.whole(1, static_cast<std::int64_t>(updates.size()));
        UsedGradient one;
        one.node = cells.id<NodeId>(nodes_);
        one.staleness = cells.whole();
        Cells::expect(one.node.isValid());
        UpdateRecord& owner = updates[static_cast<std::size_t>(update) - 1];
        if (owner.nodes.empty() || owner.nodes.back() != one.node) {
            owner.nodes.push_back(one.node);
        }
        owner.gradients.push_back(one);
    });
}

void SessionRunReader::readEvaluations()
{
    std::vector<Evaluation>& curve = read_.record.curve;
    readGrowing(Growing::Evaluations, [&](Cells& cells) {
        Evaluation one;
        one.time = cells.moment();
        one.update = cells.whole();
        one.samples = cells.whole();
        one.train_loss = cells.real();
        one.validation_loss = cells.real();
        one.validation_accuracy = cells.real();
        Cells::expect(curve.empty() || one.time >= curve.back().time);
        curve.push_back(one);
    });
}

void SessionRunReader::readSpans()
{
    readGrowing(Growing::Spans, [&](Cells& cells) { read_.record.spans.push_back(spanIn(cells)); });
}

void SessionRunReader::readGroups()
{
    std::vector<GroupingRecord>& groupings = read_.record.groupings;
    readGrowing(Growing::Groups, [&](Cells& cells) {
        const std::int64_t number = cells.whole(1);
        const TimePoint time = cells.moment();
        const Version update = cells.whole();
        const GroupId group = cells.id<GroupId>(SessionRunReader::k_most);
        const NodeId node = cells.id<NodeId>(nodes_);
        const std::int64_t tolerance = cells.whole(0, std::numeric_limits<int>::max());
        const bool is_measuring = cells.whole() != 0;
        const bool is_new = number == static_cast<std::int64_t>(groupings.size()) + 1;
        Cells::expect(is_new || (number == static_cast<std::int64_t>(groupings.size()) && number > 0));
        Cells::expect(!is_new || groupings.empty() || time >= groupings.back().time);
        if (is_new) {
            groupings.push_back({.time = time,
                                 .update = update,
                                 .groups = {},
                                 .tolerance = {},
                                 .is_measuring = is_measuring});
        }
        GroupingRecord& grouping = groupings.back();
        if (!group.isValid()) { // nobody belongs to anybody
            Cells::expect(is_new && !node.isValid());
            return;
        }
        const GroupId next{grouping.groups.size()};
        Cells::expect(group == next || (group.index() + 1 == next.index() && node.isValid()));
        if (group == next) {
            grouping.groups.emplace_back();
            grouping.tolerance.push_back(static_cast<int>(tolerance));
        }
        if (node.isValid()) {
            grouping.groups.back().push_back(node);
        }
    });
}

void SessionRunReader::readRest()
{
    RunRecord& record = read_.record;
    readGrowing(Growing::Slowdowns, [&](Cells& cells) {
        SlowdownRecord one;
        one.time = cells.moment();
        one.node = cells.id<NodeId>(nodes_);
        one.slowdown = cells.real();
        Cells::expect(one.node.isValid()
                      && (record.slowdowns.empty() || one.time >= record.slowdowns.back().time));
        record.slowdowns.push_back(one);
    });
    readGrowing(Growing::Events, [&](Cells& cells) {
        LogEntry one;
        one.time = cells.moment();
        one.kind = cells.word<LogEntry::Kind>(LogEntry::k_kinds, logKindName);
        one.node = cells.id<NodeId>(nodes_);
        one.text = cells.text();
        record.log.push_back(std::move(one));
    });
    readGrowing(Growing::Journal, [&](Cells& cells) {
        (void)cells.moment(); // which the text holds, too
        read_.edits.push_back(cells.text());
    });
    readGrowing(Growing::Tasks, [&](Cells& cells) {
        const NodeId node = cells.id<NodeId>(nodes_);
        const std::int64_t task = cells.whole();
        Cells::expect(node.isValid());
        record.task_seconds.resize(nodes_);
        std::vector<double>& seconds = record.task_seconds[node.index()];
        Cells::expect(task == static_cast<std::int64_t>(seconds.size()));
        seconds.push_back(cells.real());
    });
    if (record.last.live) {
        record.task_seconds.resize(nodes_); // also where no node has started one
    }
}

} // namespace lab
