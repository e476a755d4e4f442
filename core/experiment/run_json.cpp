#include "core/experiment/run_json.h"

#include "core/experiment/experiment_json.h"
#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <limits>
#include <string_view>
#include <vector>

namespace lab {
namespace {

std::string_view withoutLineEnd(std::string_view text)
{
    return text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
}

/// The lists of a run, with the names of its nodes.
class RunTables {
public:
    RunTables(const Experiment& experiment, const RunRecord& run) : run_(run)
    {
        for (const NodeSpec& node : experiment.cluster.nodes) {
            names_.push_back(jsonString(node.name));
        }
    }

    void addTo(JsonLines& object) const
    {
        const bool has_updates = !run_.updates.empty() || run_.last.version == 0;
        object.raw("nodes", nodes());
        object.raw("staleness", inlineList(run_.last.staleness.counts(), [](std::int64_t count) {
                       return numberText(count);
                   }));
        object.raw("updates",
                   has_updates
                       ? tallList(run_.updates, "  ", [&](const UpdateRecord& one) { return update(one); })
                       : "null");
        object.raw("evaluations", tallList(run_.curve, "  ", evaluation));
        object.raw("timeline", tallList(run_.spans, "  ", [&](const Span& one) { return span(one); }));
        object.raw("groups",
                   tallList(run_.groupings, "  ", [&](const GroupingRecord& one) { return grouping(one); }));
        object.raw("slowdowns", tallList(run_.slowdowns, "  ", [&](const SlowdownRecord& one) {
                       return JsonLine()
                           .number("time", toSeconds(one.time))
                           .raw("node", nameOf(one.node))
                           .number("slowdown", one.slowdown)
                           .done();
                   }));
        object.raw("events", tallList(run_.log, "  ", [&](const LogEntry& one) { return event(one); }));
        if (!run_.task_seconds.empty()) {
            object.raw("tasks", tallList(run_.task_seconds, "  ", [](const std::vector<double>& seconds) {
                           return inlineList(seconds, number);
                       }));
        }
    }

private:
    [[nodiscard]] static std::string number(double value)
    {
        std::string json;
        appendJsonNumber(json, value);
        return json;
    }
    [[nodiscard]] const std::string& nameOf(NodeId node) const
    {
        static const std::string nobody = "null";
        return node.isValid() ? names_.at(node.index()) : nobody;
    }
    [[nodiscard]] static std::string groupOf(GroupId group)
    {
        return group.isValid() ? numberText(group.value()) : "null";
    }
    [[nodiscard]] std::string nodes() const
    {
        std::size_t at = 0;
        return tallList(run_.last.nodes, "  ", [&](const NodeFrame& node) {
            JsonLine line;
            line.raw("node", names_.at(at++)).raw("group", groupOf(node.group));
            for (std::size_t i = 0; i < k_activities; ++i) {
                line.number(activityName(static_cast<Activity>(i)), toSeconds(node.times.of[i]));
            }
            line.number("cost_others", toSeconds(node.cost_others)).whole("gradients", node.gradients);
            line.number("staleness_mean",
                        node.gradients > 0 ? node.staleness_mean : std::numeric_limits<double>::quiet_NaN());
            return line.whole("staleness_max", node.staleness_max).number("slowdown", node.slowdown).done();
        });
    }
    [[nodiscard]] std::string update(const UpdateRecord& one) const
    {
        JsonLine line;
        line.whole("update", one.update).number("time", toSeconds(one.time)).raw("group", groupOf(one.group));
        line.whole("samples", one.samples).number("staleness_mean", one.staleness_mean);
        line.whole("staleness_max", one.staleness_max).number("weight", one.weight);
        line.number("decode_error", one.decode_error);
        return line
            .raw("gradients",
                 inlineList(one.gradients,
                            [&](const UsedGradient& gradient) {
                                return JsonLine()
                                    .raw("node", nameOf(gradient.node))
                                    .whole("staleness", gradient.staleness)
                                    .done();
                            }))
            .done();
    }
    [[nodiscard]] static std::string evaluation(const Evaluation& one)
    {
        JsonLine line;
        line.number("time", toSeconds(one.time)).whole("update", one.update).whole("samples", one.samples);
        line.number("train_loss", one.train_loss).number("validation_loss", one.validation_loss);
        return line.number("validation_accuracy", one.validation_accuracy).done();
    }
    [[nodiscard]] std::string span(const Span& one) const
    {
        JsonLine line;
        line.raw("node", nameOf(one.node)).number("start", toSeconds(one.start));
        line.number("end", toSeconds(one.end)).text("state", activityName(one.activity));
        return line.raw("released_by", nameOf(one.released_by)).done();
    }
    [[nodiscard]] std::string grouping(const GroupingRecord& one) const
    {
        std::size_t at = 0;
        const auto group = [&](const std::vector<NodeId>& members) {
            return JsonLine()
                .raw("nodes", inlineList(members, [&](NodeId node) { return nameOf(node); }))
                .whole("tolerance", one.tolerance[at++])
                .done();
        };
        JsonLine line;
        line.number("time", toSeconds(one.time)).whole("update", one.update);
        return line.toggle("is_measuring", one.is_measuring)
            .raw("groups", inlineList(one.groups, group))
            .done();
    }
    [[nodiscard]] std::string event(const LogEntry& one) const
    {
        JsonLine line;
        line.number("time", toSeconds(one.time)).text("kind", logKindName(one.kind));
        return line.raw("node", nameOf(one.node)).text("text", one.text).done();
    }

    const RunRecord& run_;
    std::vector<std::string> names_; ///< as JSON
};

} // namespace

std::string runToJson(const Experiment& experiment, const Experiment& journal, const RunRecord& run,
                      const std::string& summary)
{
    JsonLines object;
    object.text("format", "straggler-lab/run");
    object.raw("version", "1");
    object.raw("summary", withoutLineEnd(summary));
    object.raw("experiment", withoutLineEnd(experimentToJson(experiment)));
    object.raw("journal", withoutLineEnd(experimentToJson(journal)));
    RunTables(experiment, run).addTo(object);
    return object.done() + '\n';
}

} // namespace lab
