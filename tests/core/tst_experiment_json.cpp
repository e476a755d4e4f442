#include "core/base/rng.h"
#include "core/experiment/experiment_json.h"
#include "core/strategy/strategy_catalog.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <sys/stat.h>

using namespace lab;

namespace {

const std::string k_head = R"("format": "straggler-lab/experiment", "version": 1)";

/// An experiment of three nodes with more text before its closing brace.
std::string withText(const std::string& more,
                     const std::string& cluster = R"("nodes": [{}, {}, {"slowdown": 4}])",
                     const std::string& strategy = R"("kind": "bsp")")
{
    return "{" + k_head + ",\n\"cluster\": {" + cluster + "},\n\"strategy\": {" + strategy + "}"
        + (more.empty() ? "" : ",\n" + more) + "\n}\n";
}

Experiment parse(const std::string& text, const std::vector<Override>& overrides = {})
{
    return parseExperiment(text, "x.json", {}, overrides);
}

/// What is said about the text; empty where it is fine.
std::string complaint(const std::string& text, const std::vector<Override>& overrides = {})
{
    try {
        (void)parse(text, overrides);
        return {};
    } catch (const ExperimentError& error) {
        return error.what();
    }
}

double pick(Rng& random, std::initializer_list<double> values)
{
    return *(values.begin() + random.below(values.size()));
}

Jitter randomJitter(Rng& random)
{
    Jitter jitter;
    jitter.kind = static_cast<JitterKind>(random.below(7));
    switch (jitter.kind) {
    case JitterKind::None:
    case JitterKind::Exponential:
        break;
    case JitterKind::ShiftedExponential:
        jitter.scale = random.uniform();
        break;
    case JitterKind::Pareto:
        jitter.shape = 1 + random.uniform();
        break;
    case JitterKind::Lognormal:
        jitter.sigma = random.uniform();
        break;
    case JitterKind::Bimodal:
        jitter.probability = random.uniform();
        [[fallthrough]];
    case JitterKind::Markov:
        jitter.factor = 1 + 10 * random.uniform();
        break;
    }
    return jitter;
}

Intervention randomEvent(Rng& random, TimePoint at, NodeId node, bool has_groups)
{
    Intervention event{at, Recover{node}};
    std::optional lasting = Duration{1 + static_cast<std::int64_t>(random.below(1'000'000'000'000))};
    if (random.below(2) == 0) {
        lasting.reset();
    }
    switch (random.below(has_groups ? 4 : 3)) {
    case 0:
        event.change = Slow{node, 0.5 + random.uniform(), lasting};
        break;
    case 1:
        event.change = Fail{node, lasting};
        break;
    case 2:
        break;
    default:
        event.change = Move{node, GroupId{static_cast<std::int32_t>(random.below(5))}};
    }
    return event;
}

ParamValue randomValue(Rng& random, const ParamSpec& spec)
{
    const auto whole = static_cast<std::int64_t>(spec.least);
    const bool is_auto = random.below(2) == 0;
    switch (spec.type) {
    case ParamSpec::Type::Real:
        return spec.least + (spec.most - spec.least) * random.uniform();
    case ParamSpec::Type::Choice:
        return spec.choices.at(random.below(spec.choices.size()));
    case ParamSpec::Type::Toggle:
        return is_auto;
    case ParamSpec::Type::WholesOrAuto:
        if (!is_auto) {
            return std::vector<std::int64_t>{whole, whole};
        }
        [[fallthrough]];
    case ParamSpec::Type::WholeOrAuto:
        if (is_auto) {
            return std::string("auto");
        }
        [[fallthrough]];
    case ParamSpec::Type::Whole:
        break;
    }
    return whole;
}

Experiment randomExperiment(Rng& random)
{
    Experiment one;
    one.title = random.below(2) == 0 ? "Ünïcode \"quotes\" \\ 实验" : "";
    one.notes = "# A\n\ttab\x01\x7f";
    one.seed = random.below(2) == 0 ? random.next() : random.below(1000);
    one.data.source = random.below(2) == 0 ? "digits" : "blobs";
    one.data.validation = random.uniform();
    one.data.partition = static_cast<PartitionKind>(random.below(3));
    one.model = {"softmax", {3, 5}, random.uniform()};
    one.training.batch = 1 + static_cast<int>(random.below(100));
    one.training.learning_rate = pick(random, {1e-9, 0.1, 1.0 / 3, 100000});
    one.training.momentum = random.uniform();
    one.training.update_weight = static_cast<UpdateWeight>(random.below(2));
    one.stop = {};
    one.stop.seconds = pick(random, {0.1, 1e9, 60, 1e-9});
    if (random.below(2) == 0) {
        one.stop = {{}, 1 + random.below(100), std::int64_t{1} << 53, 0.0};
    }
    one.cluster.overhead_seconds = random.uniform();
    one.cluster.batch_seconds = random.uniform();
    one.cluster.jitter = randomJitter(random);
    if (random.below(2) == 0) {
        one.cluster.network = Network{random.uniform(), 1 + 1e9 * random.uniform(), {}};
    }
    if (random.below(2) == 0) {
        one.cluster.failure_detection_seconds.reset();
    }
    one.cluster.preemptive = random.below(2) == 0;
    const auto catalog = strategyCatalog();
    const StrategyInfo& strategy = catalog[random.below(catalog.size())];
    one.strategy.kind = strategy.id;
    const std::size_t nodes = 2 + random.below(6);
    for (const ParamSpec& spec : strategy.params) {
        one.strategy.values[spec.name] = randomValue(random, spec);
    }
    one.groups.by = random.below(2) == 0 ? Grouping::By::Speed : Grouping::By::Members;
    one.groups.members.resize(one.groups.by == Grouping::By::Members ? 2 : 0);
    if (one.groups.by == Grouping::By::Speed && random.below(2) == 0) {
        one.groups.count = 2;
    }
    for (std::size_t i = 0; i < nodes; ++i) {
        NodeSpec node;
        node.name = "node, " + std::to_string(i);
        node.slowdown = 0.5 + random.uniform();
        if (random.below(3) == 0) {
            node.jitter = randomJitter(random);
        }
        one.cluster.nodes.push_back(node);
        if (!one.groups.members.empty()) {
            one.groups.members[i % 2].emplace_back(i);
        }
    }
    TimePoint at;
    for (std::uint64_t i = random.below(5); i > 0; --i) {
        at += Duration{static_cast<std::int64_t>(random.below(1'000'000'000'000))};
        one.events.push_back(randomEvent(random, at, NodeId{random.below(nodes)}, strategy.uses_groups));
    }
    return one;
}

} // namespace

class TestExperimentJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leastExperimentHasTheDefaults();
    void randomExperimentsComeBackEqual();
    void badTextIsRefused_data();
    void badTextIsRefused();
    void severalProblemsAreListedByLine();
    void longListsOfProblemsAreCut();
    void otherFilesAreRefused();
    void hugeFileIsRefusedUnread();
    void specialFilesAreRefused();
    void traceMustExist();
    void pathsStartAtTheFolder();
    void byteOrderMarkIsAccepted();
    void wholeNumbersMayHaveAPoint();
    void seedsOfAllSizes();
    void stopHoldsOnlyWhatIsGiven();
    void eventsAreSortedStably();
    void membersBecomeGroups();
    void overridesReplaceValues();
    void badOverridesAreRefused_data();
    void badOverridesAreRefused();
    void otherStrategyFitsEveryFile();
};

void TestExperimentJson::leastExperimentHasTheDefaults()
{
    const Experiment one =
        parse("{" + k_head + R"(, "cluster": {"nodes": [{}, {}]}, "strategy": {"kind": "bsp"}})");

    Experiment expected;
    expected.cluster.nodes = {NodeSpec{"n1", 1, {}}, NodeSpec{"n2", 1, {}}};
    QVERIFY(one == expected);
    QCOMPARE(one.stop.seconds.value(), 60.0);
}

void TestExperimentJson::randomExperimentsComeBackEqual()
{
    for (std::uint64_t i = 0; i < 500; ++i) {
        Rng random(17, Purpose::Estimate, i, 0);
        const Experiment one = randomExperiment(random);

        const std::string json = experimentToJson(one);
        const std::string wrong = complaint(json);

        QVERIFY2(wrong.empty(), (wrong + "\n" + json).c_str());
        QVERIFY2(parse(json) == one, json.c_str());
        QCOMPARE(experimentToJson(parse(json)), json);
    }
}

void TestExperimentJson::badTextIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("start"); // of the one line that must be said
    const auto row = [](const char* name, const std::string& text, const char* start) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(start);
    };
    const std::string nodes = R"("nodes": [{}, {}])";
    row("empty", "", "x.json:1: is empty");
    row("blank", " \n\t\n", "x.json:1: is empty");
    row("zeros", std::string(1000, '\0'), "x.json:1: is not UTF-8 text");
    row("zero byte later", std::string("{\n\"a\"\0}", 7), "x.json:2: is not UTF-8 text");
    row("no object", "[1]", "x.json:1: must be an object in { }, not a list");
    row("cut off", "{\"format\": \n", "x.json:1: broken JSON");
    row("missing comma", "{" + k_head + "\n\"seed\": 1}", "x.json:2: broken JSON");
    row("trailing comma", "{" + k_head + ",\n}", "x.json:2: broken JSON");
    row("two values", "{}\n{}", "x.json:2: broken JSON");
    row("not a number", withText("\"seed\": NaN"), "x.json:4: broken JSON");
    row("infinity", withText("\"seed\": -Infinity"), "x.json:4: broken JSON");
    row("too large number", withText("\"stop\": {\"seconds\": 1e999}"), "x.json:4: broken JSON");
    row("comment", withText("// no"), "x.json:4: broken JSON");
    row("line end in a string", withText("\"title\": \"a\nb\""), "x.json:4: broken JSON");
    row("bad UTF-8", withText("\"title\": \"\xC3(\""), "x.json:4: is not UTF-8 text");
    row("bad UTF-8 outside of strings", withText("\xFF"), "x.json:4: broken JSON");
    row("lone surrogate", withText("\"title\": \"\\ud800\""), "x.json:4: broken JSON");
    row("deep", withText("\"title\": " + std::string(100000, '[')), "x.json:4: nests deeper than 64 levels");
    row(
        "deep objects",
        "{\"a\":" + std::string(0, ' ') +
            [] {
                std::string deep;
                for (int i = 0; i < 100000; ++i) {
                    deep += "{\"a\":";
                }
                return deep;
            }(),
        "x.json:1: nests deeper than 64 levels");
    row("a million values",
        withText("\"events\": [" +
                 [] {
                     std::string many;
                     for (int i = 0; i < 1'000'000; ++i) {
                         many += "1,";
                     }
                     return many;
                 }()
                 + "1]"),
        "x.json:4: holds more than a million values");
    row("twice", withText("\"seed\": 1,\n\"seed\": 2"), "x.json:5: seed: stands here twice");
    row("twice inside", withText({}, "\"nodes\": [{},\n{\"name\": \"a\", \"name\": \"b\"}]"),
        "x.json:3: cluster.nodes[1].name: stands here twice");
    row("other format", "{\n\"format\": \"glTF\"}",
        "x.json:2: format: must be \"straggler-lab/experiment\", not \"glTF\"");
    row("other version", "{\"format\": \"straggler-lab/experiment\",\n\"version\": 2}",
        "x.json:2: version: must be 1");
    row("no format", "{\"version\": 1, \"cluster\": {\"nodes\": [{}]}, \"strategy\": {\"kind\": \"bsp\"}}",
        "x.json:1: format: is missing");
    row("no cluster", "{" + k_head + ",\n\"strategy\": {\"kind\": \"bsp\"}}",
        "x.json:1: cluster.nodes: is missing");
    row("no nodes", withText({}, "\"batch_seconds\": 1"), "x.json:2: cluster.nodes: is missing");
    row("empty nodes", withText({}, "\"nodes\": []"), "x.json:2: cluster.nodes: must list 1 to 4096 nodes");
    row("nodes no list", withText({}, "\"nodes\": 4"),
        "x.json:2: cluster.nodes: must be a list in [ ], not 4");
    row("no kind", withText({}, nodes, ""), "x.json:3: strategy.kind: is missing");
    row("kind no text", withText({}, nodes, "\"kind\": 3"),
        "x.json:3: strategy.kind: must be a text in quotes, not 3");
    row("unknown strategy", withText({}, nodes, "\"kind\": \"hybird\""),
        "x.json:3: strategy.kind: cannot be \"hybird\"; did you mean hybrid? Allowed: bsp, asp, hybrid");
    row("unknown parameter", withText({}, nodes, "\"kind\": \"bsp\", \"k\": 2"),
        "x.json:3: strategy.k: unknown parameter; bsp takes none");
    row("unknown key", withText("\"sede\": 1"),
        "x.json:4: sede: unknown key; did you mean seed? Allowed: format, version");
    row("unknown key inside", withText({}, "\"nodes\": [{},\n{\"slowdwn\": 2}]"),
        "x.json:3: cluster.nodes[1].slowdwn: unknown key; did you mean slowdown? Allowed: name, slowdown, "
        "jitter");
    row("odd key", withText("\"a\\nb.c\": 1"), "x.json:4: [\"a\\nb.c\"]: unknown key");
    row("wrong type", withText("\"title\": 7"), "x.json:4: title: must be a text in quotes, not 7");
    row("null", withText("\"training\": {\"batch\": null}"),
        "x.json:4: training.batch: must be a whole number, not null");
    row("fraction", withText("\"training\": {\"batch\": 1.5}"),
        "x.json:4: training.batch: must be a whole number, not 1.5");
    row("beyond int", withText("\"training\": {\"batch\": 1e12}"),
        "x.json:4: training.batch: must be a whole number from 1 to 1000000, not 1e+12");
    row("out of range", withText("\"training\": {\n\"learning_rate\": -1}"),
        "x.json:5: training.learning_rate: must be a number above 0 and at most 1000000, not -1");
    row("slowdown 0", withText({}, "\"nodes\": [{\"slowdown\": 0}]"),
        "x.json:2: cluster.nodes[0].slowdown: must be a number from 0.001 to 1000000, not 0");
    row("momentum 1", withText("\"training\": {\"momentum\": 1}"),
        "x.json:4: training.momentum: must be a number at least 0 and below 1");
    row("seed", withText("\"seed\": 9007199254740992"),
        "x.json:4: seed: must be a whole number from 0 to 9007199254740991");
    row("seed text", withText("\"seed\": \"18446744073709551616\""), "x.json:4: seed: must be");
    row("negative seed", withText("\"seed\": -1"), "x.json:4: seed: must be");
    row("no stop", withText("\"stop\": {}"),
        "x.json:4: stop: must give at least one of seconds, updates, samples, loss");
    row("stop nulls", withText("\"stop\": {\"seconds\": null}"), "x.json:4: stop: must give at least one");
    row("updates 0", withText("\"stop\": {\"updates\": 0}"),
        "x.json:4: stop.updates: must be a whole number from 1");
    row("data set", withText("\"data\": {\"source\": \"digit\"}"),
        "x.json:4: data.source: cannot be \"digit\"; did you mean digits?");
    row("source number", withText("\"data\": {\"source\": 3}"),
        "x.json:4: data.source: must be the name of a data set");
    row("source keys", withText("\"data\": {\"source\": {}}"),
        "x.json:4: data.source: must hold csv, libsvm");
    row("source file", withText("\"data\": {\"source\": {\"csv\": \"none.csv\"}}"),
        "x.json:4: data.source.csv: there is no file \"none.csv\"");
    row("special file", withText("\"data\": {\"source\": {\"libsvm\": \"/dev/null\"}}"),
        "x.json:4: data.source.libsvm: \"/dev/null\" is no regular file");
    row("idx labels",
        withText("\"data\": {\"source\": {\"idx_images\": \"" LAB_SOURCE_DIR "/CMakeLists.txt\"}}"),
        "x.json:4: data.source.idx_labels: must name a file");
    row("missing trace", withText({}, "\"nodes\": [{}],\n\"trace\": \"none.csv\""),
        "x.json:3: cluster.trace: there is no file \"none.csv\"");
    row("trace folder", withText({}, "\"nodes\": [{}],\n\"trace\": \"/\""),
        "x.json:3: cluster.trace: \"/\" is no regular file");
    row("partition", withText("\"data\": {\"partition\": \"shufled\"}"),
        "x.json:4: data.partition: cannot be \"shufled\"; did you mean shuffled?");
    row("model", withText("\"model\": {\"kind\": \"cnn\"}"),
        "x.json:4: model.kind: cannot be \"cnn\"; allowed: linear, softmax, mlp");
    row("hidden", withText("\"model\": {\"hidden\": [8, 0]}"),
        "x.json:4: model.hidden[1]: must be a whole number from 1 to 65536, not 0");
    row("wide", withText("\"model\": {\"hidden\": [65536, 65536]}"),
        "x.json:4: model.hidden: must give at most");
    row("jitter kind", withText({}, nodes + ",\n\"jitter\": {\"kind\": \"normal\"}"),
        "x.json:3: cluster.jitter.kind: cannot be \"normal\"");
    row("jitter key of another kind",
        withText({}, nodes + ",\n\"jitter\": {\"kind\": \"pareto\", \"scale\": 1}"),
        "x.json:3: cluster.jitter.scale: unknown key; allowed: kind, shape");
    row("pareto shape", withText({}, nodes + ",\n\"jitter\": {\"kind\": \"pareto\", \"shape\": 1}"),
        "x.json:3: cluster.jitter.shape: must be a number above 1 and at most 1000, not 1");
    row("bandwidth 0", withText({}, nodes + ",\n\"network\": {\"bandwidth\": 0}"),
        "x.json:3: cluster.network.bandwidth: must be");
    row("same names", withText({}, "\"nodes\": [{\"name\": \"a\"},\n{\"name\": \"a\"}]"),
        "x.json:3: cluster.nodes[1].name: is \"a\" like an earlier node's");
    row("empty name", withText({}, "\"nodes\": [{\"name\": \"\"}]"),
        "x.json:2: cluster.nodes[0].name: must be a name");
    row("name with separator", withText({}, "\"nodes\": [{\"name\": \"a;b\"}]"),
        "x.json:2: cluster.nodes[0].name: must be a name");
    row("count", withText("\"groups\": {\"count\": 9}"),
        "x.json:4: groups.count: must be a whole number from 1 to 3, not 9");
    row("count word", withText("\"groups\": {\"count\": \"many\"}"),
        "x.json:4: groups.count: must be a whole number or \"auto\"");
    row("unknown member", withText("\"groups\": {\"members\": [[\"n1\", \"n9\"], [\"n3\"]]}"),
        "x.json:4: groups.members[0][1]: no node is named \"n9\"");
    row("member twice", withText("\"groups\": {\"members\": [[\"n1\", \"n2\"], [\"n3\", \"n1\"]]}"),
        "x.json:4: groups.members[1][1]: \"n1\" is in a group already");
    row("member missing", withText("\"groups\": {\"members\": [[\"n1\", \"n2\"]]}"),
        "x.json:4: groups.members: \"n3\" is in no group");
    row("members by speed",
        withText("\"groups\": {\"by\": \"speed\", \"members\": [[\"n1\", \"n2\", \"n3\"]]}"),
        "x.json:4: groups.members: goes only with \"by\": \"members\"");
    row("members missing", withText("\"groups\": {\"by\": \"members\"}"),
        "x.json:4: groups.members: is missing");
    row("coding without code", withText("\"groups\": {\"by\": \"coding\"}", nodes, "\"kind\": \"hybrid\""),
        "x.json:4: groups.by: cannot be \"coding\": hybrid uses no gradient code");
    row("event node", withText("\"events\": [{\"node\": \"n9\", \"do\": \"fail\"}]"),
        "x.json:4: events[0].node: no node is named \"n9\"");
    row("event without node", withText("\"events\": [{\"do\": \"fail\"}]"),
        "x.json:4: events[0].node: is missing");
    row("event deed", withText("\"events\": [{\"node\": \"n1\", \"do\": \"die\"}]"),
        "x.json:4: events[0].do: cannot be \"die\"; allowed: slow, fail");
    row("event factor", withText("\"events\": [{\"node\": \"n1\", \"do\": \"slow\"}]"),
        "x.json:4: events[0].factor: is missing");
    row("event time",
        withText("\"events\": [{\"at\": 5, \"node\": \"n1\", \"do\": \"fail\"},\n{\"at\": -1, \"node\": "
                 "\"n1\", \"do\": \"recover\"}]"),
        "x.json:5: events[1].at: must be a number from 0 to 1000000000, not -1");
    row("event key of another deed",
        withText("\"events\": [{\"node\": \"n1\", \"do\": \"fail\", \"factor\": 2}]"),
        "x.json:4: events[0].factor: unknown key");
    row("event for 0", withText("\"events\": [{\"node\": \"n1\", \"do\": \"fail\", \"for\": 0}]"),
        "x.json:4: events[0].for: must be a number above 0");
    row("move without groups", withText("\"events\": [{\"node\": \"n1\", \"do\": \"move\", \"group\": 0}]"),
        "x.json:4: events[0].do: cannot be \"move\": bsp has no groups to move between");
}

void TestExperimentJson::badTextIsRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, start);

    const QByteArray said = QByteArray::fromStdString(complaint(text.toStdString()));

    QVERIFY2(said.startsWith(start), said);
    QVERIFY2(!said.contains('\n'), said);
    QVERIFY2(said.size() < 700, said);
}

void TestExperimentJson::severalProblemsAreListedByLine()
{
    const std::string said =
        complaint(withText("\"sede\": 1,\n\"training\": {\"batch\": 0},\n\"stop\": {\"seconds\": \"x\"}",
                           "\"nodes\": [{\"slowdown\": -1}]", "\"kind\": \"nope\""));

    const QByteArray lines = QByteArray::fromStdString(said);
    QCOMPARE(lines.count('\n'), 4);
    QVERIFY2(lines.contains("x.json:2: cluster.nodes[0].slowdown"), lines);
    QVERIFY2(lines.indexOf("x.json:3: strategy.kind") < lines.indexOf("x.json:4: sede"), lines);
    QVERIFY2(lines.indexOf("x.json:5: training.batch") < lines.indexOf("x.json:6: stop.seconds"), lines);
}

void TestExperimentJson::longListsOfProblemsAreCut()
{
    std::string keys;
    for (int i = 0; i < 100'000; ++i) {
        keys += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1";
    }

    const std::string said = complaint(withText(keys));

    QCOMPARE(QByteArray::fromStdString(said).count('\n'), 50);
    QVERIFY2(QByteArray::fromStdString(said).endsWith("and 99950 more"), said.c_str());
}

void TestExperimentJson::otherFilesAreRefused()
{
    QTemporaryDir folder;
    const std::filesystem::path missing = folder.path().toStdString() + "/none.json";
    try {
        (void)loadExperiment(missing);
        QFAIL("loaded");
    } catch (const ExperimentError& error) {
        QCOMPARE(error.what(), missing.string() + ": there is no such file");
    }
    QVERIFY_EXCEPTION_THROWN((void)loadExperiment(folder.path().toStdString()), ExperimentError);
    QVERIFY_EXCEPTION_THROWN((void)loadExperiment(""), ExperimentError);
}

void TestExperimentJson::hugeFileIsRefusedUnread()
{
    QTemporaryDir folder;
    const std::filesystem::path file = folder.path().toStdString() + "/huge.json";
    std::ofstream(file).put('{');
    std::filesystem::resize_file(file, 1'000'000'000); // sparse
    try {
        (void)loadExperiment(file);
        QFAIL("loaded");
    } catch (const ExperimentError& error) {
        QCOMPARE(error.what(), file.string() + ": is larger than 16 MiB, which no experiment file is");
    }
}

void TestExperimentJson::specialFilesAreRefused()
{
    QTemporaryDir folder;
    const std::string fifo = folder.path().toStdString() + "/fifo";
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);

    QVERIFY_EXCEPTION_THROWN((void)loadExperiment(fifo), ExperimentError);
    QVERIFY_EXCEPTION_THROWN((void)loadExperiment("/dev/zero"), ExperimentError);
}

void TestExperimentJson::traceMustExist()
{
    QTemporaryDir folder;
    const std::filesystem::path file = folder.path().toStdString() + "/one.json";
    std::ofstream(file) << withText({}, "\"nodes\": [{}],\n\"trace\": \"times.csv\"");
    QVERIFY_EXCEPTION_THROWN((void)loadExperiment(file), ExperimentError);

    std::ofstream(file.parent_path() / "times.csv") << "node,iteration,seconds\n";

    const Experiment one = loadExperiment(file);
    QCOMPARE(one.cluster.trace.value(), std::string("times.csv"));
    QCOMPARE(one.folder, file.parent_path());
}

void TestExperimentJson::pathsStartAtTheFolder()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    std::ofstream(path + "/rows.csv") << "1,2\n";
    const std::string text = withText("\"data\": {\"source\": {\"csv\": \"rows.csv\", \"label\": 0}}");

    const Experiment one = parseExperiment(text, "x.json", path);

    QVERIFY(one.data.source == DataSource(CsvSource{"rows.csv", "0"}));
    QVERIFY(parseExperiment(experimentToJson(one), "x.json", path) == one);
}

void TestExperimentJson::byteOrderMarkIsAccepted()
{
    QCOMPARE(complaint("\xEF\xBB\xBF" + withText({})), std::string());
    QVERIFY(complaint("\xFF\xFE" + withText({})).starts_with("x.json:1: "));
}

void TestExperimentJson::wholeNumbersMayHaveAPoint()
{
    const Experiment one = parse(withText("\"seed\": 7.0, \"training\": {\"batch\": 1e2}"));

    QCOMPARE(one.seed, std::uint64_t{7});
    QCOMPARE(one.training.batch, 100);
}

void TestExperimentJson::seedsOfAllSizes()
{
    QCOMPARE(parse(withText("\"seed\": 9007199254740991")).seed, (std::uint64_t{1} << 53) - 1);
    QCOMPARE(parse(withText("\"seed\": \"18446744073709551615\"")).seed,
             std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(parse(withText("\"seed\": 0")).seed, std::uint64_t{0});
}

void TestExperimentJson::stopHoldsOnlyWhatIsGiven()
{
    const Experiment one = parse(withText("\"stop\": {\"updates\": 5, \"loss\": null}"));

    QVERIFY((one.stop == StopSpec{{}, 5, {}, {}}));
}

void TestExperimentJson::eventsAreSortedStably()
{
    const Experiment one = parse(withText(R"("events": [{"at": 2, "node": "n1", "do": "fail"},
        {"at": 1, "node": "n2", "do": "slow", "factor": 3, "for": 0.5}, {"at": 2, "node": "n1", "do": "recover"}])"));

    const std::vector<Intervention> expected{{atSeconds(1), Slow{NodeId{1}, 3.0, fromSeconds(0.5)}},
                                             {atSeconds(2), Fail{NodeId{0}, {}}},
                                             {atSeconds(2), Recover{NodeId{0}}}};
    QVERIFY(one.events == expected);
}

void TestExperimentJson::membersBecomeGroups()
{
    const Experiment one = parse(withText("\"groups\": {\"members\": [[\"n3\", \"n1\"], [\"n2\"]]}"));

    QVERIFY(one.groups.by == Grouping::By::Members);
    QVERIFY((one.groups.members == Partition{{NodeId{0}, NodeId{2}}, {NodeId{1}}}));
}

void TestExperimentJson::overridesReplaceValues()
{
    const std::vector<Override> overrides{{"strategy.kind", "asp"},
                                          {"cluster.nodes[2].slowdown", "8"},
                                          {"stop.updates", "9"},
                                          {"title", "plain words"},
                                          {"cluster.network.latency", "0.5"},
                                          {"cluster.nodes[0]", "{\"name\": \"a\"}"},
                                          {"stop.updates", "10"},
                                          {"seed", "\"18446744073709551615\""}};
    const Experiment one = parse(
        withText("\"stop\": {\"seconds\": 3}", "\"network\": null, \"nodes\": [{}, {}, {}]"), overrides);

    QCOMPARE(one.strategy.kind, std::string("asp"));
    QCOMPARE(one.cluster.nodes[2].slowdown, 8.0);
    QCOMPARE(one.cluster.nodes[0].name, std::string("a"));
    QVERIFY((one.stop == StopSpec{3.0, 10, {}, {}}));
    QCOMPARE(one.title, std::string("plain words"));
    QCOMPARE(one.cluster.network.value().latency, 0.5);
    QCOMPARE(one.seed, std::numeric_limits<std::uint64_t>::max());
    QVERIFY((parse(withText("\"stop\": {\"seconds\": 3, \"updates\": 4}"), {{"stop.updates", "null"}}).stop
             == StopSpec{3.0, {}, {}, {}}));
}

void TestExperimentJson::badOverridesAreRefused_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* path, const char* value, const char* said) {
        QTest::newRow(path) << QByteArray(path) << QByteArray(value) << QByteArray(said);
    };
    row("cluster.nodes[99].slowdown", "2",
        "x.json: --set cluster.nodes[99].slowdown: cluster.nodes has no item 99; allowed: 0 to 2");
    row("cluster.nodes[99999999999999999999].name", "2",
        "x.json: --set cluster.nodes[99999999999999999999].name: is no path; write it like strategy.kind or "
        "cluster.nodes[2].slowdown");
    row("cluster.nodes.slowdown", "2",
        "x.json: --set cluster.nodes.slowdown: cluster.nodes is a list, not an object: it has no "
        "\"slowdown\"");
    row("strategy.kind.x", "2",
        "x.json: --set strategy.kind.x: strategy.kind is \"bsp\", not an object: it has no \"x\"");
    row("strategy[0]", "2", "x.json: --set strategy[0]: strategy is an object, not a list");
    row("", "2", "x.json: --set : is no path; write it like strategy.kind or cluster.nodes[2].slowdown");
    row("a..b", "2",
        "x.json: --set a..b: is no path; write it like strategy.kind or cluster.nodes[2].slowdown");
    row("[0]", "2",
        "x.json: --set [0]: is no path; write it like strategy.kind or cluster.nodes[2].slowdown");
    row("a[0]b", "2",
        "x.json: --set a[0]b: is no path; write it like strategy.kind or cluster.nodes[2].slowdown");
    row("sed", "2", "x.json: --set sed: unknown key; did you mean seed?");
    row("training.batch", "0",
        "x.json: --set training.batch: must be a whole number from 1 to 1000000, not 0");
    row("training.momentum", "fast", "x.json: --set training.momentum: must be a number, not \"fast\"");
    row("strategy.k", "3", "x.json: --set strategy.k: unknown parameter; bsp takes none");
    row("title", "\xFF\xFE", "x.json: --set title: is not UTF-8 text");
}

void TestExperimentJson::badOverridesAreRefused()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, said);

    const std::string complaints = complaint(withText({}), {{path.toStdString(), value.toStdString()}});

    QVERIFY2(complaints.starts_with(said.toStdString()), complaints.c_str());
    QVERIFY2(complaints.find('\n') == std::string::npos, complaints.c_str());
}

void TestExperimentJson::otherStrategyFitsEveryFile()
{
    const std::string file =
        withText(R"("groups": {"by": "coding"}, "events": [
        {"at": 1, "node": "n1", "do": "move", "group": 1}, {"at": 2, "node": "n1", "do": "fail", "for": 1}])",
                 R"("nodes": [{}, {}, {}])", R"("kind": "not_yet_written", "stragglers": 1)");
    for (const StrategyInfo& info : strategyCatalog()) {
        const std::vector<Override> overrides{{"strategy.kind", info.id}};

        const std::string said = complaint(file, overrides);

        QVERIFY2(said.empty(), said.c_str());
        const Experiment one = parse(file, overrides);
        QCOMPARE(one.strategy.kind, info.id);
        QCOMPARE(one.events.size(), std::size_t{info.uses_groups ? 2U : 1U});
    }
    QVERIFY(complaint(file, {{"strategy.kind", "bsp"}, {"strategy.stragglers", "1"}})
                .starts_with("x.json: --set strategy.stragglers: unknown parameter"));
}

QTEST_APPLESS_MAIN(TestExperimentJson)
#include "tst_experiment_json.moc"
