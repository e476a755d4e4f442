// What holds for every strategy of the catalogue: a new one is tested here before it has a test of its own.

#include "tests/support/experiment_fixture.h"

#include "core/strategy/strategy_catalog.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_nodes = 6;

/// Six unequal nodes with jitter, two groups where the strategy has groups.
Experiment unequal(const std::string& strategy)
{
    Experiment experiment = test::smallExperiment(k_nodes);
    for (std::size_t i = 0; i < k_nodes; ++i) {
        experiment.cluster.nodes[i].slowdown = i < 3 ? 1 : 2.5;
    }
    experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential};
    experiment.cluster.failure_detection_seconds = 0.3;
    experiment.strategy.kind = strategy;
    experiment.groups.by = Grouping::By::Members;
    experiment.groups.members = {{NodeId{0}, NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}, NodeId{5}}};
    experiment.stop = {.seconds = 20.0, .updates = {}, .samples = {}, .loss = {}};
    return experiment;
}

void addNetwork(Experiment& experiment)
{
    experiment.cluster.network = Network{.latency = 0.01, .bandwidth = 1e4, .server_bandwidth = 2e4};
    experiment.cluster.server_seconds = 0.004;
}

/// Everything that must be true of any run.
QString wrongWith(const RunRecord& run, std::size_t nodes)
{
    if (const std::string ledger = test::wrongInLedger(run); !ledger.empty()) {
        return QString::fromStdString(ledger);
    }
    Version version = 0;
    TimePoint time;
    std::int64_t samples = 0;
    for (const UpdateRecord& update : run.updates) {
        if (update.update != ++version) {
            return QStringLiteral("update %1 follows update %2").arg(update.update).arg(version - 1);
        }
        if (update.time < time || update.time > run.end) {
            return QStringLiteral("update %1 is out of time").arg(version);
        }
        time = update.time;
        samples += update.samples;
        if (update.nodes.empty() || !std::ranges::is_sorted(update.nodes) || update.samples <= 0) {
            return QStringLiteral("update %1 lacks nodes or samples").arg(version);
        }
        if (update.staleness_mean > static_cast<double>(update.staleness_max)
            || update.staleness_max >= update.update || !(update.weight > 0)) {
            return QStringLiteral("update %1 has an impossible staleness or weight").arg(version);
        }
    }
    if (run.last.version != version || run.last.samples != samples) {
        return QStringLiteral("the totals differ from the sum of the updates");
    }
    if (run.curve.front().update != 0 || run.curve.back().update != version) {
        return QStringLiteral("the curve does not span the run");
    }
    for (const UpdateRecord& update : run.updates) {
        for (const NodeId node : update.nodes) {
            if (node.index() >= nodes) {
                return QStringLiteral("update %1 names a node that does not exist").arg(update.update);
            }
        }
    }
    return {};
}

/// Ordinary batches that came in after a moment: what progress is counted in, since strategies differ in how many
/// they put into an update.
std::int64_t batchesAfter(const RunRecord& run, TimePoint time)
{
    std::int64_t samples = 0;
    for (const UpdateRecord& update : run.updates) {
        samples += update.time > time ? update.samples : 0;
    }
    return samples / 8;
}

} // namespace

class EveryStrategy : public QObject {
    Q_OBJECT

    static void everyStrategy()
    {
        QTest::addColumn<QString>("strategy");
        for (const StrategyInfo& info : strategyCatalog()) {
            QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
        }
    }

private Q_SLOTS:
    void isDescribed_data() { everyStrategy(); }
    void isDescribed()
    {
        QFETCH(const QString, strategy);
        const StrategyInfo& info = *findStrategy(strategy.toStdString());
        QVERIFY(!info.title.empty() && info.explanation.size() > 60 && !info.source.empty());
        for (const ParamSpec& spec : info.params) {
            QVERIFY(!spec.title.empty() && !spec.help.empty());
            QVERIFY(spec.type != ParamSpec::Type::Choice || !spec.choices.empty());
        }
    }

    void trains_data() { everyStrategy(); }
    void trains()
    {
        QFETCH(const QString, strategy);
        const RunRecord run = test::run(unequal(strategy.toStdString()));
        QCOMPARE(wrongWith(run, k_nodes), QString());
        QVERIFY(run.last.samples > 40 * 8);
        QVERIFY(run.curve.back().train_loss < 0.7 * run.curve.front().train_loss);
    }

    void sameFileAndSeedGiveTheSameRunForAnyThreads_data() { everyStrategy(); }
    void sameFileAndSeedGiveTheSameRunForAnyThreads()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = unequal(strategy.toStdString());
        addNetwork(experiment);
        experiment.training.momentum = 0.5;
        experiment.evaluate_every_updates = 7;
        experiment.events = {{.at = atSeconds(5), .change = Fail{NodeId{1}, fromSeconds(3)}},
                             {.at = atSeconds(7), .change = Slow{NodeId{2}, 8, fromSeconds(4)}}};
        const RunRecord alone = test::run(experiment, 1);
        QCOMPARE(wrongWith(alone, k_nodes), QString());
        for (const int threads : {2, 3, 8}) {
            QCOMPARE(test::firstDifference(alone, test::run(experiment, threads)), std::string());
        }
    }

    void worksWhenWorkCannotBePreempted_data() { everyStrategy(); }
    void worksWhenWorkCannotBePreempted()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = unequal(strategy.toStdString());
        experiment.cluster.preemptive = false;
        addNetwork(experiment);
        const RunRecord run = test::run(experiment);
        QCOMPARE(wrongWith(run, k_nodes), QString());
        QVERIFY(run.last.samples > 20 * 8);
    }

    // Each node fails at each of 20 instants: for ever, for longer than it takes to notice, and for shorter.
    void survivesAnyNodeFailingAtAnyMoment_data() { everyStrategy(); }
    void survivesAnyNodeFailingAtAnyMoment()
    {
        QFETCH(const QString, strategy);
        for (std::size_t node = 0; node < k_nodes; ++node) {
            for (int instant = 0; instant < 20; ++instant) {
                const double at = 0.037 + 0.113 * instant;
                for (const auto& lasting : {std::optional<Duration>(), std::optional(fromSeconds(1.7)),
                                            std::optional(fromSeconds(0.1))}) {
                    Experiment experiment = unequal(strategy.toStdString());
                    experiment.stop.seconds = 12;
                    if (instant % 2 == 1) {
                        addNetwork(experiment);
                    }
                    experiment.events = {{.at = atSeconds(at), .change = Fail{NodeId{node}, lasting}}};
                    const RunRecord run = test::run(experiment);
                    const QString what = QStringLiteral("node %1 at %2 s, for %3 s: ")
                                             .arg(node)
                                             .arg(at)
                                             .arg(lasting ? toSeconds(*lasting) : -1);
                    const QString wrong = wrongWith(run, k_nodes);
                    QVERIFY2(wrong.isEmpty(), qPrintable(what + wrong));
                    QVERIFY2(run.stop_reason == StopReason::Seconds,
                             qPrintable(what + QStringLiteral("stalled")));
                    QVERIFY2(batchesAfter(run, atSeconds(6)) > 3,
                             qPrintable(what + QStringLiteral("no progress")));
                    const bool is_back = lasting.has_value();
                    QCOMPARE(test::timesOf(run, node)[Activity::Down],
                             is_back ? *lasting : run.end - atSeconds(at));
                }
            }
        }
    }

    void survivesAnyTwoNodesFailing_data() { everyStrategy(); }
    void survivesAnyTwoNodesFailing()
    {
        QFETCH(const QString, strategy);
        for (std::size_t first = 0; first < k_nodes; ++first) {
            for (std::size_t second = 0; second < k_nodes; ++second) {
                if (first == second) {
                    continue;
                }
                for (int instant = 0; instant < 20; ++instant) {
                    Experiment experiment = unequal(strategy.toStdString());
                    experiment.stop.seconds = 9;
                    const double at = 0.05 + 0.097 * instant;
                    experiment.events = {
                        {.at = atSeconds(at), .change = Fail{NodeId{first}, fromSeconds(1.3)}},
                        {.at = atSeconds(at + 0.02 * instant), .change = Fail{NodeId{second}, std::nullopt}}};
                    const RunRecord run = test::run(experiment);
                    const QString wrong = wrongWith(run, k_nodes);
                    const QString what =
                        QStringLiteral("nodes %1 and %2 at %3 s: ").arg(first).arg(second).arg(at);
                    QVERIFY2(wrong.isEmpty(), qPrintable(what + wrong));
                    QVERIFY2(run.stop_reason == StopReason::Seconds,
                             qPrintable(what + QStringLiteral("stalled")));
                    QVERIFY2(batchesAfter(run, atSeconds(6)) > 3,
                             qPrintable(what + QStringLiteral("no progress")));
                }
            }
        }
    }

    void stallsWhenTheLastLiveNodeFailsAndGoesOnWhenOneComesBack_data() { everyStrategy(); }
    void stallsWhenTheLastLiveNodeFailsAndGoesOnWhenOneComesBack()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = unequal(strategy.toStdString());
        for (std::size_t node = 0; node < k_nodes; ++node) {
            experiment.events.push_back({.at = atSeconds(3 + 0.1 * static_cast<double>(node)),
                                         .change = Fail{NodeId{node}, std::nullopt}});
        }
        const RunRecord stalled = test::run(experiment);
        QCOMPARE(wrongWith(stalled, k_nodes), QString());
        QVERIFY(stalled.stop_reason == StopReason::Stalled);
        QVERIFY(!stalled.last.message.empty());
        QVERIFY(stalled.end < atSeconds(4));

        experiment.events.push_back({.at = atSeconds(8), .change = Recover{NodeId{2}}});
        const RunRecord resumed = test::run(experiment);
        QCOMPARE(wrongWith(resumed, k_nodes), QString());
        QVERIFY(resumed.stop_reason == StopReason::Seconds);
        QVERIFY(batchesAfter(resumed, atSeconds(9)) > 3);
    }

    // With one node there is nobody to wait for and nobody to make gradients stale.
    void oneNodeNeverWaitsAndIsNeverStale_data() { everyStrategy(); }
    void oneNodeNeverWaitsAndIsNeverStale()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = test::smallExperiment(1);
        experiment.strategy.kind = strategy.toStdString();
        const RunRecord run = test::run(experiment);
        QCOMPARE(wrongWith(run, 1), QString());
        QCOMPARE(test::timesOf(run, 0)[Activity::Waiting], Duration{0});
        QCOMPARE(run.last.staleness.max(), std::int64_t{0});
    }
};

QTEST_APPLESS_MAIN(EveryStrategy)
#include "tst_every_strategy.moc"
