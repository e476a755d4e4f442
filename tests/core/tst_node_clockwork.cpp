#include "core/engine/node_clockwork.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_tasks = 200'000;
constexpr double k_sigmas = 5; ///< every bound, in standard deviations of the estimate

ClusterSpec clusterOf(std::size_t nodes, const Jitter& jitter = {})
{
    ClusterSpec cluster = lab::test::smallExperiment(nodes).cluster;
    cluster.batch_seconds = 1;
    cluster.jitter = jitter;
    return cluster;
}

/// The first tasks' factors: seconds of tasks that would take 1 s without jitter.
std::vector<double> factors(const Jitter& jitter, std::size_t tasks = k_tasks)
{
    NodeClockwork clockwork(clusterOf(1, jitter), NodeId{0}, 11, nullptr);
    std::vector<double> seconds(tasks);
    for (double& one : seconds) {
        one = toSeconds(clockwork.startTask(1));
    }
    return seconds;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double shareBelow(const std::vector<double>& values, double bound)
{
    const auto count = std::ranges::count_if(values, [bound](double value) { return value < bound; });
    return static_cast<double>(count) / static_cast<double>(values.size());
}

/// Whether an estimate from k_tasks draws agrees with what the law says.
bool agrees(double estimate, double truth, double standard_deviation)
{
    return std::abs(estimate - truth)
        < k_sigmas * standard_deviation / std::sqrt(static_cast<double>(k_tasks));
}

bool shareAgrees(double estimate, double truth)
{
    return agrees(estimate, truth, std::sqrt(truth * (1 - truth)));
}

} // namespace

class TestNodeClockwork final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutJitterTheFormulaIsExact();
    void shiftedExponentialIsOnePlusAnExponential();
    void exponentialIsAnExponential();
    void paretoHasItsMinimumAtOneAndItsTail();
    void lognormalIsTheExponentialOfANormal();
    void bimodalTakesTheFactorWithItsProbability();
    void markovStaysSlowAndNormalAsLongAsItsChancesSay();
    void jitterStretchesTheOverheadToo();
    void aNodesOwnJitterReplacesTheClusters();
    void aTraceIsReplayedAndNeitherJitterNorOverheadCount();
    void slowdownsMultiply();
    void aChangeThatStaysEndsOneThatPasses();
    void noTaskTakesNoTimeAtAll();
    void drawsDependOnSeedAndNodeAndNumberOnly();
    void whatIsLeftIsRescaledToTheNanosecond_data();
    void whatIsLeftIsRescaledToTheNanosecond();
};

void TestNodeClockwork::withoutJitterTheFormulaIsExact()
{
    ClusterSpec cluster = clusterOf(2);
    cluster.overhead_seconds = 0.02;
    cluster.batch_seconds = 0.1;
    cluster.nodes[1].slowdown = 2.5;
    NodeClockwork plain(cluster, NodeId{0}, 1, nullptr);
    NodeClockwork slow(cluster, NodeId{1}, 1, nullptr);

    // (overhead + batch x work) x slowdown
    QVERIFY(plain.startTask(1) == Duration{120'000'000});
    QVERIFY(plain.startTask(3) == Duration{320'000'000});
    QVERIFY(plain.startTask(0.5) == Duration{70'000'000});
    QVERIFY(slow.startTask(1) == Duration{300'000'000});
    QVERIFY(slow.startTask(3) == Duration{800'000'000});
}

void TestNodeClockwork::shiftedExponentialIsOnePlusAnExponential()
{
    const double scale = 0.4;
    const std::vector<double> found = factors({.kind = JitterKind::ShiftedExponential, .scale = scale});

    QVERIFY(*std::ranges::min_element(found) >= 1);
    QVERIFY(agrees(meanOf(found), 1 + scale, scale));
    QVERIFY(shareAgrees(shareBelow(found, 1 + scale * std::log(2.0)), 0.5));
    QVERIFY(shareAgrees(shareBelow(found, 1 + scale * std::log(100.0)), 0.99));
}

void TestNodeClockwork::exponentialIsAnExponential()
{
    const std::vector<double> found = factors({.kind = JitterKind::Exponential});

    QVERIFY(agrees(meanOf(found), 1, 1));
    QVERIFY(shareAgrees(shareBelow(found, std::log(2.0)), 0.5));
    QVERIFY(shareAgrees(shareBelow(found, std::log(100.0)), 0.99));
}

void TestNodeClockwork::paretoHasItsMinimumAtOneAndItsTail()
{
    // P(X < x) = 1 - x^-p; for p > 2 the mean is p / (p - 1), the variance p / ((p - 1)^2 (p - 2)).
    const double p = 5;
    const std::vector<double> found = factors({.kind = JitterKind::Pareto, .shape = p});

    QVERIFY(*std::ranges::min_element(found) >= 1);
    QVERIFY(agrees(meanOf(found), p / (p - 1), std::sqrt(p / ((p - 1) * (p - 1) * (p - 2)))));
    const std::vector<double> heavy = factors({.kind = JitterKind::Pareto, .shape = 1.2});
    for (const double share : {0.5, 0.9, 0.999}) {
        QVERIFY(shareAgrees(shareBelow(found, std::pow(1 - share, -1 / p)), share));
        QVERIFY(shareAgrees(shareBelow(heavy, std::pow(1 - share, -1 / 1.2)), share));
    }
}

void TestNodeClockwork::lognormalIsTheExponentialOfANormal()
{
    const double sigma = 0.5;
    const std::vector<double> found = factors({.kind = JitterKind::Lognormal, .sigma = sigma});

    const double mean = std::exp(sigma * sigma / 2);
    QVERIFY(agrees(meanOf(found), mean, mean * std::sqrt(std::exp(sigma * sigma) - 1)));
    QVERIFY(shareAgrees(shareBelow(found, 1), 0.5));
    QVERIFY(shareAgrees(shareBelow(found, std::exp(sigma)), 0.841344746));
}

void TestNodeClockwork::bimodalTakesTheFactorWithItsProbability()
{
    const std::vector<double> found =
        factors({.kind = JitterKind::Bimodal, .probability = 0.05, .factor = 7});

    QVERIFY(std::ranges::all_of(found, [](double value) { return value == 1 || value == 7; }));
    QVERIFY(shareAgrees(shareBelow(found, 2), 0.95));
}

void TestNodeClockwork::markovStaysSlowAndNormalAsLongAsItsChancesSay()
{
    // Two states, entered with a and left with b per task: P(slow) = a / (a + b). Neighbours correlate by r = 1-a-b,
    // so the estimate's variance is (1 + r) / (1 - r) times that of independent draws.
    const double a = 0.02;
    const double b = 0.2;
    const std::vector<double> found =
        factors({.kind = JitterKind::Markov, .factor = 9, .enter = a, .leave = b});

    QVERIFY(std::ranges::all_of(found, [](double value) { return value == 1 || value == 9; }));
    const double normal = b / (a + b);
    const double r = 1 - a - b;
    QVERIFY(agrees(shareBelow(found, 2), normal, std::sqrt(normal * (1 - normal) * (1 + r) / (1 - r))));

    double entered = 0;
    double could_enter = 0;
    for (std::size_t k = 1; k < found.size(); ++k) {
        could_enter += found[k - 1] == 1 ? 1 : 0;
        entered += found[k - 1] == 1 && found[k] == 9 ? 1 : 0;
    }
    QVERIFY(std::abs(entered / could_enter - a) < k_sigmas * std::sqrt(a * (1 - a) / could_enter));
}

void TestNodeClockwork::jitterStretchesTheOverheadToo()
{
    ClusterSpec cluster = clusterOf(1, {.kind = JitterKind::Bimodal, .probability = 1, .factor = 3});
    cluster.overhead_seconds = 0.5;
    NodeClockwork clockwork(cluster, NodeId{0}, 1, nullptr);

    QVERIFY(clockwork.startTask(2) == fromSeconds(7.5)); // (0.5 + 1 x 2) x 3
}

void TestNodeClockwork::aNodesOwnJitterReplacesTheClusters()
{
    ClusterSpec cluster = clusterOf(2, {.kind = JitterKind::Bimodal, .probability = 1, .factor = 3});
    cluster.nodes[1].jitter = Jitter{.kind = JitterKind::Bimodal, .probability = 1, .factor = 5};
    NodeClockwork common(cluster, NodeId{0}, 1, nullptr);
    NodeClockwork own(cluster, NodeId{1}, 1, nullptr);

    QVERIFY(common.startTask(1) == fromSeconds(3));
    QVERIFY(own.startTask(1) == fromSeconds(5));
}

void TestNodeClockwork::aTraceIsReplayedAndNeitherJitterNorOverheadCount()
{
    ClusterSpec cluster = clusterOf(2, {.kind = JitterKind::Exponential});
    cluster.overhead_seconds = 100;
    cluster.nodes[1].slowdown = 2;
    const Trace trace({0.1, 0.2, 0.3, 1, 2, 3}, 3); // node by node
    NodeClockwork first(cluster, NodeId{0}, 1, &trace);
    NodeClockwork second(cluster, NodeId{1}, 1, &trace);

    // trace[node][k mod rows] x work x slowdown
    for (const double seconds : {0.1, 0.2, 0.3, 0.1, 0.2}) {
        QVERIFY(first.startTask(1) == fromSeconds(seconds));
    }
    QVERIFY(second.startTask(3) == fromSeconds(6));
    QVERIFY(second.startTask(0.5) == fromSeconds(2));
}

void TestNodeClockwork::slowdownsMultiply()
{
    ClusterSpec cluster = clusterOf(1);
    cluster.nodes[0].slowdown = 2;
    NodeClockwork clockwork(cluster, NodeId{0}, 1, nullptr);
    QCOMPARE(clockwork.slowdown(), 2.0);

    clockwork.slowFor(3);
    QCOMPARE(clockwork.slowdown(), 6.0);
    QVERIFY(clockwork.startTask(1) == fromSeconds(6));

    clockwork.slowForAWhile(5);
    QCOMPARE(clockwork.slowdown(), 30.0);

    clockwork.slowForAWhile(4); // instead of the 5, not on top of it
    QCOMPARE(clockwork.slowdown(), 24.0);

    clockwork.endPassing();
    QCOMPARE(clockwork.slowdown(), 6.0);

    clockwork.slowFor(1); // instead of the 3
    QCOMPARE(clockwork.slowdown(), 2.0);
}

void TestNodeClockwork::aChangeThatStaysEndsOneThatPasses()
{
    NodeClockwork clockwork(clusterOf(1), NodeId{0}, 1, nullptr);
    clockwork.slowForAWhile(5);

    clockwork.slowFor(3);

    QCOMPARE(clockwork.slowdown(), 3.0);
}

void TestNodeClockwork::noTaskTakesNoTimeAtAll()
{
    ClusterSpec cluster = clusterOf(1);
    cluster.batch_seconds = 1e-12;
    NodeClockwork clockwork(cluster, NodeId{0}, 1, nullptr);

    QVERIFY(clockwork.startTask(1) == Duration{1});
}

void TestNodeClockwork::drawsDependOnSeedAndNodeAndNumberOnly()
{
    const Jitter jitter{.kind = JitterKind::Lognormal};
    const auto firstTasks = [](const ClusterSpec& cluster, NodeId node, std::uint64_t seed, double work) {
        NodeClockwork clockwork(cluster, node, seed, nullptr);
        std::vector<double> seconds(50);
        for (double& one : seconds) {
            one = std::round(toSeconds(clockwork.startTask(work)) / work * 1e6);
        }
        return seconds;
    };
    const std::vector<double> known = firstTasks(clusterOf(3, jitter), NodeId{2}, 5, 1);

    // other nodes, more of them, other work per task, as another strategy would ask for
    ClusterSpec other = clusterOf(9, jitter);
    other.nodes[0].jitter = Jitter{.kind = JitterKind::Markov};
    other.nodes[1].slowdown = 8;
    QCOMPARE(firstTasks(other, NodeId{2}, 5, 1), known);
    QCOMPARE(firstTasks(other, NodeId{2}, 5, 4), known);

    QVERIFY(firstTasks(other, NodeId{3}, 5, 1) != known);
    QVERIFY(firstTasks(other, NodeId{2}, 6, 1) != known);
}

void TestNodeClockwork::whatIsLeftIsRescaledToTheNanosecond_data()
{
    QTest::addColumn<qint64>("left");
    QTest::addColumn<double>("before");
    QTest::addColumn<double>("after");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("slower") << qint64{60'000'000} << 1.0 << 3.0 << qint64{180'000'000};
    QTest::newRow("faster") << qint64{60'000'001} << 2.0 << 1.0 << qint64{30'000'001};
    QTest::newRow("a third") << qint64{100} << 3.0 << 1.0 << qint64{33};
    QTest::newRow("two thirds") << qint64{100} << 3.0 << 2.0 << qint64{67};
    QTest::newRow("no change") << qint64{12'345'678'901'234} << 1.7 << 1.7 << qint64{12'345'678'901'234};
    QTest::newRow("nothing left") << qint64{0} << 1.0 << 50.0 << qint64{0};
    QTest::newRow("too long to count") << qint64{1} << 1e-3 << 1e300 << qint64{k_longest_duration.count()};
}

void TestNodeClockwork::whatIsLeftIsRescaledToTheNanosecond()
{
    QFETCH(const qint64, left);
    QFETCH(const double, before);
    QFETCH(const double, after);
    QFETCH(const qint64, expected);

    QCOMPARE(qint64{rescaled(Duration{left}, before, after).count()}, expected);
}

QTEST_APPLESS_MAIN(TestNodeClockwork)
#include "tst_node_clockwork.moc"
