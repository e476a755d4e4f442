// Runs without a model: the same schedule, and nothing computed.

#include "core/experiment/experiment_json.h"
#include "core/experiment/run.h"
#include "core/experiment/summary.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;

namespace {

/// Unequal nodes with jitter, a network, a slowdown and a failure; nothing in it looks at a loss.
Experiment eventful(const std::string& strategy)
{
    Experiment experiment = test::smallExperiment(6);
    experiment.strategy.kind = strategy;
    experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential, .scale = 0.3};
    experiment.cluster.network = Network{.latency = 0.002, .bandwidth = 1e4, .server_bandwidth = 1e5};
    for (std::size_t i = 0; i < 6; ++i) {
        experiment.cluster.nodes[i].slowdown = 1 + static_cast<double>(i % 3);
    }
    experiment.stop = {.seconds = 12.0, .updates = {}, .samples = {}, .loss = {}};
    experiment.events = {{atSeconds(3), Slow{.node = NodeId{1}, .factor = 4, .lasting = fromSeconds(2)}},
                         {atSeconds(5), Fail{.node = NodeId{2}, .lasting = fromSeconds(3)}}};
    return experiment;
}

Experiment withoutModel(Experiment experiment, std::int64_t parameters)
{
    experiment.model = {.kind = "none", .hidden = {32}, .l2 = 0, .parameters = parameters};
    return experiment;
}

} // namespace

class TestTimesAlone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScheduleIsThatOfARunWithAModel_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const StrategyInfo& info : strategyCatalog()) {
            QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
        }
    }

    void theScheduleIsThatOfARunWithAModel()
    {
        QFETCH(const QString, strategy);
        const Experiment with = eventful(strategy.toStdString());
        constexpr std::int64_t k_softmax_on_blobs = 12;

        const RunRecord modelled = test::run(with);
        const RunRecord timed = test::run(withoutModel(with, k_softmax_on_blobs));

        QVERIFY(timed.last.version > 0);
        QCOMPARE(timed.schedule_fingerprint, modelled.schedule_fingerprint);
        QVERIFY(timed.updates == modelled.updates);
        QVERIFY(timed.spans == modelled.spans);
        QVERIFY(test::run(withoutModel(with, 100 * k_softmax_on_blobs)).schedule_fingerprint
                != modelled.schedule_fingerprint);
    }

    void thereAreNoLosses()
    {
        const Experiment experiment = withoutModel(eventful("asp"), 0);
        const RunRecord run = test::run(experiment);

        QCOMPARE(run.stop_reason, StopReason::Seconds);
        QVERIFY(!run.instruction_set);
        for (const Evaluation& one : run.curve) {
            QVERIFY(std::isnan(one.train_loss) && std::isnan(one.validation_loss)
                    && std::isnan(one.validation_accuracy));
        }
        const Summary summary = summarize(experiment, run, 0);
        QVERIFY(summaryLine(summary).find("loss -, accuracy -") != std::string::npos);
    }

    void whatNeedsAModelIsRefused()
    {
        const auto wrong = [](const Experiment& experiment) {
            const std::vector<Problem> problems = validate(experiment);
            return problems.empty() ? std::string() : problems.front().where;
        };
        Experiment experiment = withoutModel(eventful("asp"), 1000);
        QCOMPARE(wrong(experiment), std::string());
        experiment.stop.loss = 0.1;
        QCOMPARE(wrong(experiment), std::string("stop.loss"));
        experiment = eventful("asp");
        experiment.model.parameters = 5;
        QCOMPARE(wrong(experiment), std::string("model.parameters"));
    }

    void theFileKeepsItsSize()
    {
        const Experiment experiment = withoutModel(eventful("asp"), 61'706);
        QCOMPARE(parseExperiment(experimentToJson(experiment), "x.json", {}).model, experiment.model);
    }

    void aRunWithoutHistoryAddsUpToTheSame_data() { theScheduleIsThatOfARunWithAModel_data(); }
    void aRunWithoutHistoryAddsUpToTheSame()
    {
        QFETCH(const QString, strategy);
        const Experiment experiment = eventful(strategy.toStdString());

        const RunRecord whole = test::run(experiment);
        const RunRecord sums = *runExperiment(experiment, 1, {}, {.keeps_history = false});

        QVERIFY(sums.updates.empty() && sums.spans.empty());
        QCOMPARE(summaryToJson(summarize(experiment, sums, 0)),
                 summaryToJson(summarize(experiment, whole, 0)));
    }
};

QTEST_APPLESS_MAIN(TestTimesAlone)
#include "tst_times_alone.moc"
