#include "core/grouping/grouping.h"
#include "core/grouping/speed_estimate.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <vector>

using namespace lab;
using lab::test::ms;

namespace {

Partition partition(std::initializer_list<std::initializer_list<std::int32_t>> groups)
{
    Partition result;
    for (const auto& members : groups) {
        result.emplace_back();
        for (const std::int32_t node : members) {
            result.back().emplace_back(node);
        }
    }
    return result;
}

using Seconds = std::vector<double>;

} // namespace

class TestGrouping final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalNodesAreOneGroup();
    void aGapSplits();
    void exactlyTheGapDoesNotSplit();
    void theFastestGroupComesFirstAndMembersAreInNodeOrder();
    void smallGapsDoNotChainIntoOneWideGroup();
    void theSpreadIsCountedFromEachGroupsFastest();
    void aLoneNodeIsAGroup();
    void onlyRatiosCount();

    void nothingIsKnownBeforeTheFirstTask();
    void theEstimateIsTheMedian();
    void oneTransientDoesNotMoveIt();
    void onlyTheLatestTasksCount();
    void workIsDividedOut();
    void nodesAreEstimatedApart();
};

void TestGrouping::equalNodesAreOneGroup()
{
    QVERIFY(groupByGap(Seconds(5, 0.1)) == partition({{0, 1, 2, 3, 4}}));
}

void TestGrouping::aGapSplits()
{
    QVERIFY(groupByGap(Seconds{1, 1.1, 1.7, 1.8}) == partition({{0, 1}, {2, 3}})); // 1.7 > 1.5 x 1.1
    QVERIFY(groupByGap(Seconds{1, 1.1, 1.6, 1.7}) == partition({{0, 1, 2, 3}}));   // 1.6 < 1.5 x 1.1
}

void TestGrouping::exactlyTheGapDoesNotSplit()
{
    QVERIFY(groupByGap(Seconds{0.1, 0.1 * 1.5}) == partition({{0, 1}}));
    QVERIFY(groupByGap(Seconds{0.1, 0.3}, 3, 3)
            == partition({{0, 1}})); // 0.3 / 0.1 is a bit less than 3 in binary
    QVERIFY(groupByGap(Seconds{0.7, 0.7 * 3}, 3, 3) == partition({{0, 1}}));
    QVERIFY(groupByGap(Seconds{0.1, 0.1001}, 1) == partition({{0}, {1}}));
}

void TestGrouping::theFastestGroupComesFirstAndMembersAreInNodeOrder()
{
    QVERIFY(groupByGap(Seconds{9, 1.2, 8, 1, 1.1}) == partition({{1, 3, 4}, {0, 2}}));
}

void TestGrouping::smallGapsDoNotChainIntoOneWideGroup()
{
    // Each is 1.4 times the one before, so that no gap splits: 1.4^2 = 1.96 <= 2 < 1.4^3.
    const Seconds chain{1, 1.4, 1.96, 2.744, 3.8416};

    QVERIFY(groupByGap(chain, 1.5, 2) == partition({{0, 1, 2}, {3, 4}}));
    QVERIFY(groupByGap(chain, 1.5, 4) == partition({{0, 1, 2, 3, 4}}));
}

void TestGrouping::theSpreadIsCountedFromEachGroupsFastest()
{
    QVERIFY(groupByGap(Seconds{1, 2, 2.5, 4, 5}, 10, 2) == partition({{0, 1}, {2, 3, 4}}));
}

void TestGrouping::aLoneNodeIsAGroup() { QVERIFY(groupByGap(Seconds{7}) == partition({{0}})); }

void TestGrouping::onlyRatiosCount()
{
    const Seconds seconds{1, 1.2, 3, 3.3, 10};
    Seconds scaled = seconds;
    for (double& one : scaled) {
        one *= 1e-4;
    }

    QVERIFY(groupByGap(seconds) == groupByGap(scaled));
}

void TestGrouping::nothingIsKnownBeforeTheFirstTask()
{
    const SpeedEstimate speeds(2, 3);

    QVERIFY(!speeds.seconds(NodeId{0}));
    QCOMPARE(speeds.count(NodeId{0}), std::size_t{0});
    QVERIFY(speeds.recent(NodeId{0}).empty());
}

void TestGrouping::theEstimateIsTheMedian()
{
    SpeedEstimate speeds(1, 10);
    speeds.add(NodeId{0}, ms(300), 1);
    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.3);
    speeds.add(NodeId{0}, ms(100), 1);
    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.2); // the middle of two
    speeds.add(NodeId{0}, ms(900), 1);
    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.3);
    speeds.add(NodeId{0}, ms(500), 1);
    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.4); // of 100, 300, 500, 900
}

void TestGrouping::oneTransientDoesNotMoveIt()
{
    SpeedEstimate speeds(1, 5);
    for (int i = 0; i < 5; ++i) {
        speeds.add(NodeId{0}, ms(i == 2 ? 1'000'000 : 100), 1);
    }

    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.1);
}

void TestGrouping::onlyTheLatestTasksCount()
{
    SpeedEstimate speeds(1, 3);
    for (const std::int64_t one : {100, 200, 300, 400, 500, 600, 700}) {
        speeds.add(NodeId{0}, ms(one), 1);
    }

    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.6);
    QCOMPARE(speeds.recent(NodeId{0}), (Seconds{0.5, 0.6, 0.7}));
    QCOMPARE(speeds.count(NodeId{0}), std::size_t{7});
}

void TestGrouping::workIsDividedOut()
{
    SpeedEstimate speeds(1, 3);
    speeds.add(NodeId{0}, ms(400), 4);

    QCOMPARE(speeds.seconds(NodeId{0}).value(), 0.1);
}

void TestGrouping::nodesAreEstimatedApart()
{
    SpeedEstimate speeds(2, 3);
    speeds.add(NodeId{1}, ms(400), 1);

    QVERIFY(!speeds.seconds(NodeId{0}));
    QCOMPARE(speeds.seconds(NodeId{1}).value(), 0.4);
}

QTEST_APPLESS_MAIN(TestGrouping)
#include "tst_grouping.moc"
