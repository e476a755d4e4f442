#include "core/experiment/read_sections.h"

#include "core/experiment/json_text.h"
#include "core/experiment/words.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lab {
namespace {

constexpr std::int64_t k_version = 1;

/// Whether this is an experiment of a version that we read at all; where it is not, nothing else is worth saying.
bool isOurs(ObjectReader& root, const JsonValue& at, Complaints& complaints)
{
    const JsonValue* format = root.find("format");
    const JsonValue* version = root.find("version");
    if (format != nullptr && (format->text() == nullptr || *format->text() != k_format)) {
        complaints.add(*format, "format",
                       "must be \"" + std::string(k_format) + "\", not " + describe(*format)
                           + ": this is no experiment");
        return false;
    }
    if (version != nullptr && wholeIn(*version) != k_version) {
        complaints.add(*version, "version", "must be 1, the only version so far, not " + describe(*version));
        return false;
    }
    if (format == nullptr) {
        complaints.add(at, "format", "is missing; write \"format\": \"" + std::string(k_format) + "\"");
    }
    if (version == nullptr) {
        complaints.add(at, "version", "is missing; write \"version\": 1");
    }
    return true;
}

void readModel(const JsonValue& value, ModelSpec& model, Complaints& complaints)
{
    ObjectReader object(value, "model", complaints);
    object.read("kind", model.kind);
    if (const JsonValue* hidden = object.find("hidden")) {
        if (const JsonValue::List* widths = asList(*hidden, "model.hidden", complaints)) {
            model.hidden.clear();
            for (std::size_t i = 0; i < widths->size(); ++i) {
                const auto width = asWhole((*widths)[i], itemPath("model.hidden", i), complaints);
                model.hidden.push_back(static_cast<int>(
                    std::clamp<std::int64_t>(width.value_or(1), -1, std::numeric_limits<int>::max())));
            }
        }
    }
    object.read("l2", model.l2);
    object.read("parameters", model.parameters);
    object.done();
}

void readTraining(const JsonValue& value, TrainingSpec& training, Complaints& complaints)
{
    ObjectReader object(value, "training", complaints);
    object.read("batch", training.batch);
    object.read("learning_rate", training.learning_rate);
    object.read("momentum", training.momentum);
    object.read("update_weight", training.update_weight, k_update_weight_words);
    object.done();
}

void readStop(const JsonValue& value, StopSpec& stop, Complaints& complaints)
{
    stop = {};
    ObjectReader object(value, "stop", complaints);
    object.read("seconds", stop.seconds);
    object.read("updates", stop.updates);
    object.read("samples", stop.samples);
    object.read("loss", stop.loss);
    object.done();
}

NodeNames namesOf(const std::vector<NodeSpec>& nodes)
{
    NodeNames names;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        names.emplace(nodes[i].name, NodeId{i});
    }
    return names;
}

} // namespace

std::optional<Experiment> readExperiment(const JsonValue& value, Reading& reading)
{
    Complaints& complaints = reading.complaints;
    ObjectReader root(value, {}, complaints);
    if (!root.isObject() || !isOurs(root, value, complaints)) {
        return {};
    }
    Experiment experiment;
    root.read("title", experiment.title);
    root.read("notes", experiment.notes);
    if (const JsonValue* seed = root.find("seed")) {
        const std::optional<std::uint64_t> read = seedIn(*seed);
        experiment.seed = read.value_or(experiment.seed);
        if (!read) {
            complaints.add(*seed, "seed", std::string(k_seed_rule) + describe(*seed));
        }
    }
    if (const JsonValue* data = root.find("data")) {
        experiment.data = readData(*data, reading);
    }
    if (const JsonValue* model = root.find("model")) {
        readModel(*model, experiment.model, complaints);
    }
    if (const JsonValue* training = root.find("training")) {
        readTraining(*training, experiment.training, complaints);
    }
    if (const JsonValue* stop = root.find("stop")) {
        readStop(*stop, experiment.stop, complaints);
    }
    if (const JsonValue* evaluate = root.find("evaluate")) {
        ObjectReader object(*evaluate, "evaluate", complaints);
        object.read("every_updates", experiment.evaluate_every_updates);
        object.done();
    }
    if (const JsonValue* cluster = root.find("cluster")) {
        experiment.cluster = readCluster(*cluster, reading);
    } else {
        complaints.add(value, "cluster.nodes",
                       "is missing; write \"cluster\": {\"nodes\": [{}, {\"slowdown\": 4}]}");
    }
    if (const JsonValue* strategy = root.find("strategy")) {
        experiment.strategy = readStrategy(*strategy, "strategy", experiment.cluster.nodes.size(), reading);
    } else {
        complaints.add(value, "strategy.kind", "is missing; write \"strategy\": {\"kind\": \"bsp\"}");
    }
    const NodeNames names = namesOf(experiment.cluster.nodes);
    const StrategyInfo* info = findStrategy(experiment.strategy.kind);
    if (const JsonValue* groups = root.find("groups")) {
        experiment.groups = readGroups(*groups, "groups", names, info, reading);
    }
    if (const JsonValue* events = root.find("events")) {
        experiment.events = readEvents(*events, names, info, reading);
    }
    if (const JsonValue* switches = root.find("switches")) {
        experiment.switches = readSwitches(*switches, names, experiment.cluster.nodes.size(), reading);
    }
    root.done();
    return experiment;
}

} // namespace lab
