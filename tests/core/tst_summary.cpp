#include "core/experiment/summary.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <limits>
#include <string>

using namespace lab;

namespace {

/// Two nodes for ten seconds: one waits for 2 s and wastes 1 s, the other waits for 1 s and is down for 5 s.
RunRecord sampleRun()
{
    using namespace std::chrono_literals;
    RunRecord run;
    run.stop_reason = StopReason::Updates;
    run.end = TimePoint{10s};
    run.last.version = 4;
    run.last.samples = 128;
    run.last.server_utilisation = 0.25;
    run.last.nodes.resize(2);
    run.last.nodes[0].times.of = {7s, 1s, 0s, 2s, 0s};
    run.last.nodes[1].times.of = {3s, 0s, 1s, 1s, 5s};
    run.last.staleness.add(0);
    run.last.staleness.add(3);
    run.curve = {{TimePoint{}, 0, 0, 2, 2, 0.1}, {TimePoint{10s}, 4, 128, 0.5, 0.75, 0.9}};
    run.last.theory.round_seconds = 2.5;
    run.last.theory.updates_per_second = 0.4;
    run.last.theory.idle_fraction = 0.25;
    run.last.theory.mean_staleness = 0;
    run.last.theory.basis = "E[max]";
    run.schedule_fingerprint = 0xabc;
    run.instruction_set = InstructionSet::V3;
    run.number_fingerprint = std::numeric_limits<std::uint64_t>::max();
    return run;
}

Experiment sampleExperiment()
{
    Experiment experiment;
    experiment.title = "A \"title\"";
    experiment.seed = 7;
    return experiment;
}

} // namespace

class TestSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fractionsAreOfTheTimeAlive();
    void jsonHasEveryKeyInOrder();
    void missingFiguresAreNull();
    void largeSeedsAreText();
    void manyNodesForManyYearsDoNotOverflow();
    void oneLineForTheTerminal();
};

void TestSummary::fractionsAreOfTheTimeAlive()
{
    const Summary summary = summarize(sampleExperiment(), sampleRun(), 0.5);

    QCOMPARE(summary.idle_fraction, 3.0 / 15);
    QCOMPARE(summary.wasted_fraction, 1.0 / 15);
    QCOMPARE(summary.mean_staleness, 1.5);
    QCOMPARE(summary.max_staleness, std::int64_t{3});
    QCOMPARE(summary.train_loss, 0.5);
}

void TestSummary::jsonHasEveryKeyInOrder()
{
    const std::string json = summaryToJson(summarize(sampleExperiment(), sampleRun(), 0.5));

    QCOMPARE(json,
             std::string("{\n"
                         "  \"format\": \"straggler-lab/summary\",\n"
                         "  \"version\": 1,\n"
                         "  \"title\": \"A \\\"title\\\"\",\n"
                         "  \"strategy\": \"bsp\",\n"
                         "  \"clock\": \"virtual\",\n"
                         "  \"seed\": 7,\n"
                         "  \"stop_reason\": \"updates\",\n"
                         "  \"seconds\": 10,\n"
                         "  \"updates\": 4,\n"
                         "  \"samples\": 128,\n"
                         "  \"train_loss\": 0.5,\n"
                         "  \"validation_loss\": 0.75,\n"
                         "  \"validation_accuracy\": 0.9,\n"
                         "  \"idle_fraction\": 0.2,\n"
                         "  \"wasted_fraction\": 0.06666666666666667,\n"
                         "  \"mean_staleness\": 1.5,\n"
                         "  \"max_staleness\": 3,\n"
                         "  \"server_utilisation\": 0.25,\n"
                         "  \"wall_seconds\": 0.5,\n"
                         "  \"theory\": {\n"
                         "    \"round_seconds\": 2.5,\n"
                         "    \"updates_per_second\": 0.4,\n"
                         "    \"samples_per_second\": null,\n"
                         "    \"idle_fraction\": 0.25,\n"
                         "    \"mean_staleness\": 0,\n"
                         "    \"geometric_staleness\": null,\n"
                         "    \"basis\": \"E[max]\"\n"
                         "  },\n"
                         "  \"instruction_set\": \"v3\",\n"
                         "  \"schedule_fingerprint\": \"0000000000000abc\",\n"
                         "  \"number_fingerprint\": \"ffffffffffffffff\",\n"
                         "  \"program_version\": \"")
                 + programVersion() + "\"\n}\n");
}

void TestSummary::missingFiguresAreNull()
{
    const Summary summary = summarize(sampleExperiment(), RunRecord{}, 0);

    QJsonParseError error;
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(summaryToJson(summary)), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    for (const char* key : {"train_loss", "validation_loss", "validation_accuracy", "idle_fraction",
                            "wasted_fraction", "mean_staleness", "instruction_set"}) {
        QVERIFY2(json.value(QLatin1String(key)).isNull(), key);
    }
}

void TestSummary::largeSeedsAreText()
{
    Experiment experiment = sampleExperiment();
    experiment.seed = std::uint64_t{1} << 53;

    const std::string json = summaryToJson(summarize(experiment, sampleRun(), 0));

    QVERIFY(json.find("\"seed\": \"9007199254740992\"") != std::string::npos);
}

void TestSummary::manyNodesForManyYearsDoNotOverflow()
{
    RunRecord run;
    run.end = atSeconds(1e9);
    run.last.nodes.resize(4096);
    for (NodeFrame& node : run.last.nodes) {
        node.times[Activity::Waiting] = fromSeconds(5e8);
    }

    QCOMPARE(summarize(sampleExperiment(), run, 0).idle_fraction, 0.5);
}

void TestSummary::oneLineForTheTerminal()
{
    QCOMPARE(summaryLine(summarize(sampleExperiment(), sampleRun(), 0)),
             std::string("bsp: seconds 10, updates 4, loss 0.5, accuracy 0.9, idle 0.2, staleness 1.5"));
    QCOMPARE(summaryLine(summarize(sampleExperiment(), RunRecord{}, 0)),
             std::string("bsp: seconds 0, updates 0, loss -, accuracy -, idle -, staleness -"));
}

QTEST_APPLESS_MAIN(TestSummary)
#include "tst_summary.moc"
