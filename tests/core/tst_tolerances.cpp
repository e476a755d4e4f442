#include "core/grouping/by_objective.h"
#include "tests/support/three_classes.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

using namespace lab;
using namespace lab::test;

class TestTolerances final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCostIsTheFormula();
    void transientsAreCodedWhereItPays_data();
    void transientsAreCodedWhereItPays();
    void fractionalCodesDecodeEarlier();
    void codesStandOnlyWhereTheyShortenARound();
    void theFailureLimitAsksForTolerance();
};

void TestTolerances::theCostIsTheFormula()
{
    // Groups {0, 1} with s = 1 and {2}: (1 + 0.03) / (2 / T_A + 1 / T_B), T_A = 2 E[first of two exponentials] = 1.
    const Laws laws{TaskLaw::exponential(1), TaskLaw::exponential(1), TaskLaw::constant(4)};
    const Partition groups{{NodeId{0}, NodeId{1}}, {}, {NodeId{2}}};

    const Plan plan = costOf(groups, std::vector{1, 0, 0}, uncoded(laws, 0.03));

    QVERIFY(isNear(plan.cost, 1.03 / (2 + 0.25)));
    QVERIFY(isNear(plan.round_seconds[0], 1));
    QVERIFY(isNear(plan.uncoded_seconds[0], 1.5)); // H_2
    QCOMPARE(plan.round_seconds[1], 0.0);
    QCOMPARE(plan.round_seconds[2], 4.0);
    QVERIFY(plan.groups == groups);
}

void TestTolerances::transientsAreCodedWhereItPays_data()
{
    // Strategies, 4.6, n = 4 and f = 10: break-even of s = 1 at p = 0.0324.
    QTest::addColumn<double>("p");
    QTest::addColumn<int>("tolerance");
    QTest::addColumn<double>("seconds");
    QTest::newRow("none") << 0.0 << 0 << 1.0;
    QTest::newRow("below break-even") << 0.03 << 0 << 2.0324;
    QTest::newRow("5 %") << 0.05 << 1 << 2.25234;
    QTest::newRow("10 %") << 0.1 << 1 << 2.9412;
    QTest::newRow("20 %") << 0.2 << 2 << 3.7344;
}

void TestTolerances::transientsAreCodedWhereItPays()
{
    QFETCH(const double, p);
    QFETCH(const int, tolerance);
    QFETCH(const double, seconds);
    const Laws laws = threeClasses(TaskLaw::twoPoint(1, p, 10));

    const Plan plan = planTolerances(blocksOf(4, 3), coded(laws, 0.03));

    QCOMPARE(plan.tolerance, std::vector(3, tolerance));
    for (std::size_t g = 0; g < 3; ++g) {
        QVERIFY(isNear(plan.round_seconds[g], seconds * std::pow(2, static_cast<double>(g)), 1e-4));
    }
}

void TestTolerances::fractionalCodesDecodeEarlier()
{
    // Two blocks of two: a round is slow when both of one block are: 2 [1 + 9 (1 - (1 - p^2)^2)].
    const Laws laws(4, TaskLaw::twoPoint(1, 0.1, 10));
    PlanRequest request = coded(laws, 0.03);
    request.is_fractional = true;

    const Plan plan = planTolerances(blocksOf(4, 1), request);

    QCOMPARE(plan.tolerance.front(), 1);
    QVERIFY(isNear(plan.round_seconds.front(), 2 * (1 + 9 * (1 - 0.99 * 0.99))));
    // Two does not divide three: a block of three carries load three, and any one of it is enough.
    const Plan odd = costOf(Partition{{NodeId{0}, NodeId{1}, NodeId{2}}}, std::vector{1}, request);
    QVERIFY(isNear(odd.round_seconds.front(), 3 * (1 + 9 * 0.001)));
}

void TestTolerances::codesStandOnlyWhereTheyShortenARound()
{
    // E6: nodes 0, 1, 4 and 5 are slow one time in ten.
    Laws laws = threeClasses(TaskLaw::constant(1));
    for (const std::size_t risky : {0, 1, 4, 5}) {
        laws[risky] = TaskLaw::twoPoint(risky < 4 ? 1 : 2, 0.1, 10);
    }
    for (const double kappa : {0.0, 0.03, 0.1, 0.3, 3.0}) {
        const Plan plan = planGroups(coded(laws, kappa));
        QVERIFY(plan.cost <= planGroups(uncoded(laws, kappa)).cost);
        for (std::size_t g = 0; g < plan.groups.size(); ++g) {
            QCOMPARE(plan.tolerance[g] > 0, plan.round_seconds[g] < plan.uncoded_seconds[g]);
        }
    }
    // Given the three classes: two of four risky: P(any) = 0.19 and 1 + 9 x 0.19 = 2.71; P(both) = 0.01 and
    // 2 (1 + 0.09) = 2.18. The third class has no risk.
    const Plan classes = planTolerances(blocksOf(4, 3), coded(laws, 0.03));
    QCOMPARE(classes.tolerance, (std::vector{1, 1, 0}));
    QVERIFY(isNear(classes.round_seconds[0], 2.18));
    QVERIFY(isNear(classes.uncoded_seconds[1], 2 * 2.71));
}

void TestTolerances::theFailureLimitAsksForTolerance()
{
    const Laws laws(4, TaskLaw::constant(1));
    const std::vector<double> dead(4, 0.02);
    PlanRequest request = coded(laws, 0.03);
    request.failure_probability = dead;

    // P(Bin(4, 0.02) > 1) = 2.3e-3, > 2: 3.2e-5.
    QCOMPARE(planTolerances(blocksOf(4, 1), request).tolerance.front(), 2);
    request.failure_limit = 0.01;
    QCOMPARE(planTolerances(blocksOf(4, 1), request).tolerance.front(), 1);
    request.failure_limit = 1e-12;
    const Plan in_vain = planTolerances(blocksOf(4, 1), request);
    QCOMPARE(in_vain.tolerance.front(), 0);
    QVERIFY(in_vain.why.find("failure limit") != std::string::npos);
    QVERIFY(planGroups(request).why.find("failure limit") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestTolerances)
#include "tst_tolerances.moc"
