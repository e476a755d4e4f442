#include "core/engine/executor.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace lab;

namespace {

/// Opens when `count` have come. Waiting ends after a minute in any case, so that a broken executor fails its test
/// instead of hanging it.
class Gate {
public:
    explicit Gate(int count) : missing_(count) {}
    void come()
    {
        const std::scoped_lock lock(mutex_);
        --missing_;
        opened_.notify_all();
    }
    [[nodiscard]] bool awaitOpen()
    {
        std::unique_lock lock(mutex_);
        return opened_.wait_for(lock, std::chrono::minutes(1), [this] { return missing_ <= 0; });
    }
    [[nodiscard]] bool comeAndAwaitOpen()
    {
        come();
        return awaitOpen();
    }

private:
    std::mutex mutex_;
    std::condition_variable opened_;
    int missing_;
};

} // namespace

class TestExecutor final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resultsAreThoseOfTheWork_data() { threadCounts(); }
    void resultsAreThoseOfTheWork();
    void everyJobRunsExactlyOnce_data() { threadCounts(); }
    void everyJobRunsExactlyOnce();
    void whatAJobThrowsReachesTheTaker_data() { threadCounts(); }
    void whatAJobThrowsReachesTheTaker();
    void whatADroppedJobThrowsReachesNobody();
    void withOneThreadTheTakerDoesTheWork();
    void aJobThatNobodyBeganIsDoneByTheTaker();
    void whoWaitsForAWorkerWorksMeanwhile();
    void aJobDroppedBeforeItBeganNeverRuns();
    void aJobDroppedWhileItRunsFinishesInPeace();
    void aJobReplacedByAnotherIsDropped();
    void theDestructorWaitsForWhatHasBegun();
    void whatAJobCapturedIsGoneWhenItsResultIsTaken_data() { threadCounts(); }
    void whatAJobCapturedIsGoneWhenItsResultIsTaken();
    void moreThreadsThanCoresReallyRunAtTheSameTime();
    void twoExecutorsDoNotStandInEachOthersWay();
    void aThousandStartsAndStops();

private:
    static void threadCounts();
};

void TestExecutor::threadCounts()
{
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 3, 8}) {
        QTest::addRow("%d threads", threads) << threads;
    }
}

void TestExecutor::resultsAreThoseOfTheWork()
{
    QFETCH(const int, threads);
    Executor executor(threads);
    QCOMPARE(executor.threads(), threads);

    std::vector<Deferred<int>> results;
    for (int i = 0; i < 500; ++i) {
        results.push_back(executor.submit([i] { return i * i; }));
    }
    for (int i = 499; i >= 0; --i) { // not in the order of submission
        QCOMPARE(results[static_cast<std::size_t>(i)].take(), i * i);
    }
}

void TestExecutor::everyJobRunsExactlyOnce()
{
    QFETCH(const int, threads);
    std::vector<std::atomic<int>> runs(500);
    {
        Executor executor(threads);
        std::vector<Deferred<int>> results;
        for (auto& count : runs) {
            results.push_back(executor.submit([&count] { return ++count; }));
        }
        for (auto& result : results) {
            QCOMPARE(result.take(), 1);
        }
    }
    for (const auto& count : runs) {
        QCOMPARE(count.load(), 1);
    }
}

void TestExecutor::whatAJobThrowsReachesTheTaker()
{
    QFETCH(const int, threads);
    Executor executor(threads);
    auto failing = executor.submit([]() -> int { throw std::runtime_error("no luck"); });
    auto fine = executor.submit([] { return 7; });

    try {
        (void)failing.take();
        QFAIL("nothing was thrown");
    } catch (const std::runtime_error& error) {
        QCOMPARE(error.what(), "no luck");
    }
    QCOMPARE(fine.take(), 7);
}

void TestExecutor::whatADroppedJobThrowsReachesNobody()
{
    Executor executor(2);
    Gate begun(1);
    {
        auto failing = executor.submit([&begun]() -> int {
            begun.come();
            throw std::runtime_error("nobody listens");
        });
        QVERIFY(begun.awaitOpen());
    }
    QCOMPARE(executor.submit([] { return 1; }).take(), 1);
}

void TestExecutor::withOneThreadTheTakerDoesTheWork()
{
    Executor executor(1);
    auto result = executor.submit([] { return std::this_thread::get_id(); });

    QVERIFY(result.take() == std::this_thread::get_id());
}

void TestExecutor::aJobThatNobodyBeganIsDoneByTheTaker()
{
    Executor executor(2);
    Gate begun(1);
    Gate released(1);
    auto blocking = executor.submit([&] {
        begun.come();
        return released.awaitOpen();
    });
    QVERIFY(begun.awaitOpen()); // the only worker is busy

    auto next = executor.submit([] { return std::this_thread::get_id(); });
    QVERIFY(next.take() == std::this_thread::get_id());

    released.come();
    QVERIFY(blocking.take());
}

void TestExecutor::whoWaitsForAWorkerWorksMeanwhile()
{
    Executor executor(2);
    Gate begun(1);
    Gate second_done(1);
    auto first = executor.submit([&] {
        begun.come();
        return second_done.awaitOpen();
    });
    QVERIFY(begun.awaitOpen()); // its one worker is busy, and stays so until the second is done
    auto second = executor.submit([&] {
        second_done.come();
        return std::this_thread::get_id();
    });

    QVERIFY(first.take(&executor));
    QVERIFY(second.take(&executor) == std::this_thread::get_id());
    QVERIFY(!executor.workOnce());
}

void TestExecutor::aJobDroppedBeforeItBeganNeverRuns()
{
    std::atomic<bool> has_run = false;
    {
        Executor alone(1);
        (void)alone.submit([&] { return has_run = true; });
    }
    QVERIFY(!has_run);
    {
        Executor executor(2);
        Gate begun(1);
        Gate released(1);
        auto blocking = executor.submit([&] {
            begun.come();
            return released.awaitOpen();
        });
        QVERIFY(begun.awaitOpen());
        (void)executor.submit([&] { return has_run = true; });
        released.come();
        QVERIFY(blocking.take());
    }
    QVERIFY(!has_run);
}

void TestExecutor::aJobDroppedWhileItRunsFinishesInPeace()
{
    Gate begun(1);
    Gate dropped(1);
    Gate finished(1);
    const auto captured = std::make_shared<const std::vector<int>>(1000, 1);
    std::atomic<int> sum = 0;
    Executor executor(2);
    {
        auto result = executor.submit([&, captured] {
            begun.come();
            const bool is_open = dropped.awaitOpen();
            for (const int one : *captured) {
                sum += one;
            }
            finished.come();
            return is_open;
        });
        QVERIFY(begun.awaitOpen());
    }
    dropped.come();

    QVERIFY(finished.awaitOpen());
    QCOMPARE(sum.load(), 1000);
}

void TestExecutor::aJobReplacedByAnotherIsDropped()
{
    Executor executor(1);
    std::atomic<bool> has_run = false;
    auto result = executor.submit([&] {
        has_run = true;
        return 1;
    });

    result = executor.submit([] { return 2; });

    QCOMPARE(result.take(), 2);
    QVERIFY(!has_run);
}

void TestExecutor::theDestructorWaitsForWhatHasBegun()
{
    for (int round = 0; round < 50; ++round) {
        std::atomic<bool> has_finished = false;
        Gate begun(1);
        {
            Executor executor(2);
            auto result = executor.submit([&] {
                begun.come();
                volatile double work = 0;
                for (int i = 0; i < 100'000; ++i) {
                    work = work + i;
                }
                has_finished = true;
                return 0;
            });
            QVERIFY(begun.awaitOpen());
        }
        QVERIFY(has_finished);
    }
}

void TestExecutor::whatAJobCapturedIsGoneWhenItsResultIsTaken()
{
    QFETCH(const int, threads);
    Executor executor(threads);
    for (int i = 0; i < 100; ++i) {
        auto captured = std::make_shared<int>(i);
        const std::weak_ptr<int> watched = captured;
        auto result = executor.submit([captured] { return *captured; });
        captured.reset();

        QCOMPARE(result.take(), i);
        QVERIFY(watched.expired());
    }
}

void TestExecutor::moreThreadsThanCoresReallyRunAtTheSameTime()
{
    constexpr int k_threads = 12;
    Executor executor(k_threads);
    Gate everybody(k_threads);
    std::vector<Deferred<bool>> results;
    for (int i = 0; i < k_threads - 1; ++i) {
        results.push_back(executor.submit([&] { return everybody.comeAndAwaitOpen(); }));
    }

    QVERIFY(everybody.comeAndAwaitOpen());
    for (auto& result : results) {
        QVERIFY(result.take());
    }
}

void TestExecutor::twoExecutorsDoNotStandInEachOthersWay()
{
    Executor one(3);
    Executor other(3);
    Gate everybody(5);
    std::vector<Deferred<bool>> results;
    for (int i = 0; i < 2; ++i) {
        results.push_back(one.submit([&] { return everybody.comeAndAwaitOpen(); }));
        results.push_back(other.submit([&] { return everybody.comeAndAwaitOpen(); }));
    }

    QVERIFY(everybody.comeAndAwaitOpen());
    for (auto& result : results) {
        QVERIFY(result.take());
    }
}

void TestExecutor::aThousandStartsAndStops()
{
    std::atomic<int> taken = 0;
    for (int round = 0; round < 1000; ++round) {
        Executor executor(1 + round % 4);
        auto first = executor.submit([round] { return round; });
        auto dropped = executor.submit([round] { return -round; });
        taken += first.take() == round ? 1 : 0;
    }
    QCOMPARE(taken.load(), 1000);
}

QTEST_APPLESS_MAIN(TestExecutor)
#include "tst_executor.moc"
