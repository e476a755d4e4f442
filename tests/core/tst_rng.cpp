#include "core/base/rng.h"

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_draws = 200'000;

/// Every bound below is five standard deviations of the estimate, so that a fair generator passes whatever the seed.
constexpr double k_sigmas = 5;

struct Moments {
    double mean = 0;
    double variance = 0;
};

Moments momentsOf(const std::vector<double>& values)
{
    Moments moments;
    for (const double value : values) {
        moments.mean += value;
    }
    moments.mean /= static_cast<double>(values.size());
    for (const double value : values) {
        moments.variance += (value - moments.mean) * (value - moments.mean);
    }
    moments.variance /= static_cast<double>(values.size());
    return moments;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b)
{
    const Moments of_a = momentsOf(a);
    const Moments of_b = momentsOf(b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += (a[i] - of_a.mean) * (b[i] - of_b.mean);
    }
    return sum / static_cast<double>(a.size()) / std::sqrt(of_a.variance * of_b.variance);
}

using Draw = double (*)(Rng&);

/// One long stream.
std::vector<double> along(Draw draw)
{
    Rng rng(17, Purpose::Jitter, 3, 0);
    std::vector<double> values(k_draws);
    for (double& value : values) {
        value = draw(rng);
    }
    return values;
}

/// The first number of each of many streams: how the engine draws.
std::vector<double> across(Draw draw, std::uint64_t seed = 17, Purpose purpose = Purpose::Jitter,
                           std::uint64_t id = 3, std::uint64_t first_step = 0)
{
    std::vector<double> values(k_draws);
    for (std::size_t i = 0; i < k_draws; ++i) {
        Rng rng(seed, purpose, id, first_step + i);
        values[i] = draw(rng);
    }
    return values;
}

double uniform(Rng& rng) { return rng.uniform(); }
double exponential(Rng& rng) { return rng.exponential(); }
double normal(Rng& rng) { return rng.normal(); }

} // namespace

Q_DECLARE_METATYPE(Draw)

class TestRng final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meanAndVarianceAreThoseOfTheLaw_data();
    void meanAndVarianceAreThoseOfTheLaw();
    void quantilesAreThoseOfTheLaw();
    void uniformNeverReachesItsEnds();
    void belowIsUnbiased();
    void belowIsUnbiasedWhereTheRemainderIsLarge();
    void belowOneIsZero();
    void neighbouringStreamsHaveNothingToDoWithEachOther();
    void swappedPartsGiveOtherStreams();
    void equalStreamsAreEqual();
    void mixingIsThatOfSplitMix64();
    void theFirstNumbersAreTheOnesWeKnow();
};

void TestRng::meanAndVarianceAreThoseOfTheLaw_data()
{
    QTest::addColumn<Draw>("draw");
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("variance");
    QTest::addColumn<double>(
        "fourth"); // central moment: the estimate of the variance has (fourth - variance^2) / n
    QTest::newRow("uniform") << Draw(uniform) << 0.5 << 1.0 / 12 << 1.0 / 80;
    QTest::newRow("exponential") << Draw(exponential) << 1.0 << 1.0 << 9.0;
    QTest::newRow("normal") << Draw(normal) << 0.0 << 1.0 << 3.0;
}

void TestRng::meanAndVarianceAreThoseOfTheLaw()
{
    QFETCH(const Draw, draw);
    QFETCH(const double, mean);
    QFETCH(const double, variance);
    QFETCH(const double, fourth);
    const double of_mean = k_sigmas * std::sqrt(variance / k_draws);
    const double of_variance = k_sigmas * std::sqrt((fourth - variance * variance) / k_draws);

    for (const Moments& found : {momentsOf(along(draw)), momentsOf(across(draw))}) {
        QVERIFY(std::abs(found.mean - mean) < of_mean);
        QVERIFY(std::abs(found.variance - variance) < of_variance);
    }
}

void TestRng::quantilesAreThoseOfTheLaw()
{
    struct Quantile {
        Draw draw;
        double value;
        double share;
    };
    const std::array quantiles{
        Quantile{uniform, 0.25, 0.25},
        Quantile{uniform, 0.999, 0.999},
        Quantile{exponential, std::log(2.0), 0.5},
        Quantile{exponential, std::log(100.0), 0.99},
        Quantile{normal, 0.0, 0.5},
        Quantile{normal, 1.0, 0.841344746},
        Quantile{normal, -2.326347874, 0.01},
    };
    for (const Quantile& quantile : quantiles) {
        const std::vector<double> values = across(quantile.draw);
        const auto below = static_cast<double>(std::count_if(
            values.begin(), values.end(), [&](double value) { return value < quantile.value; }));

        const double bound = k_sigmas * std::sqrt(quantile.share * (1 - quantile.share) / k_draws);
        QVERIFY(std::abs(below / k_draws - quantile.share) < bound);
    }
}

void TestRng::uniformNeverReachesItsEnds()
{
    for (const double value : along(uniform)) {
        QVERIFY(value > 0 && value < 1);
    }
    for (const double value : along(exponential)) {
        QVERIFY(value > 0 && std::isfinite(value));
    }
}

void TestRng::belowIsUnbiased()
{
    constexpr std::size_t k_bound = 7;
    std::array<double, k_bound> counts{};
    Rng rng(5, Purpose::Data, 0, 0);
    for (std::size_t i = 0; i < k_draws; ++i) {
        counts.at(rng.below(k_bound)) += 1;
    }

    double chi_square = 0;
    for (const double count : counts) {
        const double expected = static_cast<double>(k_draws) / k_bound;
        chi_square += (count - expected) * (count - expected) / expected;
    }
    QVERIFY(chi_square < 35.9); // 6 degrees of freedom: exceeded once in 350,000 times
}

void TestRng::belowIsUnbiasedWhereTheRemainderIsLarge()
{
    // 2^64 mod (3 * 2^62) = 2^62: a plain remainder would give the numbers below 2^62 twice the share of the others,
    // 1/2 instead of 1/3.
    constexpr std::uint64_t k_third = std::uint64_t{1} << 62;
    Rng rng(5, Purpose::Data, 1, 0);
    std::size_t low = 0;
    for (std::size_t i = 0; i < k_draws; ++i) {
        const std::uint64_t value = rng.below(3 * k_third);
        QVERIFY(value < 3 * k_third);
        low += value < k_third ? 1 : 0;
    }

    const double bound = k_sigmas * std::sqrt(2.0 / 9.0 / k_draws);
    QVERIFY(std::abs(static_cast<double>(low) / k_draws - 1.0 / 3.0) < bound);
}

void TestRng::belowOneIsZero()
{
    Rng rng(1, Purpose::Code, 0, 0);
    QCOMPARE(rng.below(1), std::uint64_t{0});
}

void TestRng::neighbouringStreamsHaveNothingToDoWithEachOther()
{
    const std::vector<double> here = across(uniform);
    const std::array others{
        across(uniform, 18),                           // the next seed
        across(uniform, 17, Purpose::Initial),         // the next purpose
        across(uniform, 17, Purpose::Jitter, 4),       // the next node
        across(uniform, 17, Purpose::Jitter, 3, 1),    // the next step
        across(uniform, 17, Purpose::Jitter, 3, 1000), // a far one
    };

    for (const std::vector<double>& other : others) {
        QVERIFY(std::abs(correlation(here, other)) < k_sigmas / std::sqrt(static_cast<double>(k_draws)));
    }
}

void TestRng::swappedPartsGiveOtherStreams()
{
    const auto first = [](std::uint64_t seed, Purpose purpose, std::uint64_t id, std::uint64_t step) {
        return Rng(seed, purpose, id, step).next();
    };

    QVERIFY(first(1, Purpose::Data, 2, 0) != first(2, Purpose::Data, 1, 0));
    QVERIFY(first(1, Purpose::Data, 2, 3) != first(1, Purpose::Data, 3, 2));
    QVERIFY(first(1, Purpose::Data, 2, 0) != first(1, Purpose::Jitter, 1, 0));
}

void TestRng::equalStreamsAreEqual()
{
    Rng a(9, Purpose::Split, 8, 7);
    Rng b(9, Purpose::Split, 8, 7);
    for (int i = 0; i < 100; ++i) {
        QCOMPARE(a.next(), b.next());
    }
}

void TestRng::mixingIsThatOfSplitMix64()
{
    // The published generator with seed 0 begins with these.
    QCOMPARE(mixBits(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
    QCOMPARE(mixBits(2 * 0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
    QCOMPARE(mixBits(3 * 0x9e3779b97f4a7c15ULL), 0x06c45d188009454fULL);
}

void TestRng::theFirstNumbersAreTheOnesWeKnow()
{
    // Every run of every experiment depends on these: a change here changes all results ever published.
    Rng rng(1, Purpose::Jitter, 0, 0);
    QCOMPARE(rng.next(), 0x8c34b04548a08d9bULL);
    QCOMPARE(rng.next(), 0xedbd8f4ee47dc411ULL);
    QCOMPARE(Rng(42, Purpose::Data, 7, 1000).next(), 0xe986410dad900691ULL);
    QCOMPARE(Rng(1, Purpose::Jitter, 0, 1).uniform(), 0.29382823864256774);
    QCOMPARE(Rng(1, Purpose::Jitter, 0, 1).exponential(), 1.2247599046719944);
    QCOMPARE(Rng(1, Purpose::Jitter, 0, 1).normal(), -0.56342443066991532);
    QCOMPARE(Rng(1, Purpose::Jitter, 0, 1).below(1000), std::uint64_t{348});
}

QTEST_APPLESS_MAIN(TestRng)
#include "tst_rng.moc"
