// Strategies that must be the same strategy, and histories that must not depend on what they do not depend on.

#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <vector>

using namespace lab;

namespace {

/// Unequal nodes with jitter, network and a busy server: everything that could tell two schedules apart.
Experiment busyExperiment(const std::string& strategy)
{
    Experiment experiment = test::smallExperiment(6);
    for (std::size_t i = 0; i < 6; ++i) {
        experiment.cluster.nodes[i].slowdown = 1 + static_cast<double>(i) * 0.7;
    }
    experiment.cluster.jitter.kind = JitterKind::ShiftedExponential;
    experiment.cluster.network = Network{.latency = 0.003, .bandwidth = 1e5, .server_bandwidth = 4e5};
    experiment.cluster.server_seconds = 0.002;
    experiment.strategy.kind = strategy;
    experiment.training.momentum = 0.5;
    experiment.evaluate_every_updates = 5;
    experiment.stop = {.seconds = 30.0, .updates = {}, .samples = {}, .loss = {}};
    experiment.events = {{.at = atSeconds(4), .change = Slow{NodeId{1}, 5, fromSeconds(3)}},
                         {.at = atSeconds(9), .change = Fail{NodeId{2}, fromSeconds(4)}},
                         {.at = atSeconds(15), .change = Fail{NodeId{0}, fromSeconds(0.5)}}};
    return experiment;
}

Experiment hybridOf(Partition groups)
{
    Experiment experiment = busyExperiment("hybrid");
    experiment.groups.by = Grouping::By::Members;
    experiment.groups.members = std::move(groups);
    return experiment;
}

Experiment hybridBySpeed(int count)
{
    Experiment experiment = busyExperiment("hybrid");
    experiment.groups.by = Grouping::By::Speed;
    experiment.groups.count = count;
    return experiment;
}

Partition oneGroup() { return {{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}, NodeId{5}}}; }
Partition ownGroups()
{
    Partition groups;
    for (std::int32_t i = 0; i < 6; ++i) {
        groups.push_back({NodeId{i}});
    }
    return groups;
}

} // namespace

class Identities : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hybridWithOneGroupIsBsp()
    {
        const RunRecord bsp = test::run(busyExperiment("bsp"));
        QVERIFY(bsp.updates.size() > 20);
        QCOMPARE(test::firstDifference(bsp, test::run(hybridOf(oneGroup()))), std::string());
        QCOMPARE(test::firstDifference(bsp, test::run(hybridBySpeed(1))), std::string());
    }

    void groupedSspIsSspInOneGroupAndAspInGroupsOfOne()
    {
        const auto grouped = [](Partition groups, std::int64_t bound) {
            Experiment experiment = hybridOf(std::move(groups));
            experiment.strategy.kind = "gssp";
            experiment.strategy.values["staleness"] = bound;
            return experiment;
        };
        Experiment ssp = busyExperiment("ssp");
        ssp.strategy.values["staleness"] = std::int64_t{2};
        QCOMPARE(test::firstDifference(test::run(ssp), test::run(grouped(oneGroup(), 2))), std::string());
        QCOMPARE(test::firstDifference(test::run(busyExperiment("asp")), test::run(grouped(ownGroups(), 0))),
                 std::string());
    }

    void hybridWithOneNodePerGroupIsAsp()
    {
        const RunRecord asp = test::run(busyExperiment("asp"));
        QVERIFY(asp.updates.size() > 100);
        QCOMPARE(test::firstDifference(asp, test::run(hybridOf(ownGroups()))), std::string());
        QCOMPARE(test::firstDifference(asp, test::run(hybridBySpeed(6))), std::string());
    }

    void theNumberOfThreadsChangesNothing_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const char* strategy : {"bsp", "asp", "hybrid"}) {
            QTest::newRow(strategy) << QString::fromLatin1(strategy);
        }
    }

    void theNumberOfThreadsChangesNothing()
    {
        QFETCH(const QString, strategy);
        const Experiment experiment = busyExperiment(strategy.toStdString());
        const RunRecord alone = test::run(experiment, 1);
        for (const int threads : {2, 3, 8}) {
            QCOMPARE(test::firstDifference(alone, test::run(experiment, threads)), std::string());
        }
    }

    // A node's k-th task takes the same draw whatever the strategy: compute spans of equal work have equal lengths.
    void theStrategyDoesNotTouchTheJitterDraws()
    {
        const auto lengthsOf = [](const std::string& strategy) {
            Experiment experiment = busyExperiment(strategy);
            experiment.events.clear();
            const RunRecord run = test::run(experiment);
            std::map<std::size_t, std::vector<Duration>> lengths;
            for (const Span& span : run.spans) {
                if (span.activity == Activity::Computing && span.end < run.end) {
                    lengths[span.node.index()].push_back(span.end - span.start);
                }
            }
            return lengths;
        };
        auto bsp = lengthsOf("bsp");
        for (const char* strategy : {"asp", "hybrid"}) {
            auto other = lengthsOf(strategy);
            for (std::size_t node = 0; node < 6; ++node) {
                const std::size_t shared = std::min(bsp[node].size(), other[node].size());
                QVERIFY(shared > 10);
                QVERIFY(std::equal(bsp[node].begin(), bsp[node].begin() + static_cast<std::ptrdiff_t>(shared),
                                   other[node].begin()));
            }
        }
    }

    void anotherNodesJitterLeavesThisNodesDrawsAlone()
    {
        Experiment changed = busyExperiment("asp");
        changed.events.clear();
        changed.cluster.network.reset();
        changed.cluster.server_seconds = 0;
        const auto before = test::spansOf(test::run(changed), 3);
        changed.cluster.nodes[5].jitter = Jitter{.kind = JitterKind::Pareto};
        const auto after = test::spansOf(test::run(changed), 3);
        QVERIFY(before == after);
    }
};

QTEST_APPLESS_MAIN(Identities)
#include "tst_identities.moc"
