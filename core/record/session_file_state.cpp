// The state that a session file has of a run that goes on: what it would be if it ended now.

#include "core/record/session_file.h"
#include "core/record/session_rows.h"

#include <optional>
#include <string>

namespace lab {
namespace {

constexpr std::size_t k_state_width = 18;

/// `(?, ?, ?)`.
std::string places(std::size_t count)
{
    std::string text = "(?";
    for (std::size_t i = 1; i < count; ++i) {
        text += ", ?";
    }
    return text + ')';
}

} // namespace

void SessionFile::writeNodes(const Frame& frame)
{
    database_->insert("INSERT OR REPLACE INTO nodes(" + std::string(k_node_columns) + ')', frame.nodes.size(),
                      k_node_width, [&](std::size_t i, Row& row) {
                          const NodeFrame& node = frame.nodes[i];
                          row.whole(run_).whole(static_cast<std::int64_t>(i)).text(names_[i]);
                          addId(row, node.group).whole(static_cast<std::int64_t>(node.activity));
                          for (const Duration one : node.times.of) {
                              row.real(toSeconds(one));
                          }
                          row.whole(node.gradients).real(node.staleness_mean).whole(node.staleness_max);
                          row.whole(node.staleness_last).real(node.slowdown);
                          addTime(row, node.since);
                          addFigure(row, node.due ? std::optional(toSeconds(*node.due)) : std::nullopt);
                          addFigure(
                              row, node.task_time ? std::optional(toSeconds(*node.task_time)) : std::nullopt);
                          content_.addState(row);
                      });
}

void SessionFile::replaceOpen(const Frame& frame)
{
    Row run;
    run.whole(run_);
    database_->run("DELETE FROM open_spans WHERE run = ?", run);
    database_->run("DELETE FROM transfers WHERE run = ?", run);
    database_->insert("INSERT INTO open_spans(" + std::string(k_open_span_columns) + ')', frame.open.size(),
                      k_open_span_width, [&](std::size_t i, Row& row) {
                          content_.addState(addSpan(row.whole(run_), frame.open[i]));
                      });
    database_->insert("INSERT INTO transfers(" + std::string(k_transfer_columns) + ')',
                      frame.transfers.size(), k_transfer_width, [&](std::size_t i, Row& row) {
                          const TransferFrame& one = frame.transfers[i];
                          addId(row.whole(run_), one.node).whole(one.up ? 1 : 0);
                          content_.addState(addTime(addTime(row, one.start), one.end));
                      });
}

void SessionFile::writeState(const Frame& frame)
{
    Row row;
    if (frame.stop_reason) {
        row.text(stopReasonName(*frame.stop_reason));
    } else {
        row.null();
    }
    addTime(row.text(frame.message), frame.now).whole(frame.version).whole(frame.samples);
    row.real(frame.server_utilisation).whole(frame.is_measuring ? 1 : 0);
    if (frame.live) {
        row.real(frame.live->machine_share).real(toSeconds(frame.live->gradient));
        row.whole(frame.live->most_computing).whole(frame.live->cores);
    } else {
        row.null().null().null().null();
    }
    const Prediction& theory = frame.theory;
    for (const auto& figure : {theory.round_seconds, theory.updates_per_second, theory.samples_per_second,
                               theory.idle_fraction, theory.mean_staleness, theory.geometric_staleness}) {
        addFigure(row, figure);
    }
    content_.addState(row.text(theory.basis));
    const std::string content = hexText(content_.value());
    row.text(runStateName(frame.state)).text(content).whole(run_);
    database_->run("UPDATE runs SET (" + std::string(k_state_columns)
                       + ", state, content_fingerprint) = " + places(k_state_width + 2) + " WHERE run = ?",
                   row);
}

} // namespace lab
