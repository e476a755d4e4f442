#include "core/grouping/erlang.h"
#include "core/grouping/order_statistics.h"
#include "core/grouping/server_queue.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace lab;

namespace {

using Laws = std::vector<TaskLaw>;

bool agree(double value, double expected, double tolerance = 1e-8)
{
    return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

Laws mixed()
{
    return {TaskLaw::constant(0.8),           TaskLaw::exponential(1),
            TaskLaw::pareto(0.3, 1.4),        TaskLaw::lognormal(2, 0.5),
            TaskLaw::twoPoint(1, 0.1, 10),    TaskLaw::shiftedExponential(1, 0.1),
            TaskLaw::shiftedExponential(5, 2)};
}

} // namespace

class TestBarriers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Those who are done by the k-th wait for it: k E[X_(k)] - sum over j <= k of E[X_(j)].
    void waitingIsWhatTheFinishedLackToTheKth()
    {
        const Laws laws = mixed();
        double sum = 0;
        for (std::size_t k = 1; k <= laws.size(); ++k) {
            const double kth = expectedKth(laws, k);
            sum += kth;
            const ExpectedBarrier barrier = expectedBarrier(laws, k);
            QVERIFY(agree(barrier.seconds, kth));
            QVERIFY(agree(barrier.waiting, static_cast<double>(k) * kth - sum, 1e-6));
        }
    }

    void blocksOfOneAreABarrierOfAllAndOneBlockOpensWithTheFirst()
    {
        const Laws laws = mixed();
        std::vector<std::vector<std::size_t>> singles;
        std::vector<std::vector<std::size_t>> whole(1);
        for (std::size_t i = 0; i < laws.size(); ++i) {
            singles.push_back({i});
            whole.front().push_back(i);
        }
        const ExpectedBarrier all = expectedBarrier(laws, laws.size());
        QVERIFY(agree(expectedBarrier(laws, singles).seconds, all.seconds));
        QVERIFY(agree(expectedBarrier(laws, singles).waiting, all.waiting, 1e-6));
        QVERIFY(agree(expectedBarrier(laws, whole).seconds, expectedKth(laws, 1)));
        QVERIFY(agree(expectedBarrier(laws, whole).waiting, 0));
    }

    // Blocks {1, 3} and {2, 5}: open at 2; who has finished at 1 waits for 1 s.
    void constantBlocks()
    {
        const Laws laws{TaskLaw::constant(1), TaskLaw::constant(2), TaskLaw::constant(3),
                        TaskLaw::constant(5)};
        const ExpectedBarrier barrier =
            expectedBarrier(laws, std::vector<std::vector<std::size_t>>{{0, 2}, {1, 3}});
        QVERIFY(agree(barrier.seconds, 2));
        QVERIFY(agree(barrier.waiting, 1));
    }

    void erlangIsASumOfExponentials()
    {
        // two stages: e^-x (1 + x); three: e^-x (1 + x + x^2 / 2)
        for (const double x : {1e-3, 0.5, 2.0, 7.0, 40.0}) {
            QVERIFY(std::abs(erlangSurvival(2, x) / (std::exp(-x) * (1 + x)) - 1) < 1e-12);
            QVERIFY(std::abs(erlangSurvival(3, x) / (std::exp(-x) * (1 + x + x * x / 2)) - 1) < 1e-12);
        }
        for (const std::size_t stages : {std::size_t{2}, std::size_t{33}, std::size_t{10'000}}) {
            for (const double probability : {0.001, 0.5, 0.999}) {
                QVERIFY(agree(erlangSurvival(stages, erlangQuantile(stages, probability)), 1 - probability,
                              1e-9));
            }
        }
    }

    void tasksInSuccessionAddUp()
    {
        for (const TaskLaw& law : {TaskLaw::constant(2), TaskLaw::exponential(3),
                                   TaskLaw::shiftedExponential(2, 0.3), TaskLaw::twoPoint(1, 0.1, 10)}) {
            for (const std::size_t tasks :
                 {std::size_t{1}, std::size_t{2}, std::size_t{50}, std::size_t{5000}}) {
                const auto sum = law.inSuccession(tasks);
                QVERIFY(sum.has_value());
                const double mean = static_cast<double>(tasks) * law.mean();
                QVERIFY(agree(sum->mean(), mean, 1e-9));
                QVERIFY(agree(expectedMax(Laws{*sum}), mean, 1e-8)); // the integral of its survival
            }
        }
        QVERIFY(!TaskLaw::pareto(1, 2).inSuccession(2));
        QVERIFY(!TaskLaw::lognormal(1, 1).inSuccession(2));
        // Two tasks of 1 or 3: 2, 4 or 6 with 1/4, 1/2 and 1/4.
        const TaskLaw pair = *TaskLaw::twoPoint(1, 0.5, 3).inSuccession(2);
        QVERIFY(agree(pair.survival(2), 0.75) && agree(pair.survival(4), 0.25) && pair.survival(6) == 0);
        QVERIFY(agree(pair.forWork(2).mean(), 8));
    }

    void boundsOfLaws()
    {
        const TaskLaw shifted = TaskLaw::shiftedExponential(2, 0.5);
        QCOMPARE(shifted.least(), 2.0);
        QCOMPARE(shifted.most(), std::numeric_limits<double>::infinity());
        const TaskLaw two = TaskLaw::twoPoint(1.5, 0.1, 4).withOverhead(0.5);
        QCOMPARE(two.least(), 2.0);
        QCOMPARE(two.most(), 8.0);
        QCOMPARE(TaskLaw::exponential(3).least(), 0.0);
        QVERIFY(TaskLaw::exponential(3).isMemoryless() && !shifted.isMemoryless());
        QVERIFY(!TaskLaw::exponential(3).inSuccession(2)->isMemoryless());
        QVERIFY(TaskLaw::constant(3).isConstant() && !two.isConstant());
    }

    // One node is never in line. Two: p = 1 - exp(-q / z) that the other comes in during a service; none is left with
    // 1 - p, and then the server idles for z / 2.
    void queuesOfOneAndTwoNodes()
    {
        QVERIFY(agree(memorylessQueueRate(1, 2, 0.5), 1 / 2.5, 1e-12));
        QVERIFY(agree(memorylessQueueRate(2, 2, 0.5), 1 / (0.5 + std::exp(-0.25)), 1e-12));
    }

    void aBusyServerSetsThePace()
    {
        QVERIFY(agree(memorylessQueueRate(256, 1, 0.5), 2, 1e-12));
        QVERIFY(agree(memorylessQueueRate(256, 1, 1e-9), 256, 1e-6));
        QVERIFY(agree(memorylessQueueRate(64, 1e-6, 100), 0.01, 1e-12));
        QCOMPARE(constantQueueRate(4, 1, 0.25), 3.2);
        QCOMPARE(constantQueueRate(4, 1, 0.5), 2.0);
        QCOMPARE(lastDeparture({4, 1, 1}, 0.5), 4.5);
        QCOMPARE(lastDeparture({1, 1, 1}, 2), 7.0);
    }
};

QTEST_APPLESS_MAIN(TestBarriers)
#include "tst_barriers.moc"
