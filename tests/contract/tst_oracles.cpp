// Laws of whole runs that are no closed form of one configuration: delay conservation, and what grouping and coding do
// for unbalanced clusters (strategies 1.2, 1.16, 6.2). Times are in tasks of a healthy node.

#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lab;
using test::longRun;

namespace {

constexpr std::size_t k_nodes = 8;

/// Four nodes each of slowness 1, 2 and 4 with 10 % exponential jitter, in groups of their class (strategies, E2).
Experiment threeClasses(const std::string& strategy)
{
    Experiment experiment = longRun(strategy, {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4},
                                    {.kind = JitterKind::ShiftedExponential, .scale = 1.0 / 9}, 0);
    experiment.cluster.batch_seconds = 0.9;
    experiment.stop = {.seconds = 3000.0, .updates = {}, .samples = {}, .loss = {}};
    test::setGroups(experiment, {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});
    return experiment;
}

double samplesPerSecond(const Experiment& experiment)
{
    return *test::measured(test::run(experiment)).samples_per_second;
}

} // namespace

class Oracles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every update ages exactly the tasks of the others: sum of staleness + ages in flight = (groups - 1) * updates,
    // whatever the speeds (strategies.md 1.2, 1.16). A group's age is what was applied since its own last update.
    void delayIsConserved_data()
    {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("groups");
        QTest::newRow("asp") << QStringLiteral("asp") << int(k_nodes);
        QTest::newRow("hybrid") << QStringLiteral("hybrid") << 3;
        QTest::newRow("bsp") << QStringLiteral("bsp") << 1;
    }

    void delayIsConserved()
    {
        QFETCH(const QString, strategy);
        QFETCH(const int, groups);
        Experiment experiment =
            longRun(strategy.toStdString(), k_nodes, Jitter{.kind = JitterKind::Lognormal}, 5'000);
        for (std::size_t i = 0; i < k_nodes; ++i) {
            experiment.cluster.nodes[i].slowdown = i < 4 ? 1.0 : 3.0;
        }
        experiment.groups.by = Grouping::By::Members;
        experiment.groups.members = {
            {NodeId{0}, NodeId{1}, NodeId{6}}, {NodeId{2}}, {NodeId{3}, NodeId{4}, NodeId{5}, NodeId{7}}};
        const RunRecord run = test::run(experiment);

        std::int64_t sum = 0;
        std::vector<Version> last(static_cast<std::size_t>(groups), 0);
        for (const UpdateRecord& update : run.updates) {
            sum += update.staleness_max;
            QCOMPARE(update.staleness_mean, static_cast<double>(update.staleness_max));
            last[update.group.index()] = update.update;
        }
        const auto updates = static_cast<std::int64_t>(run.updates.size());
        for (const Version version : last) {
            sum += updates - version;
        }
        QCOMPARE(sum, (groups - 1) * updates);
    }

    // K-async: an update ages the n - K tasks that are in hand. A node reads anew with each update that it is part of.
    void delayOfKAsyncIsConserved()
    {
        Experiment experiment =
            longRun("k_async", {1, 1, 1, 1, 3, 3, 3, 3}, {.kind = JitterKind::Lognormal}, 5'000);
        experiment.strategy.values["k"] = std::int64_t{3};
        const RunRecord run = test::run(experiment);
        double sum = 0;
        std::vector<Version> last(k_nodes, 0);
        for (const UpdateRecord& update : run.updates) {
            sum += update.staleness_mean * 3;
            for (const NodeId node : update.nodes) {
                last[node.index()] = update.update;
            }
        }
        for (const Version version : last) {
            sum += static_cast<double>(5'000 - version);
        }
        QCOMPARE(std::llround(sum), 5LL * 5'000);
    }

    // Groups made from measured speeds are the three classes; from then on they make 1 + 1/2 + 1/4 updates per unit of
    // time, with staleness 2, and nobody waits.
    void classesOfConstantSpeedAreFoundAndKept()
    {
        Experiment experiment = longRun("hybrid", {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4}, {}, 20'000);
        const RunRecord run = test::run(experiment);
        QCOMPARE(run.last.groups.size(), std::size_t{3});
        QVERIFY(run.last.theory.updates_per_second == 1.75);
        QVERIFY(run.last.theory.mean_staleness == 2.0);
        const Prediction measured = test::measured(run);
        const std::string wrong =
            test::disagreement("updates", measured.updates_per_second, 1.75, 0.02 * 1.75)
            + test::disagreement("staleness", measured.mean_staleness, 2, 0.02 * 2)
            + test::disagreement("idle", measured.idle_fraction, 0, 0.01);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    // E2: per unit of time BSP makes fewest samples and ASP most; BSP idles most and ASP not at all; staleness grows.
    void theHybridLiesBetweenBspAndAsp()
    {
        const Prediction bsp = test::measured(test::run(threeClasses("bsp")));
        const Prediction hybrid = test::measured(test::run(threeClasses("hybrid")));
        const Prediction asp = test::measured(test::run(threeClasses("asp")));
        QVERIFY(*bsp.samples_per_second < 0.5 * *hybrid.samples_per_second);
        QVERIFY(*hybrid.samples_per_second < 0.95 * *asp.samples_per_second);
        QVERIFY(*bsp.idle_fraction > 0.4 && *hybrid.idle_fraction < 0.12 && *asp.idle_fraction == 0);
        QVERIFY(*bsp.mean_staleness == 0 && std::abs(*hybrid.mean_staleness - 2) < 0.1
                && std::abs(*asp.mean_staleness - 11) < 0.1);
    }

    // E3, E4: one node of the fast group ten times as slow costs the hybrid more than 40 % of its samples; a code of
    // tolerance 1 in that group alone makes the rate independent of how slow it is, and better than none.
    void aCodeInItsGroupMakesAStragglersSlownessIrrelevant()
    {
        const auto rate = [](const std::string& strategy, double factor) {
            Experiment experiment = threeClasses(strategy);
            experiment.cluster.nodes[0].slowdown = factor;
            if (strategy == "hybrid_coded") {
                experiment.strategy.values["code"] = std::string("fractional");
                experiment.strategy.values["stragglers"] = std::vector<std::int64_t>{1, 0, 0};
            }
            return samplesPerSecond(experiment);
        };
        QVERIFY(rate("hybrid", 10) < 0.6 * rate("hybrid", 1));
        const double coded = rate("hybrid_coded", 3);
        for (const double factor : {3.0, 5.0, 20.0}) {
            const double same = rate("hybrid_coded", factor);
            QVERIFY2(std::abs(same - coded) < 0.02 * coded, qPrintable(QString::number(same / coded)));
            QVERIFY(same > rate("hybrid", factor));
        }
    }

    // E5: with transients of p = 0.1, f = 10 everywhere groups of four make 64 x 1.75 / T(s) samples in 16ths:
    // T = 4.095, 2.941, 3.100.
    void transientsInGroupsFollowTheTwoPointTable()
    {
        const double rounds[] = {4.095, 2.941, 3.100};
        for (int s = 0; s < 3; ++s) {
            Experiment experiment = threeClasses("hybrid_coded");
            experiment.cluster.batch_seconds = 1;
            experiment.cluster.jitter = {.kind = JitterKind::Bimodal, .probability = 0.1, .factor = 10};
            experiment.strategy.values["stragglers"] = std::int64_t{s};
            experiment.strategy.values["code"] = std::string("cyclic");
            experiment.stop.seconds = 20'000;
            const RunRecord run = test::run(experiment);
            const double expected = 4 * 1.75 / rounds[s];
            const std::string wrong =
                test::disagreement("predicted", run.last.theory.samples_per_second, expected, 5e-4 * expected)
                + test::disagreement("measured", test::measured(run).samples_per_second, expected,
                                     0.03 * expected);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(Oracles)
#include "tst_oracles.moc"
