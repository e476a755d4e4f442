#include "core/experiment/experiment_json.h"

#include "core/experiment/json_text.h"
#include "core/experiment/words.h"
#include "core/record/number_text.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lab {
namespace {

template <class Number> std::string numberOrNull(const std::optional<Number>& value)
{
    return value ? numberText(*value) : "null";
}

struct SourceJson {
    std::string operator()(const std::string& name) const { return jsonString(name); }
    std::string operator()(const CsvSource& source) const
    {
        return JsonLine().text("csv", source.csv).text("label", source.label).done();
    }
    std::string operator()(const LibsvmSource& source) const
    {
        return JsonLine().text("libsvm", source.libsvm).done();
    }
    std::string operator()(const IdxSource& source) const
    {
        return JsonLine().text("idx_images", source.idx_images).text("idx_labels", source.idx_labels).done();
    }
    std::string operator()(const CifarSource& source) const
    {
        return JsonLine().text("cifar10", source.cifar10).done();
    }
};

std::string jitterJson(const Jitter& jitter)
{
    JsonLine line;
    line.text("kind", wordFor(jitter.kind, k_jitter_words));
    switch (jitter.kind) {
    case JitterKind::None:
    case JitterKind::Exponential:
        break;
    case JitterKind::ShiftedExponential:
        line.number("scale", jitter.scale);
        break;
    case JitterKind::Pareto:
        line.number("shape", jitter.shape);
        break;
    case JitterKind::Lognormal:
        line.number("sigma", jitter.sigma);
        break;
    case JitterKind::Bimodal:
        line.number("probability", jitter.probability).number("factor", jitter.factor);
        break;
    case JitterKind::Markov:
        line.number("enter", jitter.enter).number("leave", jitter.leave).number("factor", jitter.factor);
        break;
    }
    return line.done();
}

std::string networkJson(const std::optional<Network>& network)
{
    if (!network) {
        return "null";
    }
    JsonLine line;
    line.number("latency", network->latency).number("bandwidth", network->bandwidth);
    return line.raw("server_bandwidth", numberOrNull(network->server_bandwidth)).done();
}

std::string nodeJson(const NodeSpec& node)
{
    JsonLine line;
    line.text("name", node.name).number("slowdown", node.slowdown);
    if (node.jitter) {
        line.raw("jitter", jitterJson(*node.jitter));
    }
    return line.done();
}

std::string clusterJson(const ClusterSpec& cluster)
{
    JsonLines object("  ");
    object.raw("overhead_seconds", numberText(cluster.overhead_seconds));
    object.raw("batch_seconds", numberText(cluster.batch_seconds));
    object.raw("jitter", jitterJson(cluster.jitter));
    object.raw("network", networkJson(cluster.network));
    object.raw("trace", cluster.trace ? jsonString(*cluster.trace) : "null");
    object.raw("failure_detection_seconds", numberOrNull(cluster.failure_detection_seconds));
    object.raw("server_seconds", numberText(cluster.server_seconds));
    object.raw("preemptive", cluster.preemptive ? "true" : "false");
    object.raw("nodes", tallList(cluster.nodes, "    ", nodeJson));
    return object.done();
}

std::string nameOf(NodeId node, const Experiment& experiment)
{
    return jsonString(experiment.cluster.nodes.at(node.index()).name);
}

std::string groupsJson(const Grouping& groups, const Experiment& experiment)
{
    JsonLine line;
    line.text("by", wordFor(groups.by, k_grouping_words));
    if (groups.by != Grouping::By::Members) {
        return line.raw("count", groups.count ? numberText(*groups.count) : "\"auto\"").done();
    }
    const auto group_json = [&](const std::vector<NodeId>& group) {
        return inlineList(group, [&](NodeId node) { return nameOf(node, experiment); });
    };
    return line.raw("members", inlineList(groups.members, group_json)).done();
}

struct ParamJson {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return numberText(value); }
    std::string operator()(double value) const { return numberText(value); }
    std::string operator()(const std::string& value) const { return jsonString(value); }
    std::string operator()(const std::vector<std::int64_t>& values) const
    {
        return inlineList(values, [](std::int64_t value) { return numberText(value); });
    }
};

std::string strategyJson(const StrategyChoice& strategy)
{
    JsonLine line;
    line.text("kind", strategy.kind);
    for (const auto& [name, value] : strategy.values) {
        line.raw(name, std::visit(ParamJson{}, value));
    }
    return line.done();
}

struct ChangeJson {
    JsonLine& line;

    void lasting(const std::optional<Duration>& duration) const
    {
        if (duration) {
            line.number("for", toSeconds(*duration));
        }
    }
    void operator()(const Slow& slow) const
    {
        line.text("do", "slow").number("factor", slow.factor);
        lasting(slow.lasting);
    }
    void operator()(const Fail& fail) const
    {
        line.text("do", "fail");
        lasting(fail.lasting);
    }
    void operator()(const Recover& /*recover*/) const { line.text("do", "recover"); }
    void operator()(const Move& move) const { line.text("do", "move").whole("group", move.group.value()); }
};

std::string stopJson(const StopSpec& stop)
{
    JsonLine line;
    line.raw("seconds", numberOrNull(stop.seconds)).raw("updates", numberOrNull(stop.updates));
    line.raw("samples", numberOrNull(stop.samples)).raw("loss", numberOrNull(stop.loss));
    return line.done();
}

std::string modelJson(const ModelSpec& model)
{
    JsonLine line;
    line.text("kind", model.kind)
        .raw("hidden", inlineList(model.hidden, [](int width) { return numberText(width); }))
        .number("l2", model.l2);
    if (model.parameters != 0) {
        line.whole("parameters", model.parameters);
    }
    return line.done();
}

} // namespace

std::string eventToJson(const Intervention& event, const Experiment& experiment)
{
    JsonLine line;
    line.number("at", toSeconds(event.at)).raw("node", nameOf(nodeOf(event.change), experiment));
    std::visit(ChangeJson{line}, event.change);
    return line.done();
}

std::string experimentToJson(const Experiment& experiment)
{
    const DataSpec& data = experiment.data;
    const ModelSpec& model = experiment.model;
    const TrainingSpec& training = experiment.training;
    JsonLines object;
    object.text("format", k_format);
    object.raw("version", "1");
    object.text("title", experiment.title);
    object.text("notes", experiment.notes);
    std::string seed;
    appendJsonSeed(seed, experiment.seed);
    object.raw("seed", seed);
    object.raw("data",
               JsonLine()
                   .raw("source", std::visit(SourceJson{}, data.source))
                   .number("validation", data.validation)
                   .text("partition", wordFor(data.partition, k_partition_words))
                   .done());
    object.raw("model", modelJson(model));
    object.raw("training",
               JsonLine()
                   .whole("batch", training.batch)
                   .number("learning_rate", training.learning_rate)
                   .number("momentum", training.momentum)
                   .text("update_weight", wordFor(training.update_weight, k_update_weight_words))
                   .done());
    object.raw("stop", stopJson(experiment.stop));
    object.raw("evaluate", JsonLine().whole("every_updates", experiment.evaluate_every_updates).done());
    object.raw("cluster", clusterJson(experiment.cluster));
    object.raw("groups", groupsJson(experiment.groups, experiment));
    object.raw("strategy", strategyJson(experiment.strategy));
    object.raw("events", tallList(experiment.events, "  ", [&](const Intervention& event) {
                   return eventToJson(event, experiment);
               }));
    if (!experiment.switches.empty()) {
        object.raw("switches", tallList(experiment.switches, "  ", [&](const StrategySwitch& one) {
                       return JsonLine()
                           .number("at", toSeconds(one.at))
                           .raw("strategy", strategyJson(one.strategy))
                           .raw("groups", groupsJson(one.groups, experiment))
                           .done();
                   }));
    }
    return object.done() + '\n';
}

} // namespace lab
