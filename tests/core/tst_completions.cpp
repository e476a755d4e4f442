#include "core/engine/executor_completions.h"

#include <QTest>

#include <chrono>
#include <set>

using namespace lab;
using namespace std::chrono_literals;

class TestCompletions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyResultComesOnce_data();
    void everyResultComesOnce();
    void moreWorkMayComeInBetween();
    void droppingAsksWorkToStop();
};

void TestCompletions::everyResultComesOnce_data()
{
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 8}) {
        QTest::addRow("%d", threads) << threads;
    }
}

void TestCompletions::everyResultComesOnce()
{
    QFETCH(int, threads);
    Completions<int> completions(threads);
    std::multiset<int> results;

    for (int i = 0; i < 100; ++i) {
        completions.submit([i](const std::stop_token&) { return i; });
    }
    while (completions.pending() > 0) {
        if (const std::optional<int> result = completions.next(10s)) {
            results.insert(*result);
        }
    }

    QCOMPARE(results.size(), std::size_t{100});
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(results.count(i), std::size_t{1});
    }
}

void TestCompletions::moreWorkMayComeInBetween()
{
    Completions<int> completions(2);
    int sum = 0;

    for (int i = 1; i <= 50; ++i) {
        completions.submit([i](const std::stop_token&) { return i; });
        completions.submit([i](const std::stop_token&) { return -i; });
        sum += completions.next(10s).value();
    }
    while (completions.pending() > 0) {
        sum += completions.next(10s).value();
    }

    QCOMPARE(sum, 0);
}

void TestCompletions::droppingAsksWorkToStop()
{
    // Work that never ends by itself: without the request this test would hang.
    Completions<int> completions(1);
    for (int i = 0; i < 3; ++i) {
        completions.submit([](const std::stop_token& stop) {
            while (!stop.stop_requested()) {}
            return 0;
        });
    }

    QVERIFY(!completions.next(1ms));
    QCOMPARE(completions.pending(), std::size_t{3});
}

QTEST_APPLESS_MAIN(TestCompletions)
#include "tst_completions.moc"
