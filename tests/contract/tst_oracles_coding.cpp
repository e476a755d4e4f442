// Gradient codes: printed closed form = prediction = long run. A healthy, uncoded task takes one second.

#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;
using test::harmonicSum;
using test::longRun;

namespace {

constexpr Jitter k_exponential{.kind = JitterKind::Exponential};

Experiment coded(std::size_t nodes, std::int64_t stragglers, const char* code, const Jitter& jitter,
                 std::int64_t updates)
{
    Experiment experiment = longRun("coded", nodes, jitter, updates);
    experiment.strategy.values["stragglers"] = stragglers;
    experiment.strategy.values["code"] = std::string(code);
    return experiment;
}

double binomial(int n, int k)
{
    double value = 1;
    for (int i = 1; i <= k; ++i) {
        value *= static_cast<double>(n - k + i) / i;
    }
    return value;
}

/// P(more than s of n are slow)
double chanceOfMore(int n, double p, int s)
{
    double chance = 0;
    for (int k = s + 1; k <= n; ++k) {
        chance += binomial(n, k) * std::pow(p, k) * std::pow(1 - p, n - k);
    }
    return chance;
}

/// (s + 1) (1 + (f - 1) P(more than s are slow)), f = 10
double twoPointRound(int n, double p, int s) { return (s + 1) * (1 + 9 * chanceOfMore(n, p, s)); }

/// What theory says of a round, without running it for long.
double predictedRound(const Experiment& experiment)
{
    return test::run(experiment).last.theory.round_seconds.value_or(-1);
}

bool isNear(double value, double expected, double tolerance)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

} // namespace

class CodingOracles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Load multiplies the whole time: (s + 1) (D + (H_n - H_s)). Light-tailed noise does not pay for coding.
    void cyclicRoundsOfExponentialTasks_data()
    {
        QTest::addColumn<std::size_t>("nodes");
        QTest::addColumn<int>("stragglers");
        QTest::addColumn<double>("printed"); // three decimals, strategies 4.5
        const double four[] = {2.083, 2.167, 1.750, 1.000};
        const double twelve[] = {3.103, 4.206, 4.810, 5.080};
        for (int s = 0; s < 4; ++s) {
            QTest::addRow("4 nodes, s = %d", s) << std::size_t{4} << s << four[s];
            QTest::addRow("12 nodes, s = %d", s) << std::size_t{12} << s << twelve[s];
        }
    }

    void cyclicRoundsOfExponentialTasks()
    {
        QFETCH(const std::size_t, nodes);
        QFETCH(const int, stragglers);
        QFETCH(const double, printed);
        const auto s = static_cast<std::size_t>(stragglers);
        const double round = (stragglers + 1) * (harmonicSum(nodes) - harmonicSum(s));
        QVERIFY(std::abs(round - printed) < 6e-4);

        // Idle: of those who are done, each waits for the (n - s)-th.
        double waiting = 0;
        for (std::size_t j = 1; j <= nodes - s; ++j) {
            waiting += (stragglers + 1) * (harmonicSum(nodes - j) - harmonicSum(s));
        }
        Prediction form;
        form.round_seconds = round;
        form.updates_per_second = 1 / round;
        form.samples_per_second = static_cast<double>(nodes) / round;
        form.idle_fraction = waiting / (static_cast<double>(nodes) * round);
        form.mean_staleness = 0;
        const std::string wrong =
            test::wrongWith({coded(nodes, stragglers, "cyclic", k_exponential, 8'000), form});
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    // Shift 0.8 + 0.2 Exp, 4 nodes: (s + 1) (0.8 + 0.2 (H_4 - H_s)): never pays.
    void shiftedTasksNeverPayForCoding()
    {
        const double printed[] = {1.217, 2.033, 2.750, 3.400};
        for (int s = 0; s < 4; ++s) {
            Experiment experiment =
                coded(4, s, "cyclic", {.kind = JitterKind::ShiftedExponential, .scale = 0.25}, 1);
            experiment.cluster.batch_seconds = 0.8;
            const double round = predictedRound(experiment);
            QVERIFY(isNear(
                round, (s + 1) * (0.8 + 0.2 * (harmonicSum(4) - harmonicSum(static_cast<std::size_t>(s)))),
                1e-9));
            QVERIFY(std::abs(round - printed[s]) < 6e-4);
        }
    }

    // Overhead is not multiplied by the work: (overhead + (s + 1) batch) (H_n - H_s).
    void overheadIsPaidOnce()
    {
        Experiment experiment = coded(4, 1, "cyclic", k_exponential, 20'000);
        experiment.cluster.overhead_seconds = 0.5;
        const double round = 2.5 * (harmonicSum(4) - 1);
        const RunRecord run = test::run(experiment);
        QVERIFY(isNear(run.last.theory.round_seconds.value(), round, 1e-9));
        QVERIFY(isNear(*test::measured(run).round_seconds, round, 0.02));
    }

    // One message of each of n / (s + 1) blocks decodes, mostly long before n - s are in. The first of a block comes at
    // rate s + 1, the last of the blocks after H_(n / (s + 1)) / (s + 1), in tasks of s + 1 times the work.
    void fractionalRepetitionDecodesEarly()
    {
        const RunRecord run = test::run(coded(12, 2, "fractional", k_exponential, 20'000));
        const double round = 3 * harmonicSum(4) / 3;
        QVERIFY(isNear(run.last.theory.round_seconds.value(), round, 1e-9));
        QVERIFY(isNear(*test::measured(run).round_seconds, round, 0.02));
        QVERIFY(isNear(*test::measured(run).idle_fraction, run.last.theory.idle_fraction.value(), 0.02));

        // Mean arrivals: all four firsts, and each of a block's other two unless it takes longer than what is left of
        // the round when its block is done: after the j-th block that is the sum of exponentials of rates 3 k,
        // k = 1 ... 4 - j, for which E[exp(-sum)] = product of 3 k / (3 k + 1).
        double arrivals = 4;
        double product = 1;
        for (int k = 1; k <= 3; ++k) {
            product *= 3.0 * k / (3 * k + 1);
            arrivals += 2 * (1 - product);
        }
        QVERIFY(std::abs(arrivals - 6.06) < 0.01);
        // All that arrive but the last one wait.
        const auto waits = std::ranges::count(run.spans, Activity::Waiting, &Span::activity);
        QVERIFY(
            isNear(static_cast<double>(waits) / static_cast<double>(run.updates.size()) + 1, arrivals, 0.02));
    }

    // 5 nodes, s = 1: blocks of two and of three, which do two and three times the work; the first of two tasks of mean
    // 2 and the first of three of mean 3 both have mean 1: E[max] = 1.5.
    void unequalBlocksDoUnequalWork()
    {
        const RunRecord run = test::run(coded(5, 1, "fractional", k_exponential, 20'000));
        QVERIFY(isNear(run.last.theory.round_seconds.value(), 1.5, 1e-9));
        QVERIFY(isNear(*test::measured(run).round_seconds, 1.5, 0.02));
        QVERIFY(isNear(*test::measured(run).idle_fraction, run.last.theory.idle_fraction.value(), 0.02));
    }

    // Strategies 4.6, every entry: T(s) = (s + 1) (1 + (f - 1) P(Bin(n, p) > s)).
    void twoPointTable_data()
    {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("p");
        QTest::addColumn<QList<double>>("printed");
        QTest::newRow("4 .03") << 4 << 0.03 << QList<double>{2.032, 2.093, 3.003, 4.000};
        QTest::newRow("4 .05") << 4 << 0.05 << QList<double>{2.669, 2.252, 3.013, 4.000};
        QTest::newRow("4 .10") << 4 << 0.10 << QList<double>{4.095, 2.941, 3.100, 4.004};
        QTest::newRow("4 .20") << 4 << 0.20 << QList<double>{6.314, 5.254, 3.734, 4.058};
        QTest::newRow("12 .05") << 12 << 0.05 << QList<double>{5.137, 4.130, 3.528, 4.081};
        QTest::newRow("12 .10") << 12 << 0.10 << QList<double>{7.458, 8.138, 5.993, 4.923};
        QTest::newRow("12 .20") << 12 << 0.20 << QList<double>{9.382, 15.05, 14.93, 11.40};
    }

    void twoPointTable()
    {
        QFETCH(const int, nodes);
        QFETCH(const double, p);
        QFETCH(const QList<double>, printed);
        for (int s = 0; s < 4; ++s) {
            const bool runs_long = p == 0.1;
            const RunRecord run = test::run(
                coded(static_cast<std::size_t>(nodes), s, "cyclic",
                      {.kind = JitterKind::Bimodal, .probability = p, .factor = 10}, runs_long ? 15'000 : 1));
            const double round = twoPointRound(nodes, p, s);
            QVERIFY(std::abs(round - printed[s]) <= (printed[s] > 10 ? 6e-3 : 6e-4));
            QVERIFY(isNear(run.last.theory.round_seconds.value(), round, 1e-9));
            if (runs_long) {
                QVERIFY(isNear(*test::measured(run).round_seconds, round, 0.02));
            }
        }
    }

    // The p at which s = 1 begins to pay, f = 10.
    void breakEvenProbability_data()
    {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("p");
        QTest::newRow("4") << 4 << 0.0324;
        QTest::newRow("6") << 6 << 0.0220;
        QTest::newRow("8") << 8 << 0.0167;
        QTest::newRow("12") << 12 << 0.0113;
    }

    void breakEvenProbability()
    {
        QFETCH(const int, nodes);
        QFETCH(const double, p);
        const auto gain = [&](double probability) {
            const Jitter jitter{.kind = JitterKind::Bimodal, .probability = probability, .factor = 10};
            const auto count = static_cast<std::size_t>(nodes);
            return predictedRound(coded(count, 0, "cyclic", jitter, 1))
                - predictedRound(coded(count, 1, "cyclic", jitter, 1));
        };
        QVERIFY(gain(p - 1e-4) < 0);
        QVERIFY(gain(p + 1e-4) > 0);
    }

    // A permanent straggler of factor f among equal constant nodes: T = max(f, 1) uncoded, 2 with s = 1: coding wins iff
    // f > s + 1.
    void permanentStragglerPaysForCodingBeyondTheRedundancy()
    {
        for (const double factor : {1.5, 2.0, 3.0, 20.0}) {
            Experiment experiment = coded(4, 1, "cyclic", {}, 100);
            experiment.cluster.nodes[0].slowdown = factor;
            const RunRecord with = test::run(experiment);
            QCOMPARE(with.end, atSeconds(200));
            QVERIFY(isNear(with.last.theory.round_seconds.value(), 2, 1e-12));
            experiment.strategy.values["stragglers"] = std::int64_t{0};
            const RunRecord without = test::run(experiment);
            QCOMPARE(without.end, atSeconds(100 * factor));
            QCOMPARE(with.end<without.end, factor> 2);
        }
    }

    // Groups of their own round times, coded and not: 1 / 2 and 1 / 4 updates per second.
    void groupsWithTolerancesOfTheirOwn()
    {
        Experiment experiment = longRun("hybrid_coded", {1, 1, 1, 50, 4, 4}, {}, 600);
        test::setGroups(experiment, {{0, 1, 2, 3}, {4, 5}});
        experiment.strategy.values["stragglers"] = std::vector<std::int64_t>{1, 0};
        experiment.strategy.values["code"] = std::string("cyclic");
        const RunRecord run = test::run(experiment);
        const Prediction& theory = run.last.theory;
        QVERIFY(isNear(theory.updates_per_second.value(), 0.75, 1e-12));
        QVERIFY(isNear(theory.samples_per_second.value(), 4 / 2.0 + 2 / 4.0, 1e-12));
        QVERIFY(!theory.mean_staleness && !theory.round_seconds);
        QVERIFY(isNear(*test::measured(run).updates_per_second, 0.75, 0.01));
    }

    void nothingIsSaidOfCodesWithoutAClosedForm()
    {
        QVERIFY(!test::run(coded(4, 1, "heterogeneous", k_exponential, 2)).last.theory.round_seconds);
        QVERIFY(!test::run(coded(6, 1, "approximate", k_exponential, 2)).last.theory.round_seconds);
        Experiment lazy = coded(4, 1, "cyclic", k_exponential, 2);
        lazy.cluster.preemptive = false;
        QVERIFY(!test::run(lazy).last.theory.round_seconds);
        lazy.strategy.values["stragglers"] = std::int64_t{0};
        QVERIFY(test::run(lazy).last.theory.round_seconds.has_value());
    }
};

QTEST_APPLESS_MAIN(CodingOracles)
#include "tst_oracles_coding.moc"
