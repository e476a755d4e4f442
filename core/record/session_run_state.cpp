// What a session has of a run at its end, or at the last commit.

#include "core/record/number_text.h"
#include "core/record/playback.h"
#include "core/record/session_cells.h"
#include "core/record/session_rows.h"
#include "core/record/session_run_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>

namespace lab {
namespace {

std::uint64_t numberInHex(const std::string& text)
{
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    Cells::expect(error == std::errc{} && rest == text.data() + text.size());
    return number;
}

} // namespace

void SessionRunReader::readHeadAndEnd()
{
    Row row;
    const std::string seed = numberText(read_.run.head.seed);
    read_.record.instruction_set = findInstructionSet(read_.run.head.instruction_set);
    content_.setHead(addHead(row, read_.run.head, seed));
    content_.setJournal(read_.run.journal);
    Query query(
        database_,
        "SELECT schedule_fingerprint, number_fingerprint, wall_seconds, content_fingerprint FROM runs "
        "WHERE run = ?",
        forRun());
    Cells::expect(query.next());
    query.read(row);
    expected_content_ = numberInHex(Cells(row, 3).text());
    if (read_.run.isFinished()) {
        Cells cells(row);
        read_.record.schedule_fingerprint = numberInHex(cells.text());
        read_.record.number_fingerprint = numberInHex(cells.text());
        row.shorten(3);
        row.text(read_.run.summary); // k_end_columns
        content_.addState(row);
    }
}

void SessionRunReader::readNodes()
{
    Query query(database_,
                "SELECT " + std::string(k_node_columns) + " FROM nodes WHERE run = ? ORDER BY node",
                forRun());
    Row row;
    for (; query.next(); ++nodes_) {
        query.read(row);
        content_.addState(row);
        Cells cells(row, 1);
        Cells::expect(cells.whole() == static_cast<std::int64_t>(nodes_));
        read_.run.head.nodes.push_back(cells.text());
        NodeFrame node;
        node.group = cells.id<GroupId>(k_most);
        node.activity = static_cast<Activity>(cells.whole(0, k_activities - 1));
        for (Duration& one : node.times.of) {
            one = cells.duration();
        }
        node.gradients = cells.whole();
        node.staleness_mean = cells.real();
        node.staleness_max = cells.whole();
        node.staleness_last = cells.whole();
        node.slowdown = cells.real();
        node.since = cells.moment();
        if (const std::optional<double> due = cells.maybeReal()) {
            node.due = atSeconds(*due);
        }
        if (const std::optional<double> task_time = cells.maybeReal()) {
            node.task_time = fromSeconds(*task_time);
        }
        read_.record.last.nodes.push_back(node);
    }
    Cells::expect(nodes_ > 0);
}

void SessionRunReader::readState()
{
    Query query(database_, "SELECT " + std::string(k_state_columns) + " FROM runs WHERE run = ?", forRun());
    Cells::expect(query.next());
    Row row;
    query.read(row);
    content_.addState(row);
    Cells cells(row, 1); // the reason is known already
    RunRecord& record = read_.record;
    Frame& last = record.last;
    last.state = read_.run.isFinished()                     ? RunState::Finished
        : read_.run.state == runStateName(RunState::Failed) ? RunState::Failed
                                                            : RunState::Paused;
    last.stop_reason = read_.run.stop_reason;
    record.stop_reason =
        read_.run.isFinished() && last.stop_reason ? *last.stop_reason : StopReason::Interrupted;
    last.message = cells.text();
    last.now = record.end = cells.moment();
    last.version = cells.whole();
    last.samples = cells.whole();
    last.server_utilisation = cells.real();
    last.is_measuring = cells.whole() != 0;
    if (const std::optional<double> machine_share = cells.maybeReal()) {
        LiveFigures live;
        live.machine_share = *machine_share;
        live.gradient = cells.duration();
        live.most_computing = static_cast<int>(cells.whole(0, std::numeric_limits<int>::max()));
        live.cores = static_cast<int>(cells.whole(0, std::numeric_limits<int>::max()));
        last.live = live;
    } else {
        cells = Cells(row, 11);
    }
    Prediction& theory = last.theory;
    for (std::optional<double>* figure :
         {&theory.round_seconds, &theory.updates_per_second, &theory.samples_per_second,
          &theory.idle_fraction, &theory.mean_staleness, &theory.geometric_staleness}) {
        *figure = cells.maybeReal();
    }
    theory.basis = cells.text();
}

void SessionRunReader::readOpen()
{
    RunRecord& record = read_.record;
    try {
        Query open(database_,
                   "SELECT " + std::string(k_open_span_columns)
                       + " FROM open_spans WHERE run = ? ORDER BY rowid",
                   forRun());
        Row row;
        while (open.next()) {
            open.read(row);
            content_.addState(row);
            Cells cells(row, 1);
            record.spans.push_back(spanIn(cells));
        }
        Query transfers(database_,
                        "SELECT " + std::string(k_transfer_columns)
                            + " FROM transfers WHERE run = ? ORDER BY rowid",
                        forRun());
        while (transfers.next()) {
            transfers.read(row);
            content_.addState(row);
            Cells cells(row, 1);
            TransferFrame one;
            one.node = cells.id<NodeId>(nodes_);
            one.up = cells.whole() != 0;
            one.start = cells.moment();
            one.end = cells.moment();
            Cells::expect(one.node.isValid());
            record.last.transfers.push_back(one);
        }
    } catch (const DamagedFile&) {
        addDamage("what was open at its end cannot be read");
    }
}

void SessionRunReader::checkContent()
{
    if (read_.damage.empty() && content_.value() != expected_content_) {
        addDamage("its numbers are not those that were recorded");
    }
}

void SessionRunReader::rebuildLast()
{
    std::ranges::sort(read_.record.spans, {},
                      [](const Span& span) { return std::tuple(span.node, span.start, span.end); });
    Frame rebuilt = Playback(read_.record).rebuilt(read_.record.end);
    read_.record.last.groups = std::move(rebuilt.groups);
    read_.record.last.staleness = std::move(rebuilt.staleness);
    for (std::size_t i = 0; i < rebuilt.nodes.size(); ++i) {
        read_.record.last.nodes[i].cost_others = rebuilt.nodes[i].cost_others;
    }
}

} // namespace lab
