#include "core/base/time.h"

#include <QTest>

#include <limits>

using namespace lab;

class TestTime final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secondsBecomeTheNearestNanosecond_data();
    void secondsBecomeTheNearestNanosecond();
    void whatIsTooLongBecomesTheLongest();
    void twoLongestDurationsAddUpWithoutOverflow();
    void notANumberBecomesZero();
    void nanosecondsComeBackAsTheyWere();
};

void TestTime::secondsBecomeTheNearestNanosecond_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<qint64>("nanoseconds");
    QTest::newRow("zero") << 0.0 << qint64{0};
    QTest::newRow("one") << 1.0 << qint64{1'000'000'000};
    QTest::newRow("a tenth, which no double holds") << 0.1 << qint64{100'000'000};
    QTest::newRow("just below half a nanosecond") << 0.49e-9 << qint64{0};
    QTest::newRow("half a nanosecond goes away from zero") << 0x1.0p-1 * 1e-9 << qint64{1};
    QTest::newRow("so does its negative") << -0x1.0p-1 * 1e-9 << qint64{-1};
    QTest::newRow("negative") << -2.5 << qint64{-2'500'000'000};
    QTest::newRow("a year and a nanosecond, within a double's digits")
        << 4'194'304.000000001 << qint64{4'194'304'000'000'001};
}

void TestTime::secondsBecomeTheNearestNanosecond()
{
    QFETCH(const double, seconds);
    QFETCH(const qint64, nanoseconds);

    QCOMPARE(qint64{fromSeconds(seconds).count()}, nanoseconds);
    QCOMPARE(qint64{atSeconds(seconds).time_since_epoch().count()}, nanoseconds);
}

void TestTime::whatIsTooLongBecomesTheLongest()
{
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    for (const double seconds : {k_infinity, 1e300, 1e10, 4.7e9}) {
        QVERIFY(fromSeconds(seconds) == k_longest_duration);
        QVERIFY(fromSeconds(-seconds) == -k_longest_duration);
    }
    QVERIFY(fromSeconds(4.6e9) < k_longest_duration);
}

void TestTime::twoLongestDurationsAddUpWithoutOverflow()
{
    const TimePoint late = atSeconds(1e300) - Duration{1} + k_longest_duration;

    QVERIFY(late > atSeconds(1e300));
}

void TestTime::notANumberBecomesZero()
{
    QCOMPARE(fromSeconds(std::numeric_limits<double>::quiet_NaN()).count(), 0);
}

void TestTime::nanosecondsComeBackAsTheyWere()
{
    // A double holds 2^53 ns, 104 days, exactly; beyond, only the nearest.
    for (const std::int64_t nanoseconds : {std::int64_t{1}, std::int64_t{999'999'999},
                                           std::int64_t{123'456'789'012'345}, std::int64_t{1} << 51}) {
        QCOMPARE(fromSeconds(toSeconds(Duration{nanoseconds})).count(), nanoseconds);
        QCOMPARE(toSeconds(TimePoint{Duration{nanoseconds}}), toSeconds(Duration{nanoseconds}));
    }
}

QTEST_APPLESS_MAIN(TestTime)
#include "tst_time.moc"
