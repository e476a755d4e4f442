#include "core/record/csv.h"

#include "core/base/error.h"
#include "core/record/csv_table.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {
namespace {

constexpr double k_no_number = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> cellTexts(std::span<const std::string> names)
{
    std::vector<std::string> cells;
    cells.reserve(names.size());
    for (const std::string& name : names) {
        cells.push_back(csvCell(name));
    }
    return cells;
}

} // namespace

std::string curveCsv(const RunRecord& run)
{
    CsvTable table("time,update,samples,train_loss,validation_loss,validation_accuracy", run.curve.size(),
                   80);
    for (const Evaluation& one : run.curve) {
        table.time(one.time).whole(one.update).whole(one.samples);
        table.number(one.train_loss).number(one.validation_loss).number(one.validation_accuracy).endRow();
    }
    return std::move(table).done();
}

std::string updatesCsv(const RunRecord& run, std::span<const std::string> names)
{
    CsvTable table("update,time,group,nodes,samples,staleness_mean,staleness_max,weight", run.updates.size(),
                   64);
    std::string nodes;
    for (const UpdateRecord& one : run.updates) {
        nodes.clear();
        for (const NodeId node : one.nodes) {
            LAB_EXPECTS(node.isValid() && node.index() < names.size());
            nodes += nodes.empty() ? "" : ";";
            nodes += names[node.index()];
        }
        table.whole(one.update).time(one.time).group(one.group).raw(csvCell(nodes)).whole(one.samples);
        table.number(one.staleness_mean).whole(one.staleness_max).number(one.weight).endRow();
    }
    return std::move(table).done();
}

std::string nodesCsv(const RunRecord& run, std::span<const std::string> names)
{
    LAB_EXPECTS(run.last.nodes.size() == names.size());
    CsvTable table(
        "node,group,computing,wasted,communicating,waiting,down,gradients,staleness_mean,staleness_max",
        names.size(), 128);
    const std::vector<std::string> cells = cellTexts(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const NodeFrame& node = run.last.nodes[i];
        table.raw(cells[i]).group(node.group);
        for (const Duration one : node.times.of) {
            table.number(toSeconds(one));
        }
        table.whole(node.gradients).number(node.gradients == 0 ? k_no_number : node.staleness_mean);
        table.whole(node.staleness_max).endRow();
    }
    return std::move(table).done();
}

std::string timelineCsv(const RunRecord& run, std::span<const std::string> names)
{
    CsvTable table("node,start,end,state", run.spans.size(), 56);
    const std::vector<std::string> cells = cellTexts(names);
    for (const Span& span : run.spans) {
        LAB_EXPECTS(span.node.isValid() && span.node.index() < cells.size());
        table.raw(cells[span.node.index()])
            .time(span.start)
            .time(span.end)
            .raw(activityName(span.activity))
            .endRow();
    }
    return std::move(table).done();
}

std::string eventsCsv(const RunRecord& run, std::span<const std::string> names)
{
    CsvTable table("time,kind,node,text", run.log.size(), 64);
    for (const LogEntry& entry : run.log) {
        LAB_EXPECTS(!entry.node.isValid() || entry.node.index() < names.size());
        table.time(entry.time).raw(logKindName(entry.kind));
        table.raw(entry.node.isValid() ? csvCell(names[entry.node.index()]) : std::string());
        table.raw(csvCell(entry.text)).endRow();
    }
    return std::move(table).done();
}

} // namespace lab
