#include "core/experiment/chrome_trace.h"
#include "core/experiment/experiment_json.h"
#include "core/experiment/run_json.h"
#include "core/experiment/setting_list.h"
#include "core/experiment/summary.h"
#include "core/record/csv.h"
#include "tests/support/comma_locale.h"
#include "tests/support/experiment_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QMap>
#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace lab;

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

/// Two groups, jitter, a slowdown, a failure and a move, under names that every format has to quote.
const Experiment& eventful()
{
    static const Experiment made = [] {
        Experiment experiment = parseExperiment(R"json({
            "format": "straggler-lab/experiment", "version": 1, "seed": "18446744073709551615",
            "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"seconds": 4},
            "evaluate": {"every_updates": 3},
            "cluster": {"batch_seconds": 0.0123456789, "failure_detection_seconds": 0.1,
                        "jitter": {"kind": "shifted_exponential", "scale": 0.2},
                        "network": {"latency": 0.001, "bandwidth": 1e6},
                        "nodes": [{"name": "n1"}, {"name": "n2"}, {"name": "n3", "slowdown": 3}, {"name": "n4"}]},
            "groups": {"members": [["n1", "n2"], ["n3", "n4"]]},
            "strategy": {"kind": "hybrid"},
            "events": [{"at": 1, "node": "n1", "do": "slow", "factor": 5, "for": 1},
                       {"at": 1.5, "node": "n4", "do": "fail", "for": 0.5},
                       {"at": 3, "node": "n4", "do": "move", "group": 0}]})json",
                                                "eventful.json", {});
        experiment.title = "a \"b\" <&>";
        experiment.cluster.nodes[0].name = "a, b";
        experiment.cluster.nodes[1].name = "<&>\"x\"";
        experiment.cluster.nodes[2].name = "实验";
        return experiment;
    }();
    return made;
}

const RunRecord& eventfulRun()
{
    static const RunRecord run = test::run(eventful());
    return run;
}

QJsonObject parsed(const std::string& json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error);
    if (error.error != QJsonParseError::NoError) {
        qWarning("%s at %d", qPrintable(error.errorString()), error.offset);
    }
    return document.object();
}

/// Microseconds of a trace as nanoseconds.
Duration nanoseconds(const QJsonValue& microseconds)
{
    return Duration{std::llround(microseconds.toDouble() * 1000)};
}

QList<QJsonObject> eventsOf(const QJsonObject& trace, const QString& phase)
{
    QList<QJsonObject> events;
    for (const QJsonValue& event : trace[QStringLiteral("traceEvents")].toArray()) {
        if (event[QStringLiteral("ph")].toString() == phase) {
            events << event.toObject();
        }
    }
    return events;
}

QList<QJsonObject> rowsOf(const QJsonObject& document, const char* list)
{
    QList<QJsonObject> rows;
    for (const QJsonValue& row : document[QLatin1String(list)].toArray()) {
        rows << row.toObject();
    }
    return rows;
}

double numberOf(const QJsonObject& row, const char* key)
{
    const QJsonValue value = row[QLatin1String(key)];
    return value.isNull() ? k_nan : value.toDouble(-12345);
}

TimePoint timeOf(const QJsonObject& row, const char* key) { return atSeconds(numberOf(row, key)); }

std::string textOf(const QJsonObject& row, const char* key)
{
    return row[QLatin1String(key)].toString().toStdString();
}

/// The run's document, as if nothing had been done to the run while it went on.
std::string documentOf(const Experiment& experiment, const RunRecord& run)
{
    return runToJson(experiment, experiment, run, summaryToJson(summarize(experiment, run, 0.5)));
}

} // namespace

/// Whatever leaves the program reads back as what was recorded.
class TestRunExports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void traceHoldsEverySpanToTheNanosecond();
    void traceHasWholeIdsAndNamesForThem();
    void traceSlicesOfALaneDoNotOverlap();
    void traceCountersAndInstantsAreTheRecords();
    void traceLeavesOutWhatIsNotFinite();
    void traceOfAnEmptyRunIsAValidTrace();
    void jsonReadsBackToTheRun();
    void jsonHoldsTheExperimentAndTheSummary();
    void jsonHasNullForWhatIsNoNumber();
    void jsonOfARunThatGoesOnSaysSo();
    void jsonDoesNotPassMissingUpdatesOffAsNone();
    void eventsAreATable();
    void settingsAreThoseThatTheFileMustSay();
    void aDecimalCommaChangesNoByte();
};

void TestRunExports::traceHoldsEverySpanToTheNanosecond()
{
    const RunRecord& run = eventfulRun();
    const std::vector<std::string> names = nodeNames(eventful());
    const QJsonObject trace = parsed(chromeTrace(run, names));

    const QList<QJsonObject> slices = eventsOf(trace, QStringLiteral("X"));
    QCOMPARE(static_cast<std::size_t>(slices.size()), run.spans.size());
    QVERIFY(slices.size() > 100);
    for (qsizetype i = 0; i < slices.size(); ++i) {
        const Span& span = run.spans[static_cast<std::size_t>(i)];
        QCOMPARE(slices[i][QStringLiteral("tid")].toInt(), span.node.value() + 1);
        QCOMPARE(textOf(slices[i], "name"), std::string(activityName(span.activity)));
        QCOMPARE(nanoseconds(slices[i][QStringLiteral("ts")]), span.start.time_since_epoch());
        QCOMPARE(nanoseconds(slices[i][QStringLiteral("dur")]), span.end - span.start);
    }
}

void TestRunExports::traceHasWholeIdsAndNamesForThem()
{
    const std::vector<std::string> names = nodeNames(eventful());
    const QJsonObject trace = parsed(chromeTrace(eventfulRun(), names));

    QMap<int, QString> threads;
    for (const QJsonObject& name : eventsOf(trace, QStringLiteral("M"))) {
        if (textOf(name, "name") == "thread_name" && name[QStringLiteral("pid")].toInt() == 2) {
            threads[name[QStringLiteral("tid")].toInt()] =
                name[QStringLiteral("args")][QStringLiteral("name")].toString();
        }
    }
    QCOMPARE(threads.size(), qsizetype{4});
    for (std::size_t i = 0; i < names.size(); ++i) {
        QCOMPARE(threads[static_cast<int>(i) + 1], QString::fromStdString(names[i]));
    }
    for (const QJsonValue& event : trace[QStringLiteral("traceEvents")].toArray()) {
        for (const char* id : {"pid", "tid"}) {
            const QJsonValue value = event[QLatin1String(id)];
            QVERIFY(value.isDouble() && value.toDouble() == value.toInt(-1) && value.toInt() > 0);
        }
        if (event[QStringLiteral("ph")].toString() != QLatin1String("M")) {
            QVERIFY(event[QStringLiteral("ts")].isDouble() && event[QStringLiteral("ts")].toDouble() >= 0);
        }
    }
}

void TestRunExports::traceSlicesOfALaneDoNotOverlap()
{
    const QJsonObject trace = parsed(chromeTrace(eventfulRun(), nodeNames(eventful())));

    QMap<int, Duration> end;
    for (const QJsonObject& slice : eventsOf(trace, QStringLiteral("X"))) {
        const int lane = slice[QStringLiteral("tid")].toInt();
        const Duration start = nanoseconds(slice[QStringLiteral("ts")]);
        QVERIFY(start >= end.value(lane, Duration{0}));
        end[lane] = start + nanoseconds(slice[QStringLiteral("dur")]);
    }
    for (const Duration last : end) {
        QCOMPARE(last, eventfulRun().end.time_since_epoch());
    }
}

void TestRunExports::traceCountersAndInstantsAreTheRecords()
{
    const RunRecord& run = eventfulRun();
    const QJsonObject trace = parsed(chromeTrace(run, nodeNames(eventful())));

    std::size_t losses = 0;
    std::size_t updates = 0;
    for (const QJsonObject& counter : eventsOf(trace, QStringLiteral("C"))) {
        const double value = counter[QStringLiteral("args")][QStringLiteral("value")].toDouble();
        const Duration at = nanoseconds(counter[QStringLiteral("ts")]);
        if (textOf(counter, "name") == "updates") {
            QCOMPARE(value, static_cast<double>(run.updates[updates].update));
            QCOMPARE(at, run.updates[updates++].time.time_since_epoch());
        } else {
            QCOMPARE(value, run.curve[losses].train_loss);
            QCOMPARE(at, run.curve[losses++].time.time_since_epoch());
        }
    }
    QCOMPARE(losses, run.curve.size());
    QCOMPARE(updates, run.updates.size());
    const QList<QJsonObject> instants = eventsOf(trace, QStringLiteral("i"));
    QCOMPARE(static_cast<std::size_t>(instants.size()), run.log.size());
    QVERIFY(instants.size() >= 4);
    for (qsizetype i = 0; i < instants.size(); ++i) {
        const LogEntry& entry = run.log[static_cast<std::size_t>(i)];
        QCOMPARE(textOf(instants[i], "name"), entry.text);
        QCOMPARE(nanoseconds(instants[i][QStringLiteral("ts")]), entry.time.time_since_epoch());
        QCOMPARE(textOf(instants[i], "s"), std::string(entry.node.isValid() ? "t" : "g"));
    }
}

void TestRunExports::traceLeavesOutWhatIsNotFinite()
{
    RunRecord run;
    run.curve = {{TimePoint{}, 0, 0, 2.5, k_nan, k_nan},
                 {atSeconds(1), 5, 40, k_nan, k_nan, k_nan},
                 {atSeconds(2), 9, 72, std::numeric_limits<double>::infinity(), k_nan, k_nan}};

    const QList<QJsonObject> counters = eventsOf(parsed(chromeTrace(run, {})), QStringLiteral("C"));

    QCOMPARE(counters.size(), 1);
}

void TestRunExports::traceOfAnEmptyRunIsAValidTrace()
{
    const QJsonObject trace = parsed(chromeTrace(RunRecord{}, {}));

    QVERIFY(trace[QStringLiteral("traceEvents")].isArray());
    QVERIFY(eventsOf(trace, QStringLiteral("X")).isEmpty());
}

void TestRunExports::jsonReadsBackToTheRun()
{
    const Experiment& experiment = eventful();
    const RunRecord& run = eventfulRun();
    const std::vector<std::string> names = nodeNames(experiment);
    const auto name = [&](NodeId node) { return node.isValid() ? names[node.index()] : std::string(); };

    const QJsonObject read = parsed(documentOf(experiment, run));

    const QList<QJsonObject> spans = rowsOf(read, "timeline");
    QCOMPARE(static_cast<std::size_t>(spans.size()), run.spans.size());
    for (qsizetype i = 0; i < spans.size(); ++i) {
        const Span& span = run.spans[static_cast<std::size_t>(i)];
        QCOMPARE(textOf(spans[i], "node"), name(span.node));
        QCOMPARE(textOf(spans[i], "state"), std::string(activityName(span.activity)));
        QVERIFY(timeOf(spans[i], "start") == span.start && timeOf(spans[i], "end") == span.end);
    }
    const QList<QJsonObject> updates = rowsOf(read, "updates");
    QCOMPARE(static_cast<std::size_t>(updates.size()), run.updates.size());
    for (qsizetype i = 0; i < updates.size(); ++i) {
        const UpdateRecord& update = run.updates[static_cast<std::size_t>(i)];
        QCOMPARE(updates[i][QStringLiteral("update")].toInteger(), update.update);
        QVERIFY(timeOf(updates[i], "time") == update.time);
        QCOMPARE(updates[i][QStringLiteral("group")].toInt(-1), update.group.value());
        QCOMPARE(updates[i][QStringLiteral("samples")].toInteger(), update.samples);
        QCOMPARE(numberOf(updates[i], "staleness_mean"), update.staleness_mean);
        QCOMPARE(updates[i][QStringLiteral("staleness_max")].toInteger(), update.staleness_max);
        QCOMPARE(numberOf(updates[i], "weight"), update.weight);
        QCOMPARE(numberOf(updates[i], "decode_error"), update.decode_error);
        std::multiset<std::string> used;
        for (const QJsonValue& gradient : updates[i][QStringLiteral("gradients")].toArray()) {
            used.insert(gradient[QStringLiteral("node")].toString().toStdString());
        }
        std::multiset<std::string> recorded;
        for (const NodeId node : update.nodes) {
            recorded.insert(name(node));
        }
        QVERIFY(used == recorded);
    }
    const QList<QJsonObject> evaluations = rowsOf(read, "evaluations");
    QCOMPARE(static_cast<std::size_t>(evaluations.size()), run.curve.size());
    for (qsizetype i = 0; i < evaluations.size(); ++i) {
        const Evaluation& one = run.curve[static_cast<std::size_t>(i)];
        QVERIFY(timeOf(evaluations[i], "time") == one.time);
        QCOMPARE(evaluations[i][QStringLiteral("update")].toInteger(), one.update);
        QCOMPARE(evaluations[i][QStringLiteral("samples")].toInteger(), one.samples);
        QCOMPARE(numberOf(evaluations[i], "train_loss"), one.train_loss);
        QCOMPARE(numberOf(evaluations[i], "validation_loss"), one.validation_loss);
        QCOMPARE(numberOf(evaluations[i], "validation_accuracy"), one.validation_accuracy);
    }
    const QList<QJsonObject> events = rowsOf(read, "events");
    QCOMPARE(static_cast<std::size_t>(events.size()), run.log.size());
    for (qsizetype i = 0; i < events.size(); ++i) {
        const LogEntry& entry = run.log[static_cast<std::size_t>(i)];
        QVERIFY(timeOf(events[i], "time") == entry.time);
        QCOMPARE(textOf(events[i], "text"), entry.text);
        QCOMPARE(textOf(events[i], "node"), name(entry.node));
    }
    const QList<QJsonObject> nodes = rowsOf(read, "nodes");
    QCOMPARE(static_cast<std::size_t>(nodes.size()), names.size());
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        const NodeFrame& node = run.last.nodes[static_cast<std::size_t>(i)];
        QCOMPARE(textOf(nodes[i], "node"), names[static_cast<std::size_t>(i)]);
        QCOMPARE(nodes[i][QStringLiteral("gradients")].toInteger(), node.gradients);
        for (std::size_t a = 0; a < k_activities; ++a) {
            QCOMPARE(fromSeconds(numberOf(nodes[i], activityName(static_cast<Activity>(a)))),
                     node.times.of[a]);
        }
    }
    const QJsonArray staleness = read[QStringLiteral("staleness")].toArray();
    QCOMPARE(static_cast<std::size_t>(staleness.size()), run.last.staleness.counts().size());
    for (qsizetype i = 0; i < staleness.size(); ++i) {
        QCOMPARE(staleness[i].toInteger(), run.last.staleness.counts()[static_cast<std::size_t>(i)]);
    }
}

void TestRunExports::jsonHoldsTheExperimentAndTheSummary()
{
    const Summary summary = summarize(eventful(), eventfulRun(), 0.5);
    const QJsonObject read = parsed(documentOf(eventful(), eventfulRun()));

    for (const char* key : {"experiment", "journal"}) {
        const QByteArray experiment =
            QJsonDocument(read[QLatin1String(key)].toObject()).toJson(QJsonDocument::Compact);
        QVERIFY(parseExperiment(experiment.toStdString(), "again", {}) == eventful());
    }
    QCOMPARE(read[QStringLiteral("summary")].toObject(), parsed(summaryToJson(summary)));
}

void TestRunExports::jsonHasNullForWhatIsNoNumber()
{
    RunRecord run;
    run.curve = {{TimePoint{}, 0, 0, k_nan, std::numeric_limits<double>::infinity(), 0.5}};

    const QJsonObject read = parsed(documentOf(Experiment{}, run));

    const QJsonObject row = rowsOf(read, "evaluations").at(0);
    QVERIFY(row[QStringLiteral("train_loss")].isNull() && row[QStringLiteral("validation_loss")].isNull());
    QCOMPARE(numberOf(row, "validation_accuracy"), 0.5);
}

void TestRunExports::jsonOfARunThatGoesOnSaysSo()
{
    Summary summary = summarize(Experiment{}, RunRecord{}, k_nan);
    summary.stop_reason.reset();
    summary.schedule_fingerprint.reset();

    const QJsonObject read = parsed(summaryToJson(summary));

    QVERIFY(read[QStringLiteral("stop_reason")].isNull());
    QVERIFY(read[QStringLiteral("schedule_fingerprint")].isNull());
    QVERIFY(read[QStringLiteral("number_fingerprint")].isString());
}

void TestRunExports::jsonDoesNotPassMissingUpdatesOffAsNone()
{
    const Experiment plain;
    RunRecord run;
    const auto updates = [&] { return parsed(documentOf(plain, run))[QStringLiteral("updates")]; };

    QVERIFY(updates().isArray());
    run.last.version = 7;
    QVERIFY(updates().isNull());
}

void TestRunExports::eventsAreATable()
{
    RunRecord run;
    run.log = {{atSeconds(0.5), LogEntry::Kind::Fail, NodeId{1}, "b fails, at once"},
               {atSeconds(2), LogEntry::Kind::Stop, NodeId{}, "over"}};

    QCOMPARE(eventsCsv(run, std::vector<std::string>{"a", "b"}),
             std::string("time,kind,node,text\n0.5,fail,b,\"b fails, at once\"\n2,stop,,over\n"));
}

void TestRunExports::settingsAreThoseThatTheFileMustSay()
{
    Experiment experiment;
    experiment.title = "words are no settings";
    experiment.cluster.nodes = {{"a", 1.0, {}}, {"b", 4.0, {}}};
    experiment.training.learning_rate = 0.25;
    experiment.model.hidden = {32, 16};
    experiment.strategy = {"ssp", {{"staleness", std::int64_t{3}}}};
    experiment.events = {{atSeconds(2), Fail{NodeId{1}, {}}}};

    const std::vector<SettingText> settings = settingsBeyondDefaults(experiment);

    const std::vector<SettingText> expected{
        {"model.hidden", "[32, 16]"}, {"training.learning_rate", "0.25"}, {"cluster.nodes[1].slowdown", "4"},
        {"strategy.kind", "\"ssp\""}, {"strategy.staleness", "3"},        {"events[0].at", "2"},
        {"events[0].node", "\"b\""},  {"events[0].do", "\"fail\""}};
    for (const SettingText& one : settings) {
        QVERIFY2(std::ranges::find(expected, one) != expected.end(), (one.path + " " + one.value).c_str());
    }
    QCOMPARE(settings.size(), expected.size());
}

void TestRunExports::aDecimalCommaChangesNoByte()
{
    const std::vector<std::string> names = nodeNames(eventful());
    const auto all = [&] {
        const RunRecord& run = eventfulRun();
        return std::vector<std::string>{
            chromeTrace(run, names), curveCsv(run),         updatesCsv(run, names),     nodesCsv(run, names),
            timelineCsv(run, names), eventsCsv(run, names), documentOf(eventful(), run)};
    };
    const std::vector<std::string> plain = all();

    const test::CommaLocale locale;
    if (!locale.loaded()) {
        QSKIP("NOT TESTED: localedef cannot make a locale with a decimal comma here");
    }
    QLocale::setDefault(QLocale(QLocale::German));
    const std::vector<std::string> german = all();
    QLocale::setDefault(QLocale::c());

    QVERIFY(german == plain);
}

QTEST_APPLESS_MAIN(TestRunExports)
#include "tst_run_exports.moc"
