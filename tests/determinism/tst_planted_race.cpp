// Races on purpose, between a job and the test that waits for it. It passes only where the thread sanitizer says so:
// neither the seam around the stock TBB library nor a line of tsan.supp may keep races of our own quiet.

#include "core/engine/executor.h"

#include <QTest>

#include <atomic>

class TestPlantedRace final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRaceInAJobIsReported();
};

void TestPlantedRace::aRaceInAJobIsReported()
{
    lab::Executor executor(2);
    std::atomic<int> arrived = 0;
    volatile int unguarded = 0;
    const auto race = [&] {
        // Relaxed, so that the meeting itself orders nothing; many times, since the sanitizer misses two accesses at the
        // very same moment.
        arrived.fetch_add(1, std::memory_order_relaxed);
        while (arrived.load(std::memory_order_relaxed) < 2) {}
        for (int i = 0; i < 10'000; ++i) {
            unguarded = unguarded + 1;
        }
        return 0;
    };

    auto job = executor.submit(race);
    (void)race();

    QCOMPARE(job.take(), 0);
}

QTEST_APPLESS_MAIN(TestPlantedRace)
#include "tst_planted_race.moc"
