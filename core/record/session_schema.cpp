#include "core/record/session_schema.h"

#include "core/record/session_rows.h"

#include <bit>
#include <charconv>

namespace lab {

const char* const k_session_tables = R"sql(
CREATE TABLE session(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE runs(
    run INTEGER PRIMARY KEY, title TEXT, strategy TEXT,
    clock TEXT,            -- virtual or live
    seed TEXT,             -- decimal: it may need 64 bits
    started TEXT,          -- UTC
    program_version TEXT, build TEXT, instruction_set TEXT,
    folder TEXT,           -- where relative paths of the experiment start
    state TEXT,            -- running, paused, finished, failed, closed, full
    stop_reason TEXT, message TEXT,
    seconds REAL, updates INTEGER, samples INTEGER, server_utilisation REAL, is_measuring INTEGER,
    machine_share REAL, gradient_seconds REAL, most_computing INTEGER, cores INTEGER,
    theory_round_seconds REAL, theory_updates_per_second REAL, theory_samples_per_second REAL,
    theory_idle_fraction REAL, theory_mean_staleness REAL, theory_geometric_staleness REAL, theory_basis TEXT,
    content_fingerprint TEXT, schedule_fingerprint TEXT, number_fingerprint TEXT,
    wall_seconds REAL
);
-- What is longer than a page, apart from the figures: a file that was cut off has those, and the experiment, which is
-- written first.
CREATE TABLE texts(
    run INTEGER,
    name TEXT,             -- experiment, journal: the same with every edit as an event, summary: as summary.json
    text TEXT,             -- JSON
    PRIMARY KEY(run, name));
CREATE TABLE states(state INTEGER PRIMARY KEY, name TEXT);
INSERT INTO states VALUES (0, 'computing'), (1, 'wasted'), (2, 'communicating'), (3, 'waiting'), (4, 'down');
CREATE TABLE nodes(
    run INTEGER, node INTEGER, name TEXT, "group" INTEGER, state INTEGER,
    computing REAL, wasted REAL, communicating REAL, waiting REAL, down REAL,
    gradients INTEGER, staleness_mean REAL, staleness_max INTEGER, staleness_last INTEGER,
    slowdown REAL, since REAL, due REAL, task_seconds REAL,
    PRIMARY KEY(run, node)) WITHOUT ROWID;
CREATE TABLE updates(
    run INTEGER, "update" INTEGER, time REAL, "group" INTEGER, samples INTEGER, gradients INTEGER,
    staleness_mean REAL, staleness_max INTEGER, weight REAL, decode_error REAL);
CREATE TABLE gradients(run INTEGER, "update" INTEGER, node INTEGER, staleness INTEGER);
CREATE TABLE evaluations(
    run INTEGER, time REAL, "update" INTEGER, samples INTEGER,
    train_loss REAL, validation_loss REAL, validation_accuracy REAL);
CREATE TABLE spans(
    run INTEGER, node INTEGER, start REAL, "end" REAL, state INTEGER,
    released_by INTEGER);  -- waiting: the node that ended it; NULL: none did
CREATE TABLE open_spans(run INTEGER, node INTEGER, start REAL, "end" REAL, state INTEGER, released_by INTEGER);
CREATE TABLE transfers(run INTEGER, node INTEGER, up INTEGER, start REAL, "end" REAL);
CREATE TABLE groups(
    run INTEGER, grouping INTEGER, time REAL, "update" INTEGER, "group" INTEGER,
    node INTEGER,          -- NULL: the group has no nodes
    tolerance INTEGER, is_measuring INTEGER);
CREATE TABLE slowdowns(run INTEGER, time REAL, node INTEGER, slowdown REAL);
CREATE TABLE events(run INTEGER, time REAL, kind TEXT, node INTEGER, text TEXT);
CREATE TABLE journal(run INTEGER, time REAL, change TEXT);
CREATE TABLE tasks(run INTEGER, node INTEGER, task INTEGER, seconds REAL);
CREATE VIEW timeline AS
    SELECT run, nodes.name AS node, start, "end", states.name AS state
    FROM (SELECT * FROM spans UNION ALL SELECT * FROM open_spans) AS span
    JOIN nodes USING(run, node) JOIN states ON states.state = span.state
    ORDER BY run, span.node, start;
CREATE VIEW blame AS
    SELECT spans.run AS run, node.name AS node, waiting.name AS waiting, SUM("end" - start) AS seconds
    FROM spans
    JOIN nodes AS node ON node.run = spans.run AND node.node = released_by
    JOIN nodes AS waiting ON waiting.run = spans.run AND waiting.node = spans.node
    GROUP BY spans.run, released_by, spans.node;
)sql";

const GrowingTable& growing(Growing table)
{
    static constexpr std::array<GrowingTable, k_growing> tables{
        {{"updates",
          R"(run, "update", time, "group", samples, gradients, staleness_mean, staleness_max, weight, decode_error)",
          10},
         {"gradients", R"(run, "update", node, staleness)", 4},
         {"evaluations", R"(run, time, "update", samples, train_loss, validation_loss, validation_accuracy)",
          7},
         {"spans", R"(run, node, start, "end", state, released_by)", 6},
         {"groups", R"(run, grouping, time, "update", "group", node, tolerance, is_measuring)", 8},
         {"slowdowns", "run, time, node, slowdown", 4},
         {"events", "run, time, kind, node, text", 5},
         {"journal", "run, time, change", 3},
         {"tasks", "run, node, task, seconds", 4}}};
    return tables[static_cast<std::size_t>(table)];
}

const char* const k_node_columns =
    R"(run, node, name, "group", state, computing, wasted, communicating, waiting, down, gradients, staleness_mean, staleness_max, staleness_last, slowdown, since, due, task_seconds)";

const char* const k_open_span_columns = R"(run, node, start, "end", state, released_by)";
const char* const k_transfer_columns = R"(run, node, up, start, "end")";

const char* const k_head_columns =
    "title, strategy, clock, seed, started, program_version, build, instruction_set, folder";

const char* const k_state_columns =
    "stop_reason, message, seconds, updates, samples, server_utilisation, is_measuring, machine_share, "
    "gradient_seconds, most_computing, cores, theory_round_seconds, theory_updates_per_second, "
    "theory_samples_per_second, theory_idle_fraction, theory_mean_staleness, theory_geometric_staleness, "
    "theory_basis";

const char* const k_end_columns = "schedule_fingerprint, number_fingerprint, wall_seconds";

std::uint64_t ContentFingerprint::hashOf(const Row& row)
{
    // Each step is a bijection of what came before, so that one altered cell always shows.
    constexpr std::uint64_t k_odd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = row.size();
    const auto take = [&hash](std::uint64_t bits) { hash = std::rotl(hash * k_odd, 29) ^ bits; };
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Row::Cell& cell = row[i];
        take(static_cast<std::uint64_t>(cell.kind));
        switch (cell.kind) {
        case Row::Kind::Null:
            break;
        case Row::Kind::Whole:
            take(static_cast<std::uint64_t>(cell.whole));
            break;
        case Row::Kind::Real:
            take(std::bit_cast<std::uint64_t>(cell.real));
            break;
        case Row::Kind::Text:
            take(cell.text.size());
            for (const char byte : cell.text) {
                take(static_cast<unsigned char>(byte));
            }
            break;
        }
    }
    return hash;
}

void ContentFingerprint::setJournal(std::string_view experiment)
{
    Row row;
    journal_ = hashOf(row.text(experiment));
}

std::uint64_t ContentFingerprint::value() const
{
    Fingerprint all;
    for (const Fingerprint& one : of_) {
        all.add(one.value());
    }
    all.add(head_);
    all.add(journal_);
    all.add(state_.value());
    return all.value();
}

std::string hexText(std::uint64_t value)
{
    char digits[16];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, value, 16);
    const std::string text(digits, result.ptr);
    return std::string(sizeof digits - text.size(), '0') + text;
}

const char* runStateName(RunState state)
{
    static constexpr std::array names{"ready", "running", "paused", "finished", "failed"};
    return names[static_cast<std::size_t>(state)];
}

} // namespace lab
