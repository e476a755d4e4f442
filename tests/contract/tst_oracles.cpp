// Long runs against closed forms (strategies.md section 4). Times are multiples of one healthy task.

#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_nodes = 8;

/// Equal nodes whose task takes one second times the jitter.
Experiment longRun(const std::string& strategy, Jitter jitter, std::int64_t updates)
{
    Experiment experiment = test::smallExperiment(k_nodes);
    experiment.training.batch = 1; // the schedule does not depend on it, and gradients are cheap
    experiment.training.learning_rate = 1e-3;
    experiment.cluster.batch_seconds = 1;
    experiment.cluster.jitter = jitter;
    experiment.strategy.kind = strategy;
    experiment.evaluate_every_updates = 1'000'000;
    experiment.stop = {.seconds = {}, .updates = updates, .samples = {}, .loss = {}};
    return experiment;
}

double roundTime(const RunRecord& run)
{
    return toSeconds(run.end) / static_cast<double>(run.updates.size());
}

double idleFraction(const RunRecord& run)
{
    double waiting = 0;
    for (const NodeFrame& node : run.last.nodes) {
        waiting += toSeconds(node.times[Activity::Waiting]);
    }
    return waiting / (toSeconds(run.end) * static_cast<double>(run.last.nodes.size()));
}

double harmonic(std::size_t n)
{
    double sum = 0;
    for (std::size_t j = 1; j <= n; ++j) {
        sum += 1.0 / static_cast<double>(j);
    }
    return sum;
}

void verifyWithin(double measured, double expected, double tolerance)
{
    QVERIFY2(std::abs(measured - expected) <= tolerance * std::abs(expected),
             qPrintable(QStringLiteral("measured %1, expected %2").arg(measured).arg(expected)));
}

} // namespace

class Oracles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // E[round] = E[max of n], idle = 1 - E[X] / E[max]
    void bspRoundTimeAndIdleFraction_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("round");
        QTest::addColumn<double>("mean");
        const double n = k_nodes;
        // exponential: H_n
        QTest::newRow("exponential") << int(JitterKind::Exponential) << harmonic(k_nodes) << 1.0;
        // 1 + a E: 1 + a H_n, a = 0.2
        QTest::newRow("shifted exponential")
            << int(JitterKind::ShiftedExponential) << 1 + 0.2 * harmonic(k_nodes) << 1.2;
        // Pareto, minimum 1, shape a: n! Gamma(1 - 1/a) / Gamma(n + 1 - 1/a), mean a / (a - 1), a = 4
        QTest::newRow("Pareto") << int(JitterKind::Pareto)
                                << std::tgamma(n + 1) * std::tgamma(1 - 0.25) / std::tgamma(n + 1 - 0.25)
                                << 4.0 / 3.0;
        // two points: 1 + (f - 1) P(at least one slow), p = 0.05, f = 10
        QTest::newRow("two-point") << int(JitterKind::Bimodal) << 1 + 9 * (1 - std::pow(0.95, n))
                                   << 1 + 9 * 0.05;
    }

    void bspRoundTimeAndIdleFraction()
    {
        QFETCH(const int, kind);
        QFETCH(const double, round);
        QFETCH(const double, mean);
        const RunRecord run =
            test::run(longRun("bsp", Jitter{.kind = JitterKind(kind), .scale = 0.2, .shape = 4}, 20'000));
        verifyWithin(roundTime(run), round, 0.02);
        verifyWithin(idleFraction(run), 1 - mean / round, 0.02);
    }

    // Lambda = sum of 1 / E[X_i] (elementary renewal theorem)
    void aspRateIsTheSumOfTheNodesRates()
    {
        Experiment experiment = longRun("asp", Jitter{.kind = JitterKind::Exponential}, 100'000);
        const std::vector<double> slowdowns{1, 1, 1, 1, 2, 2, 4, 4};
        double rate = 0;
        for (std::size_t i = 0; i < k_nodes; ++i) {
            experiment.cluster.nodes[i].slowdown = slowdowns[i];
            rate += 1 / slowdowns[i];
        }
        const RunRecord run = test::run(experiment);
        verifyWithin(1 / roundTime(run), rate, 0.02);
        // each node: (Lambda - lambda_i) / lambda_i
        verifyWithin(run.last.nodes[0].staleness_mean, (rate - 1) / 1, 0.02);
        verifyWithin(run.last.nodes[7].staleness_mean, (rate - 0.25) / 0.25, 0.03);
    }

    // P(tau = k) = (1/n)(1 - 1/n)^k, variance n (n - 1)
    void aspStalenessIsGeometric()
    {
        const RunRecord run = test::run(longRun("asp", Jitter{.kind = JitterKind::Exponential}, 200'000));
        const auto& counts = run.last.staleness.counts();
        const double total = static_cast<double>(run.last.staleness.total());
        const double n = k_nodes;
        for (std::size_t k = 0; k < 16; ++k) {
            const double expected = std::pow(1 - 1 / n, static_cast<double>(k)) / n;
            verifyWithin(static_cast<double>(counts[k]) / total, expected, 0.05);
        }
        verifyWithin(run.last.staleness.mean(), n - 1, 0.01);
        double variance = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            variance +=
                static_cast<double>(counts[k]) / total * std::pow(static_cast<double>(k) - (n - 1), 2);
        }
        verifyWithin(variance, n * (n - 1), 0.03);
    }

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
        Experiment experiment = longRun(strategy.toStdString(), Jitter{.kind = JitterKind::Lognormal}, 5'000);
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

    // Deterministic 4x1, 4x2, 4x4: BSP idles 1 - mean/max; the hybrid's groups do not idle at all and make
    // 1 + 1/2 + 1/4 updates per unit of time.
    void unequalNodesWithoutJitter()
    {
        Experiment experiment = test::smallExperiment(12);
        experiment.cluster.batch_seconds = 1;
        for (std::size_t i = 0; i < 12; ++i) {
            experiment.cluster.nodes[i].slowdown = i < 4 ? 1.0 : i < 8 ? 2.0 : 4.0;
        }
        experiment.stop = {.seconds = 4000.0, .updates = {}, .samples = {}, .loss = {}};
        experiment.evaluate_every_updates = 1'000'000;
        const RunRecord bsp = test::run(experiment);
        verifyWithin(idleFraction(bsp), 1 - (7.0 / 3) / 4, 1e-3);

        experiment.strategy.kind = "hybrid";
        const RunRecord hybrid = test::run(experiment);
        verifyWithin(static_cast<double>(hybrid.updates.size()) / 4000, 1.75, 0.02);
        double staleness = 0; // once the warm-up, which runs asynchronously, is over
        for (std::size_t i = hybrid.updates.size() / 2; i < hybrid.updates.size(); ++i) {
            staleness += hybrid.updates[i].staleness_mean;
        }
        verifyWithin(staleness / (static_cast<double>(hybrid.updates.size()) / 2), 2, 0.02);
        QCOMPARE(hybrid.last.groups.size(), std::size_t{3});
    }
};

QTEST_APPLESS_MAIN(Oracles)
#include "tst_oracles.moc"
