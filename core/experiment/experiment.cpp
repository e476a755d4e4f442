#include "core/experiment/experiment.h"

#include "core/experiment/checks.h"
#include "core/experiment/json_text.h"
#include "core/experiment/json_tree.h"
#include "core/experiment/spelling.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace lab {
namespace {

constexpr double k_most_delay = 1e6;           ///< of anything that one task or message waits for
constexpr double k_least_batch_seconds = 1e-6; ///< so that no ordinary task takes less than a nanosecond
constexpr double k_most_count = 0x1.0p53;
constexpr double k_most_parameters = 1e8;
constexpr std::size_t k_most_nodes = 4096;
constexpr std::size_t k_most_timed_nodes = 65536; ///< where nothing is computed
constexpr std::size_t k_longest_name = 200;       ///< bytes

template <class Catalog> std::vector<std::string_view> idsOf(const Catalog& catalog)
{
    std::vector<std::string_view> ids;
    for (const auto& one : catalog) {
        ids.push_back(one.id);
    }
    return ids;
}

/// "cannot be "x"; did you mean …"
template <class Catalog> std::string unknownWord(const std::string& word, const Catalog& catalog)
{
    return "cannot be " + jsonExcerpt(word) + suggestion(word, idsOf(catalog));
}

void checkData(const DataSpec& data, Checks& checks)
{
    if (const auto* name = std::get_if<std::string>(&data.source)) {
        checks.that(findDataset(*name) != nullptr, "data.source", unknownWord(*name, datasetCatalog()));
    }
    checks.share(data.validation, "data.validation");
}

/// Whether a run of it is for its times alone.
bool isTimed(const ModelSpec& model)
{
    const ModelInfo* info = findModel(model.kind);
    return info != nullptr && !info->isComputed();
}

void checkModel(const ModelSpec& model, Checks& checks)
{
    checks.that(findModel(model.kind) != nullptr, "model.kind", unknownWord(model.kind, modelCatalog()));
    checks.that(!model.hidden.empty() && model.hidden.size() <= 16, "model.hidden",
                "must be a list of 1 to 16 layer widths");
    double weights = 0;
    for (std::size_t i = 0; i < model.hidden.size(); ++i) {
        checks.whole(model.hidden[i], 1, 65536, itemPath("model.hidden", i));
        weights += i == 0 ? 0 : static_cast<double>(model.hidden[i - 1]) * model.hidden[i];
    }
    checks.that(weights <= k_most_parameters, "model.hidden",
                "must give at most " + plainNumber(k_most_parameters) + " weights between its layers");
    checks.fromTo(model.l2, 0, 1000, "model.l2");
    checks.whole(model.parameters, 0, 1e12, "model.parameters");
    checks.that(isTimed(model) || model.parameters == 0, "model.parameters",
                "goes only with the kind \"none\"; other models have as many as they are made of");
}

void checkTraining(const TrainingSpec& training, Checks& checks)
{
    checks.whole(training.batch, 1, 1e6, "training.batch");
    checks.aboveTo(training.learning_rate, 0, 1e6, "training.learning_rate");
    checks.share(training.momentum, "training.momentum");
}

void checkStop(const StopSpec& stop, Checks& checks)
{
    checks.that(stop.seconds || stop.updates || stop.samples || stop.loss, "stop",
                "must give at least one of seconds, updates, samples, loss");
    if (stop.seconds) {
        checks.aboveTo(*stop.seconds, 0, k_most_seconds, "stop.seconds");
    }
    if (stop.updates) {
        checks.whole(*stop.updates, 1, k_most_count, "stop.updates");
    }
    if (stop.samples) {
        checks.whole(*stop.samples, 1, k_most_count, "stop.samples");
    }
    if (stop.loss) {
        checks.fromTo(*stop.loss, 0, std::numeric_limits<double>::max(), "stop.loss");
    }
}

void checkJitter(const Jitter& jitter, const std::string& where, Checks& checks)
{
    switch (jitter.kind) {
    case JitterKind::None:
    case JitterKind::Exponential:
        break;
    case JitterKind::ShiftedExponential:
        checks.fromTo(jitter.scale, 0, 1000, where + ".scale");
        break;
    case JitterKind::Pareto:
        checks.aboveTo(jitter.shape, 1, 1000, where + ".shape");
        break;
    case JitterKind::Lognormal:
        checks.fromTo(jitter.sigma, 0, 10, where + ".sigma");
        break;
    case JitterKind::Bimodal:
        checks.fromTo(jitter.probability, 0, 1, where + ".probability");
        checks.slowdown(jitter.factor, where + ".factor");
        break;
    case JitterKind::Markov:
        checks.fromTo(jitter.enter, 0, 1, where + ".enter");
        checks.fromTo(jitter.leave, 0, 1, where + ".leave");
        checks.slowdown(jitter.factor, where + ".factor");
        break;
    }
}

void checkName(const std::string& name, const std::string& where, Checks& checks)
{
    const auto is_odd = [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == ';'; };
    checks.that(
        !name.empty() && name.size() <= k_longest_name && std::ranges::none_of(name, is_odd), where,
        "must be a name of 1 to 200 bytes without control characters and `;`, which separates names in "
        "updates.csv");
}

void checkNodes(const std::vector<NodeSpec>& nodes, std::size_t most, Checks& checks)
{
    checks.that(!nodes.empty() && nodes.size() <= most, "cluster.nodes",
                "must list 1 to " + plainNumber(static_cast<double>(most)) + " nodes");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string where = itemPath("cluster.nodes", i);
        checkName(nodes[i].name, where + ".name", checks);
        checks.that(names.insert(nodes[i].name).second, where + ".name",
                    "is " + jsonExcerpt(nodes[i].name)
                        + " like an earlier node's; every name may be given once");
        checks.slowdown(nodes[i].slowdown, where + ".slowdown");
        if (nodes[i].jitter) {
            checkJitter(*nodes[i].jitter, where + ".jitter", checks);
        }
    }
}

void checkCluster(const ClusterSpec& cluster, std::size_t most_nodes, Checks& checks)
{
    checks.fromTo(cluster.overhead_seconds, 0, k_most_delay, "cluster.overhead_seconds");
    checks.fromTo(cluster.batch_seconds, k_least_batch_seconds, k_most_delay, "cluster.batch_seconds");
    checkJitter(cluster.jitter, "cluster.jitter", checks);
    if (cluster.network) {
        checks.fromTo(cluster.network->latency, 0, k_most_delay, "cluster.network.latency");
        checks.fromTo(cluster.network->bandwidth, 1, 1e18, "cluster.network.bandwidth");
        checks.fromTo(cluster.network->server_bandwidth.value_or(1), 1, 1e18,
                      "cluster.network.server_bandwidth");
    }
    checks.fromTo(cluster.failure_detection_seconds.value_or(0), 0, k_most_delay,
                  "cluster.failure_detection_seconds");
    checks.fromTo(cluster.server_seconds, 0, k_most_delay, "cluster.server_seconds");
    checkNodes(cluster.nodes, most_nodes, checks);
}

} // namespace

void checkGroups(const Experiment& experiment, Checks& checks)
{
    const Grouping& groups = experiment.groups;
    const std::vector<NodeSpec>& nodes = experiment.cluster.nodes;
    if (nodes.empty()) {
        return; // said already
    }
    if (groups.by != Grouping::By::Members) {
        if (groups.count) {
            checks.whole(*groups.count, 1, static_cast<double>(nodes.size()), "groups.count");
        }
        return;
    }
    std::vector<bool> is_in_group(nodes.size(), false);
    for (std::size_t g = 0; g < groups.members.size(); ++g) {
        const std::string where = itemPath("groups.members", g);
        checks.that(!groups.members[g].empty(), where, "must name at least one node");
        for (std::size_t i = 0; i < groups.members[g].size(); ++i) {
            const NodeId node = groups.members[g][i];
            if (!node.isValid() || node.index() >= nodes.size()) {
                checks.that(false, itemPath(where, i), "is no node of this cluster");
                continue;
            }
            checks.that(!is_in_group[node.index()], itemPath(where, i),
                        jsonExcerpt(nodes[node.index()].name)
                            + " is in a group already; every node may be in one");
            is_in_group[node.index()] = true;
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        checks.that(is_in_group[i], "groups.members",
                    jsonExcerpt(nodes[i].name) + " is in no group; every node must be in one");
    }
}

void checkStrategy(const Experiment& experiment, Checks& checks)
{
    const StrategyChoice& choice = experiment.strategy;
    const StrategyInfo* info = findStrategy(choice.kind);
    if (info == nullptr) {
        checks.that(false, "strategy.kind", unknownWord(choice.kind, strategyCatalog()));
        return;
    }
    for (const auto& [name, value] : choice.values) {
        const std::string where = memberPath("strategy", name);
        const ParamSpec* spec = findParam(*info, name);
        if (spec == nullptr) {
            checks.that(false, where, "is no parameter of " + info->id);
        } else if (const auto wrong = checkParam(*spec, value, experiment.cluster.nodes.size())) {
            checks.that(false, where, *wrong);
        }
    }
    checks.that(!info->uses_groups || usesCode(*info) || experiment.groups.by != Grouping::By::Coding,
                "groups.by",
                "cannot be \"coding\": " + info->id + " uses no gradient code; allowed: speed, members");
}

std::vector<Problem> checkContent(const Experiment& experiment)
{
    Checks checks;
    checkData(experiment.data, checks);
    checkModel(experiment.model, checks);
    checkTraining(experiment.training, checks);
    checkStop(experiment.stop, checks);
    checks.whole(experiment.evaluate_every_updates, 1, 1e9, "evaluate.every_updates");
    checkCluster(experiment.cluster, isTimed(experiment.model) ? k_most_timed_nodes : k_most_nodes, checks);
    checks.that(!isTimed(experiment.model) || !experiment.stop.loss, "stop.loss",
                "cannot be given where model.kind is \"none\": there are no losses");
    checkGroups(experiment, checks);
    checkStrategy(experiment, checks);
    checkEvents(experiment, checks);
    checkSwitches(experiment, checks);
    return std::move(checks).list();
}

std::vector<std::string> nodeNames(const Experiment& experiment)
{
    std::vector<std::string> names;
    for (const NodeSpec& node : experiment.cluster.nodes) {
        names.push_back(node.name);
    }
    return names;
}

std::vector<Problem> validate(const Experiment& experiment)
{
    std::vector<Problem> problems = checkContent(experiment);
    for (std::size_t i = 1; i < experiment.events.size(); ++i) {
        if (experiment.events[i].at < experiment.events[i - 1].at) {
            problems.push_back({itemPath("events", i) + ".at", "is before the event ahead of it", 0});
        }
    }
    for (std::size_t i = 1; i < experiment.switches.size(); ++i) {
        if (experiment.switches[i].at < experiment.switches[i - 1].at) {
            problems.push_back({itemPath("switches", i) + ".at", "is before the switch ahead of it", 0});
        }
    }
    for (std::size_t g = 0; g < experiment.groups.members.size(); ++g) {
        if (!std::ranges::is_sorted(experiment.groups.members[g])) {
            problems.push_back({itemPath("groups.members", g), "must be in the order of the nodes", 0});
        }
    }
    return problems;
}

} // namespace lab
