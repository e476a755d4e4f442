#include "core/grouping/regroup.h"

#include <QTest>

#include <optional>
#include <vector>

using namespace lab;

namespace {

Duration seconds(double value) { return fromSeconds(value); }

} // namespace

class TestMeasuredLaws final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunningTaskIsALowerBound();
    void cancelledTasksSpeakForTheRisk();
    void aLastingChangeIsNoRisk();
    void lawsShareTheJitter();
};

void TestMeasuredLaws::aRunningTaskIsALowerBound()
{
    SpeedEstimate speeds(2, 5);
    const NodeId node{0};

    speeds.addAtLeast(node, seconds(3), 1);
    QCOMPARE(speeds.seconds(node), std::optional{3.0}); // all that is known
    QVERIFY(!speeds.seconds(NodeId{1}).has_value());

    speeds.add(node, seconds(4), 2);
    QCOMPARE(speeds.seconds(node), std::optional{2.0}); // it finished: the bound is forgotten
    speeds.addAtLeast(node, seconds(1.5), 1);
    QCOMPARE(speeds.seconds(node), std::optional{2.0}); // says nothing new
    speeds.addAtLeast(node, seconds(10), 2);
    speeds.addAtLeast(node, seconds(1), 1); // the next task began
    QCOMPARE(speeds.seconds(node), std::optional{5.0});
    speeds.add(node, seconds(2), 1);
    QCOMPARE(speeds.seconds(node), std::optional{2.0});
    QCOMPARE(speeds.count(node), std::size_t{2});
    QCOMPARE(speeds.recent(node), (std::vector{2.0, 2.0}));
}

void TestMeasuredLaws::cancelledTasksSpeakForTheRisk()
{
    SpeedEstimate speeds(4, 10);
    const NodeId clean{0};
    const NodeId risky{1};
    const NodeId cut_late{2};
    const NodeId cut_early{3};
    for (int i = 0; i < 20; ++i) {
        for (const NodeId node : {clean, risky, cut_late, cut_early}) {
            speeds.add(node, seconds(node == risky && i % 10 == 9 ? 10 : 1), 1);
        }
    }
    QCOMPARE(speeds.riskOf(clean), 1.0 / 40);
    QCOMPARE(speeds.riskOf(risky), 3.0 / 40);

    // Given up past sqrt(3) medians, where nothing that finished is longer: slow, as soon as the bound is forgotten.
    speeds.addCancelled(cut_late, seconds(2), 1);
    speeds.add(cut_late, seconds(1), 1);
    QCOMPARE(speeds.riskOf(cut_late), 2.0 / 42);
    // Given up at 1.2: neither.
    speeds.addCancelled(cut_early, seconds(1.2), 1);
    speeds.add(cut_early, seconds(1), 1);
    QCOMPARE(speeds.riskOf(cut_early), 1.0 / 41);
    // Given up at 1.2 where all tasks that took longer were slow: slow.
    speeds.addCancelled(risky, seconds(1.2), 1);
    speeds.add(risky, seconds(1), 1);
    QCOMPARE(speeds.riskOf(risky), 4.0 / 42);
}

void TestMeasuredLaws::aLastingChangeIsNoRisk()
{
    SpeedEstimate speeds(1, 10);
    for (const double time : {1.0, 5.0, 1.0}) {
        for (int i = 0; i < 40; ++i) {
            speeds.add(NodeId{0}, seconds(time), 1);
        }
        QCOMPARE(speeds.riskOf(NodeId{0}),
                 time == 5.0 || speeds.count(NodeId{0}) > 100 ? 1.0 / 70 : 1.0 / 60);
        QVERIFY(speeds.slowRatios(NodeId{0}).empty());
    }
}

void TestMeasuredLaws::lawsShareTheJitter()
{
    // Two steady nodes, one of them four times as slow; the third has one slow task and the fourth none at all.
    SpeedEstimate speeds(4, 10);
    for (int i = 0; i < 10; ++i) {
        speeds.add(NodeId{0}, seconds(0.1), 1);
        speeds.add(NodeId{1}, seconds(0.4), 1);
        speeds.add(NodeId{2}, seconds(i == 7 ? 2.0 : 0.1), 1);
    }

    const std::vector<TaskLaw> laws = lawsFrom(speeds);

    // How slow is slow: (5 + 20) / 6; the chance (k + 1) / (10 + 20).
    QCOMPARE(laws.size(), std::size_t{4});
    QCOMPARE(laws[0].median(), 0.1);
    QCOMPARE(laws[1].median(), 0.4);
    QCOMPARE(laws[3].median(), 0.1);
    QCOMPARE(laws[2].mean(), 0.1 * (28.0 / 30 + 2.0 / 30 * 25 / 6));
    QVERIFY(laws[1] == laws[0].scaled(4));
}

QTEST_APPLESS_MAIN(TestMeasuredLaws)
#include "tst_measured_laws.moc"
