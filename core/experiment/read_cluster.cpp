#include "core/experiment/read_sections.h"

#include "core/experiment/words.h"
#include "core/learn/dataset_catalog.h"
#include "core/record/number_text.h"

#include <utility>

namespace lab {
namespace {

Jitter readJitter(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    Jitter jitter;
    ObjectReader object(value, where, complaints);
    const std::size_t before = complaints.list().size();
    object.read("kind", jitter.kind, k_jitter_words);
    if (complaints.list().size() > before) {
        return jitter; // without the kind nobody knows which keys belong here
    }
    switch (jitter.kind) {
    case JitterKind::None:
    case JitterKind::Exponential:
        break;
    case JitterKind::ShiftedExponential:
        object.read("scale", jitter.scale);
        break;
    case JitterKind::Pareto:
        object.read("shape", jitter.shape);
        break;
    case JitterKind::Lognormal:
        object.read("sigma", jitter.sigma);
        break;
    case JitterKind::Bimodal:
        object.read("probability", jitter.probability);
        object.read("factor", jitter.factor);
        break;
    case JitterKind::Markov:
        object.read("enter", jitter.enter);
        object.read("leave", jitter.leave);
        object.read("factor", jitter.factor);
        break;
    }
    object.done();
    return jitter;
}

Network readNetwork(const JsonValue& value, Complaints& complaints)
{
    Network network;
    ObjectReader object(value, "cluster.network", complaints);
    object.read("latency", network.latency);
    object.read("bandwidth", network.bandwidth);
    object.read("server_bandwidth", network.server_bandwidth);
    object.done();
    return network;
}

NodeSpec readNode(const JsonValue& value, std::size_t index, Complaints& complaints)
{
    NodeSpec node;
    node.name = "n" + numberText(index + 1);
    ObjectReader object(value, itemPath("cluster.nodes", index), complaints);
    object.read("name", node.name);
    object.read("slowdown", node.slowdown);
    if (const JsonValue* jitter = object.find("jitter"); jitter != nullptr && !jitter->isNull()) {
        node.jitter = readJitter(*jitter, object.pathOf("jitter"), complaints);
    }
    object.done();
    return node;
}

/// The data set's description by the first of its keys that is there.
DataSource readSource(const JsonValue& value, Complaints& complaints)
{
    const std::string where = "data.source";
    if (const std::string* name = value.text()) {
        return *name;
    }
    if (value.object() == nullptr) {
        complaints.add(value, where,
                       "must be the name of a data set or an object that names files, not "
                           + describe(value));
        return {};
    }
    ObjectReader object(value, where, complaints);
    DataSource source;
    if (value.member("csv") != nullptr) {
        CsvSource csv;
        object.read("csv", csv.csv);
        if (const JsonValue* label = value.member("label"); label != nullptr && wholeIn(*label)) {
            (void)object.find("label");
            csv.label = numberText(*wholeIn(*label)); // a column by its number
        } else {
            object.read("label", csv.label);
        }
        source = csv;
    } else if (value.member("libsvm") != nullptr) {
        LibsvmSource libsvm;
        object.read("libsvm", libsvm.libsvm);
        source = libsvm;
    } else if (value.member("idx_images") != nullptr || value.member("idx_labels") != nullptr) {
        IdxSource idx;
        object.read("idx_images", idx.idx_images);
        object.read("idx_labels", idx.idx_labels);
        source = idx;
    } else if (value.member("cifar10") != nullptr) {
        CifarSource cifar;
        object.read("cifar10", cifar.cifar10);
        source = cifar;
    } else {
        complaints.add(value, where, "must hold csv, libsvm, idx_images and idx_labels, or cifar10");
        return source;
    }
    object.done();
    return source;
}

} // namespace

DataSpec readData(const JsonValue& value, Reading& reading)
{
    DataSpec data;
    ObjectReader object(value, "data", reading.complaints);
    if (const JsonValue* source = object.find("source")) {
        data.source = readSource(*source, reading.complaints);
    }
    object.read("validation", data.validation);
    object.read("partition", data.partition, k_partition_words);
    object.done();
    return data;
}

ClusterSpec readCluster(const JsonValue& value, Reading& reading)
{
    Complaints& complaints = reading.complaints;
    ClusterSpec cluster;
    ObjectReader object(value, "cluster", complaints);
    object.read("overhead_seconds", cluster.overhead_seconds);
    object.read("batch_seconds", cluster.batch_seconds);
    if (const JsonValue* jitter = object.find("jitter"); jitter != nullptr && !jitter->isNull()) {
        cluster.jitter = readJitter(*jitter, "cluster.jitter", complaints);
    }
    if (const JsonValue* network = object.find("network"); network != nullptr && !network->isNull()) {
        cluster.network = readNetwork(*network, complaints);
    }
    object.read("trace", cluster.trace);
    object.read("failure_detection_seconds", cluster.failure_detection_seconds);
    object.read("server_seconds", cluster.server_seconds);
    object.read("preemptive", cluster.preemptive);
    if (const JsonValue* nodes = object.find("nodes")) {
        if (const JsonValue::List* list = asList(*nodes, "cluster.nodes", complaints)) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                cluster.nodes.push_back(readNode((*list)[i], i, complaints));
            }
        }
    } else if (object.isObject()) {
        complaints.add(value, "cluster.nodes", "is missing; write \"nodes\": [{}, {\"slowdown\": 4}]");
    }
    object.done();
    return cluster;
}

} // namespace lab
