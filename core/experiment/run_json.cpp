#include "core/experiment/run_json.h"

#include "core/experiment/experiment_json.h"
#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <limits>

namespace lab {
namespace {

constexpr double k_no_number = std::numeric_limits<double>::quiet_NaN();

/// A JSON list with an item on each line, two levels deep.
template <class Items, class ToJson> std::string list(const Items& items, ToJson to_json)
{
    std::string json = "[";
    const char* separator = "\n    ";
    for (const auto& item : items) {
        json += separator;
        json += to_json(item);
        separator = ",\n    ";
    }
    return json + (items.empty() ? "]" : "\n  ]");
}

/// Text of an object that stands by itself, without its last line end, moved one level in.
std::string nested(std::string json)
{
    json.pop_back();
    std::string moved;
    for (const char byte : json) { // line ends inside strings are escaped
        moved += byte;
        if (byte == '\n') {
            moved += "  ";
        }
    }
    return moved;
}

std::string groupText(GroupId group) { return group.isValid() ? numberText(group.value()) : "null"; }

class RunJson {
public:
    explicit RunJson(const Experiment& experiment) : experiment_(experiment) {}

    [[nodiscard]] std::string nodeJson(std::size_t index, const NodeFrame& node) const
    {
        JsonLine line;
        line.text("node", experiment_.cluster.nodes[index].name).raw("group", groupText(node.group));
        for (std::size_t i = 0; i < k_activities; ++i) {
            line.number(activityName(static_cast<Activity>(i)), toSeconds(node.times.of[i]));
        }
        line.whole("gradients", node.gradients);
        line.number("staleness_mean", node.gradients == 0 ? k_no_number : node.staleness_mean);
        return line.whole("staleness_max", node.staleness_max).done();
    }
    [[nodiscard]] std::string operator()(const Evaluation& one) const
    {
        JsonLine line;
        line.number("time", toSeconds(one.time)).whole("update", one.update).whole("samples", one.samples);
        line.number("train_loss", one.train_loss).number("validation_loss", one.validation_loss);
        return line.number("validation_accuracy", one.validation_accuracy).done();
    }
    [[nodiscard]] std::string operator()(const UpdateRecord& one) const
    {
        std::string nodes;
        for (const NodeId node : one.nodes) {
            nodes += (nodes.empty() ? "" : ", ") + nameText(node);
        }
        JsonLine line;
        line.whole("update", one.update).number("time", toSeconds(one.time));
        line.raw("group", groupText(one.group)).raw("nodes", '[' + nodes + ']').whole("samples", one.samples);
        line.number("staleness_mean", one.staleness_mean).whole("staleness_max", one.staleness_max);
        return line.number("weight", one.weight).number("decode_error", one.decode_error).done();
    }
    [[nodiscard]] std::string operator()(const Span& span) const
    {
        JsonLine line;
        line.raw("node", nameText(span.node)).number("start", toSeconds(span.start));
        return line.number("end", toSeconds(span.end)).text("state", activityName(span.activity)).done();
    }
    [[nodiscard]] std::string operator()(const LogEntry& entry) const
    {
        JsonLine line;
        line.number("time", toSeconds(entry.time)).text("kind", logKindName(entry.kind));
        line.raw("node", entry.node.isValid() ? nameText(entry.node) : "null");
        return line.text("text", entry.text).done();
    }

private:
    [[nodiscard]] std::string nameText(NodeId node) const
    {
        return jsonString(experiment_.cluster.nodes.at(node.index()).name);
    }

    const Experiment& experiment_;
};

} // namespace

std::string runToJson(const Experiment& experiment, const RunRecord& run, const Summary& summary)
{
    const RunJson to_json(experiment);
    std::size_t node = 0;
    std::string staleness;
    for (const std::int64_t count : run.last.staleness.counts()) {
        staleness += (staleness.empty() ? "" : ", ") + numberText(count);
    }
    JsonLines lines;
    lines.text("format", "straggler-lab/run");
    lines.raw("version", "1");
    lines.raw("experiment", nested(experimentToJson(experiment)));
    lines.raw("summary", nested(summaryToJson(summary)));
    lines.raw("nodes",
              list(run.last.nodes, [&](const NodeFrame& one) { return to_json.nodeJson(node++, one); }));
    lines.raw("staleness", '[' + staleness + ']');
    lines.raw("evaluations", list(run.curve, to_json));
    const bool has_updates = !run.updates.empty() || run.last.version == 0;
    lines.raw("updates", has_updates ? list(run.updates, to_json) : "null");
    lines.raw("events", list(run.log, to_json));
    lines.raw("timeline", list(run.spans, to_json));
    return lines.done() + '\n';
}

} // namespace lab
