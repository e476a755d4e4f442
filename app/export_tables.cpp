#include "app/export_tables.h"

#include "core/base/error.h"
#include "core/record/csv.h"
#include "core/record/csv_table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lab {

namespace {

/// The rows of curve.csv for one run after another, each with the run's name in front.
class RunsTable {
public:
    void add(const QString& name, const RunRecord& run)
    {
        const std::string csv = curveCsv(run);
        const std::string cell = csvCell(name.toStdString()) + ',';
        std::size_t row = 0;
        for (std::size_t end = csv.find('\n'); end != std::string::npos; end = csv.find('\n', row)) {
            const bool is_header = row == 0;
            if (!is_header || text_.empty()) {
                text_ += is_header ? "run," : cell;
                text_.append(csv, row, end + 1 - row);
            }
            row = end + 1;
        }
    }
    [[nodiscard]] std::string done() && { return std::move(text_); }

private:
    std::string text_;
};

std::string lossTable(const ExportSource& source, const RunRecord& run,
                      const std::optional<TimeWindow>& stretch)
{
    if (source.loss.pinned.empty()) {
        return curveCsv(run);
    }
    RunsTable table;
    table.add(source.loss.name, run);
    for (const PinnedRun& pinned : source.loss.pinned) {
        RunRecord record;
        record.curve = pinned.curve;
        if (stretch) {
            cutTo(record, *stretch);
        }
        table.add(pinned.name, record);
    }
    return std::move(table).done();
}

/// Each node's seconds within a stretch; of the whole run it is nodes.csv.
std::string idleTable(const ExportSource& source, const RunRecord& run,
                      const std::optional<TimeWindow>& stretch)
{
    const std::vector<std::string> names = nodeNames(source.experiment);
    if (!stretch) {
        return nodesCsv(run, names);
    }
    CsvTable table("node,computing,wasted,communicating,waiting,down", names.size(), 80);
    for (std::size_t i = 0; i < names.size(); ++i) {
        table.raw(csvCell(names[i]));
        const ActivityTimes times =
            source.history.timesWithin(NodeId{i}, atSeconds(stretch->from), atSeconds(stretch->to));
        for (const Duration one : times.of) {
            table.number(toSeconds(one));
        }
        table.endRow();
    }
    return std::move(table).done();
}

std::string stalenessTable(const RunRecord& run)
{
    const auto& counts = run.last.staleness.counts();
    CsvTable table("staleness,gradients", counts.size(), 12);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        table.whole(static_cast<std::int64_t>(i)).whole(counts[i]).endRow();
    }
    return std::move(table).done();
}

std::string throughputTable(const ExportSource& source, const std::optional<TimeWindow>& stretch)
{
    const auto points = throughputShown(source.history, stretch);
    CsvTable table("time,samples_per_second", static_cast<std::size_t>(points.size()), 30);
    for (const QPointF& point : points) {
        table.number(point.x()).number(point.y()).endRow();
    }
    return std::move(table).done();
}

} // namespace

std::string tableOf(const ExportSource& source, ExportWhat what, const std::optional<TimeWindow>& stretch)
{
    RunRecord run = recordOf(source);
    if (stretch) {
        cutTo(run, *stretch);
    }
    switch (what) {
    case ExportWhat::Loss:
        return lossTable(source, run, stretch);
    case ExportWhat::Idle:
        return idleTable(source, run, stretch);
    case ExportWhat::Staleness:
        return stalenessTable(run);
    case ExportWhat::Throughput:
        return throughputTable(source, stretch);
    case ExportWhat::Timeline:
        return timelineCsv(run, nodeNames(source.experiment));
    case ExportWhat::Cluster:
        return nodesCsv(run, nodeNames(source.experiment));
    case ExportWhat::Events:
        return eventsCsv(run, nodeNames(source.experiment));
    case ExportWhat::AllPictures:
    case ExportWhat::Report:
    case ExportWhat::RunData:
        break;
    }
    LAB_EXPECTS(false);
    return {};
}

void cutTo(RunRecord& run, const TimeWindow& stretch)
{
    const TimePoint from = atSeconds(stretch.from);
    const TimePoint to = atSeconds(stretch.to);
    const auto is_outside = [&](const auto& one) { return one.time < from || one.time > to; };
    std::erase_if(run.curve, is_outside);
    std::erase_if(run.log, is_outside);
    std::erase_if(run.spans, [&](const Span& span) { return span.end <= from || span.start >= to; });
    for (Span& span : run.spans) {
        span.start = std::max(span.start, from);
        span.end = std::min(span.end, to);
    }
}

} // namespace lab
