#include "core/base/rng.h"
#include "core/grouping/grouping.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

using namespace lab;

namespace {

using Seconds = std::vector<double>;

Partition partition(std::initializer_list<std::vector<std::size_t>> groups)
{
    Partition made;
    for (const auto& group : groups) {
        auto& members = made.emplace_back();
        for (const std::size_t node : group) {
            members.emplace_back(node);
        }
    }
    return made;
}

/// Squared distances of log time to the means of the groups.
double scatterOf(const Partition& groups, const Seconds& seconds)
{
    double scatter = 0;
    for (const auto& members : groups) {
        double mean = 0;
        for (const NodeId node : members) {
            mean += std::log(seconds[node.index()]) / static_cast<double>(members.size());
        }
        for (const NodeId node : members) {
            scatter += std::pow(std::log(seconds[node.index()]) - mean, 2);
        }
    }
    return scatter;
}

/// Squared deviations of the groups' rates from an equal share.
double unevenness(const Partition& groups, const Seconds& seconds)
{
    double total = 0;
    for (const double one : seconds) {
        total += 1 / one;
    }
    double sum = 0;
    for (const auto& members : groups) {
        double rate = 0;
        for (const NodeId node : members) {
            rate += 1 / seconds[node.index()];
        }
        sum += std::pow(rate - total / static_cast<double>(groups.size()), 2);
    }
    return sum;
}

/// Every way to put the nodes into `count` groups that need not be contiguous: the least of `badness`.
template <class Badness> double leastOfAll(const Seconds& seconds, std::size_t count, const Badness& badness)
{
    double least = std::numeric_limits<double>::infinity();
    std::size_t ways = 1;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        ways *= count;
    }
    for (std::size_t way = 0; way < ways; ++way) {
        Partition groups(count);
        std::size_t rest = way;
        for (std::size_t node = 0; node < seconds.size(); ++node, rest /= count) {
            groups[rest % count].emplace_back(node);
        }
        if (std::ranges::none_of(groups, [](const auto& members) { return members.empty(); })) {
            least = std::min(least, badness(groups, seconds));
        }
    }
    return least;
}

/// Between 1 and 20, evenly in the logarithm.
Seconds randomSeconds(std::uint64_t seed, std::size_t nodes)
{
    Rng rng(seed, Purpose::Estimate, 0, 0);
    Seconds seconds;
    for (std::size_t i = 0; i < nodes; ++i) {
        seconds.push_back(std::exp(rng.uniform() * std::log(20.0)));
    }
    return seconds;
}

const Seconds k_three_classes{1, 1.05, 0.97, 1.02, 2, 2.1, 1.9, 2.05, 4, 4.1, 3.9, 4.2};

} // namespace

class TestClusters final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threeClassesAreFound();
    void clustersAreOptimalAmongAllPartitions();
    void ratiosCountNotDifferences();
    void equalNodesGiveTheNumberAskedFor();
    void theNumberIsFound_data();
    void theNumberIsFound();
    void throughputIsSharedEvenly();
    void throughputIsBestAmongContiguousSplits();
};

void TestClusters::threeClassesAreFound()
{
    const Partition classes = partition({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});

    QVERIFY(groupByClusters(k_three_classes, 3) == classes);
    QVERIFY(groupByClusters(k_three_classes) == classes);
    QVERIFY(groupByClusters(Seconds{4, 1, 1.1, 17, 4.4}, 3) == partition({{1, 2}, {0, 4}, {3}}));
}

void TestClusters::clustersAreOptimalAmongAllPartitions()
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Seconds seconds = randomSeconds(seed, 7);
        for (std::size_t count = 1; count <= 4; ++count) {
            const double found = scatterOf(groupByClusters(seconds, count), seconds);
            const double least = leastOfAll(seconds, count, scatterOf);
            QVERIFY2(found <= least + 1e-12, qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
    }
}

void TestClusters::ratiosCountNotDifferences()
{
    QVERIFY(groupByClusters(Seconds{1, 2, 100, 110}, 3) == partition({{0}, {1}, {2, 3}}));
    QVERIFY(groupByClusters(Seconds{1e-4, 2e-4, 1e-2, 1.1e-2}, 3) == partition({{0}, {1}, {2, 3}}));
}

void TestClusters::equalNodesGiveTheNumberAskedFor()
{
    QVERIFY(groupByClusters(Seconds(3, 1.0), 2) == partition({{0}, {1, 2}}));
    QVERIFY(groupByClusters(Seconds(3, 0.1), 3) == partition({{0}, {1}, {2}}));
    QVERIFY(groupByClusters(Seconds{7}, 1) == partition({{0}}));
    QVERIFY(groupByThroughput(Seconds{7}, 1) == partition({{0}}));
}

void TestClusters::theNumberIsFound_data()
{
    QTest::addColumn<std::vector<double>>("seconds");
    QTest::addColumn<int>("count");
    QTest::newRow("one node") << Seconds{3} << 1;
    QTest::newRow("all equal") << Seconds(12, 0.1) << 1;
    QTest::newRow("5 % apart") << Seconds{1, 1.02, 1.04, 1.01, 1.03, 1.05, 0.99, 1} << 1;
    QTest::newRow("exact classes") << Seconds{1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4} << 3;
    QTest::newRow("one straggler") << Seconds{1, 1, 1, 1, 1, 1, 1, 10} << 2;
    QTest::newRow("two classes") << Seconds{1, 1.1, 1.05, 3, 3.3, 3.1, 1.08, 3.2} << 2;
}

void TestClusters::theNumberIsFound()
{
    QFETCH(const std::vector<double>, seconds);
    QFETCH(const int, count);

    QCOMPARE(static_cast<int>(groupByClusters(seconds).size()), count);
}

void TestClusters::throughputIsSharedEvenly()
{
    // 1 + 1 = 4 x 0.5 = 8 x 0.25.
    const Seconds seconds{4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 1, 1};

    const Partition groups = groupByThroughput(seconds, 3);

    QVERIFY(groups == partition({{12, 13}, {8, 9, 10, 11}, {0, 1, 2, 3, 4, 5, 6, 7}}));
}

void TestClusters::throughputIsBestAmongContiguousSplits()
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Seconds seconds = randomSeconds(seed, 9);
        std::ranges::sort(seconds);
        const double found = unevenness(groupByThroughput(seconds, 3), seconds);
        for (std::size_t first = 1; first < 8; ++first) {
            for (std::size_t second = first + 1; second < 9; ++second) {
                Partition groups(3);
                for (std::size_t node = 0; node < 9; ++node) {
                    groups[node < first ? 0 : node < second ? 1 : 2].emplace_back(node);
                }
                QVERIFY(found <= unevenness(groups, seconds) + 1e-12);
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestClusters)
#include "tst_clusters.moc"
