#include "core/record/record.h"

#include <QTest>

#include <numeric>

using namespace lab;

class TestStalenessHistogram final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyOneHasNoMean();
    void countsMeanAndMaximumAreExact();
    void oneSleeperDoesNotAskForGigabytes();
    void activitiesAndReasonsHaveTheWordsOfTheFiles();
};

void TestStalenessHistogram::anEmptyOneHasNoMean()
{
    const StalenessHistogram histogram;

    QVERIFY(histogram.counts().empty());
    QCOMPARE(histogram.total(), std::int64_t{0});
    QCOMPARE(histogram.mean(), 0.0);
    QCOMPARE(histogram.max(), std::int64_t{0});
}

void TestStalenessHistogram::countsMeanAndMaximumAreExact()
{
    StalenessHistogram histogram;
    for (const std::int64_t staleness : {3, 0, 3, 1, 0, 3}) {
        histogram.add(staleness);
    }

    QCOMPARE(histogram.counts(), (std::vector<std::int64_t>{2, 1, 0, 3}));
    QCOMPARE(histogram.total(), std::int64_t{6});
    QCOMPARE(histogram.mean(), 10.0 / 6.0);
    QCOMPARE(histogram.max(), std::int64_t{3});
}

void TestStalenessHistogram::oneSleeperDoesNotAskForGigabytes()
{
    StalenessHistogram histogram;
    const std::int64_t huge = std::int64_t{1} << 40;
    histogram.add(huge);
    histogram.add(huge / 2);

    QVERIFY(histogram.counts().size() <= (1U << 16) + 1);
    QCOMPARE(histogram.counts().back(), std::int64_t{2}); // the last bin gathers the rest
    QCOMPARE(histogram.max(), huge);                      // which changes no figure
    QCOMPARE(histogram.mean(), 0.75 * static_cast<double>(huge));
}

void TestStalenessHistogram::activitiesAndReasonsHaveTheWordsOfTheFiles()
{
    QCOMPARE(activityName(Activity::Computing), "computing");
    QCOMPARE(activityName(Activity::Wasted), "wasted");
    QCOMPARE(activityName(Activity::Communicating), "communicating");
    QCOMPARE(activityName(Activity::Waiting), "waiting");
    QCOMPARE(activityName(Activity::Down), "down");
    QCOMPARE(stopReasonName(StopReason::Seconds), "seconds");
    QCOMPARE(stopReasonName(StopReason::Updates), "updates");
    QCOMPARE(stopReasonName(StopReason::Samples), "samples");
    QCOMPARE(stopReasonName(StopReason::Loss), "loss");
    QCOMPARE(stopReasonName(StopReason::Diverged), "diverged");
    QCOMPARE(stopReasonName(StopReason::Stalled), "stalled");
}

QTEST_APPLESS_MAIN(TestStalenessHistogram)
#include "tst_staleness_histogram.moc"
