#include "core/base/fingerprint.h"

#include <QTest>

#include <array>

using namespace lab;

namespace {

template <class... Values> std::uint64_t of(const Values&... values)
{
    Fingerprint fingerprint;
    (fingerprint.add(values), ...);
    return fingerprint.value();
}

constexpr auto n(std::uint64_t value) { return value; }

} // namespace

class TestFingerprint final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalHistoriesAreEqual();
    void orderAndLengthCount();
    void numbersCountByTheirBits();
    void listsCountAsTheirNumbersOneByOne();
    void theFirstOnesAreTheOnesWeKnow();
};

void TestFingerprint::equalHistoriesAreEqual()
{
    QCOMPARE(of(n(1), n(2), n(3)), of(n(1), n(2), n(3)));
    QCOMPARE(of(std::int32_t{-7}), of(std::int64_t{-7}));
}

void TestFingerprint::orderAndLengthCount()
{
    QVERIFY(of(n(1), n(2)) != of(n(2), n(1)));
    QVERIFY(of(n(0)) != of(n(0), n(0)));
    QVERIFY(of(n(0)) != Fingerprint().value());
    QVERIFY(of(n(1)) != of(n(2)));
}

void TestFingerprint::numbersCountByTheirBits()
{
    const std::array zero{0.0F};
    const std::array minus_zero{-0.0F};

    QVERIFY(of(std::span<const float>(zero)) != of(std::span<const float>(minus_zero)));
}

void TestFingerprint::listsCountAsTheirNumbersOneByOne()
{
    const std::array numbers{1.5F, -2.5F, 3.0F};
    const std::span<const float> all(numbers);

    QCOMPARE(of(all), of(all.first(1), all.subspan(1)));
}

void TestFingerprint::theFirstOnesAreTheOnesWeKnow()
{
    // Committed fingerprints of schedules depend on these: a change here makes all of them worthless.
    QCOMPARE(Fingerprint().value(), 0x5354524147474c45ULL);
    QCOMPARE(of(n(0)), 0xc4601405d1d5630cULL);
    QCOMPARE(of(n(1), n(2), n(3)), 0xc47f7262040973adULL);
}

QTEST_APPLESS_MAIN(TestFingerprint)
#include "tst_fingerprint.moc"
