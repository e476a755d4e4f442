#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/coding/gradient_code.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace lab;

namespace {

using Code = std::shared_ptr<const GradientCode>;
using Vectors = std::vector<std::vector<double>>;

constexpr std::size_t k_dimensions = 50;

std::vector<bool> pattern(std::size_t workers, std::uint32_t bits)
{
    std::vector<bool> is_in(workers);
    for (std::size_t worker = 0; worker < workers; ++worker) {
        is_in[worker] = ((bits >> worker) & 1U) != 0;
    }
    return is_in;
}

std::vector<bool> randomPattern(std::size_t workers, std::size_t missing, Rng& rng)
{
    std::vector<std::size_t> order(workers);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<bool> is_in(workers, true);
    for (std::size_t i = 0; i < missing; ++i) {
        std::swap(order[i], order[i + rng.below(workers - i)]);
        is_in[order[i]] = false;
    }
    return is_in;
}

void addTo(std::vector<double>& sum, double factor, const std::vector<double>& vector)
{
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += factor * vector[i];
    }
}

double norm(const std::vector<double>& vector)
{
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

/// A round with random partition gradients: what the workers send, in double and rounded to float32, and their sum.
struct Round {
    std::vector<double> truth = std::vector<double>(k_dimensions, 0.0);
    Vectors sent;
    Vectors rounded;
};

Round play(const GradientCode& code)
{
    Rng rng(11, Purpose::Data, code.workers(), code.tolerance());
    Round round;
    Vectors gradients(code.partitions(), std::vector<double>(k_dimensions));
    for (std::vector<double>& gradient : gradients) {
        std::generate(gradient.begin(), gradient.end(), [&] { return rng.normal(); });
        addTo(round.truth, 1.0, gradient);
    }
    for (std::size_t worker = 0; worker < code.workers(); ++worker) {
        std::vector<double>& message = round.sent.emplace_back(k_dimensions, 0.0);
        for (const Share& share : code.shares(worker)) {
            addTo(message, share.coefficient, gradients[share.partition]);
        }
        std::vector<double>& rounded = round.rounded.emplace_back(message);
        std::transform(message.begin(), message.end(), rounded.begin(),
                       [](double value) { return static_cast<double>(static_cast<float>(value)); });
    }
    return round;
}

double relativeError(const std::vector<double>& weights, const Vectors& messages,
                     const std::vector<double>& truth)
{
    std::vector<double> decoded(k_dimensions, 0.0);
    for (std::size_t worker = 0; worker < weights.size(); ++worker) {
        addTo(decoded, weights[worker], messages[worker]);
    }
    addTo(decoded, -1.0, truth);
    return norm(decoded) / norm(truth);
}

/// Why `is_in` does not decode as it should, or nothing.
QString complaint(const GradientCode& code, const Round& round, const std::vector<bool>& is_in)
{
    const std::optional<Decoding> decoding = code.decode(is_in);
    if (!decoding) {
        return QStringLiteral("does not decode");
    }
    if (decoding->error != 0.0 || decoding->is_covered != std::vector<bool>(code.partitions(), true)) {
        return QStringLiteral("is not called exact");
    }
    for (std::size_t worker = 0; worker < code.workers(); ++worker) {
        if (!is_in[worker] && decoding->weights[worker] != 0.0) {
            return QStringLiteral("uses a message that is missing");
        }
    }
    const double in_double = relativeError(decoding->weights, round.sent, round.truth);
    const double in_float = relativeError(decoding->weights, round.rounded, round.truth);
    if (!(in_double < 1e-8) || !(in_float < 1e-4)) {
        return QStringLiteral("is off by %1, and by %2 in float32").arg(in_double).arg(in_float);
    }
    return {};
}

/// The first complaint about any pattern with no more missing than the code tolerates.
QString complaint(const GradientCode& code)
{
    const Round round = play(code);
    for (std::uint32_t bits = 0; bits < 1U << code.workers(); ++bits) {
        if (static_cast<std::size_t>(std::popcount(bits)) + code.tolerance() >= code.workers()) {
            const QString found = complaint(code, round, pattern(code.workers(), bits));
            if (!found.isEmpty()) {
                return QStringLiteral("%1 workers, tolerance %2, pattern %3: %4")
                    .arg(code.workers())
                    .arg(code.tolerance())
                    .arg(bits, 0, 2)
                    .arg(found);
            }
        }
    }
    return {};
}

std::vector<double> someSpeeds(std::size_t workers)
{
    Rng rng(3, Purpose::Data, workers, 0);
    std::vector<double> speeds(workers);
    std::generate(speeds.begin(), speeds.end(), [&] { return std::exp(0.5 * rng.normal()); });
    return speeds;
}

/// How many workers hold each partition.
std::vector<std::size_t> copies(const GradientCode& code)
{
    std::vector<std::size_t> counts(code.partitions(), 0);
    for (std::size_t worker = 0; worker < code.workers(); ++worker) {
        for (const Share& share : code.shares(worker)) {
            counts[share.partition] += share.coefficient != 0.0 ? 1 : 0;
        }
    }
    return counts;
}

} // namespace

class TestGradientCodes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyToleratedPatternDecodes_data()
    {
        QTest::addColumn<std::size_t>("workers");
        for (std::size_t workers = 1; workers <= 12; ++workers) {
            QTest::addRow("%zu workers", workers) << workers;
        }
    }

    void everyToleratedPatternDecodes()
    {
        QFETCH(const std::size_t, workers);
        const std::vector<double> speeds = someSpeeds(workers);
        QCOMPARE(complaint(*uncoded(workers)), QString());
        for (std::size_t tolerance = 0; tolerance < workers; ++tolerance) {
            QCOMPARE(complaint(*fractionalRepetition(workers, tolerance)), QString());
            QCOMPARE(complaint(*cyclicRepetition(workers, tolerance, 1)), QString());
            QCOMPARE(complaint(*heterogeneityAware(speeds, tolerance, 1)), QString());
        }
    }

    void otherSeedsDoAsWell()
    {
        for (std::uint64_t seed = 2; seed < 8; ++seed) {
            for (const std::size_t workers : {5U, 8U, 11U, 12U}) {
                for (const std::size_t tolerance : {1U, 3U, 4U}) {
                    QCOMPARE(complaint(*cyclicRepetition(workers, tolerance, seed)), QString());
                    QCOMPARE(complaint(*heterogeneityAware(someSpeeds(workers), tolerance, seed)), QString());
                }
            }
        }
    }

    void randomPatternsOfManyWorkersDecode_data()
    {
        QTest::addColumn<std::size_t>("workers");
        QTest::addColumn<std::size_t>("tolerance");
        for (const std::size_t workers : {21U, 64U, 256U}) {
            for (const std::size_t tolerance : {1U, 3U, 8U}) {
                QTest::addRow("%zu workers, %zu stragglers", workers, tolerance) << workers << tolerance;
            }
        }
    }

    void randomPatternsOfManyWorkersDecode()
    {
        QFETCH(const std::size_t, workers);
        QFETCH(const std::size_t, tolerance);
        for (const Code& code :
             {fractionalRepetition(workers, tolerance), cyclicRepetition(workers, tolerance, 1),
              heterogeneityAware(someSpeeds(workers), tolerance, 1)}) {
            const Round round = play(*code);
            Rng rng(5, Purpose::Data, workers, tolerance);
            for (int draw = 0; draw < 50; ++draw) {
                const std::size_t missing = draw < 40 ? tolerance : rng.below(tolerance);
                QCOMPARE(complaint(*code, round, randomPattern(workers, missing, rng)), QString());
            }
        }
    }

    void redundancyIsToleranceAndOne()
    {
        for (std::size_t workers = 2; workers <= 12; ++workers) {
            for (std::size_t tolerance = 0; tolerance < workers; ++tolerance) {
                const Code cyclic = cyclicRepetition(workers, tolerance, 1);
                QCOMPARE(copies(*cyclic), std::vector<std::size_t>(workers, tolerance + 1));
                for (std::size_t worker = 0; worker < workers; ++worker) {
                    QCOMPARE(cyclic->shares(worker).size(), tolerance + 1);
                    for (const Share& share : cyclic->shares(worker)) {
                        QVERIFY((share.partition + workers - worker) % workers <= tolerance);
                    }
                }
                if (workers % (tolerance + 1) == 0) {
                    QCOMPARE(copies(*fractionalRepetition(workers, tolerance)),
                             std::vector<std::size_t>(workers, tolerance + 1));
                }
            }
        }
    }

    void lastBlocksAreLargerWhereTheyDoNotDivide()
    {
        const Code code = fractionalRepetition(11, 2); // 3, 4, 4

        std::vector<std::size_t> loads;
        std::vector<std::size_t> first_partitions;
        for (std::size_t worker = 0; worker < 11; ++worker) {
            loads.push_back(code->shares(worker).size());
            first_partitions.push_back(code->shares(worker).front().partition);
        }

        QCOMPARE(loads, (std::vector<std::size_t>{3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4}));
        QCOMPARE(first_partitions, (std::vector<std::size_t>{0, 0, 0, 3, 3, 3, 3, 7, 7, 7, 7}));
        QCOMPARE(copies(*code), loads);
    }

    void fractionalDecodesWithOneMessageOfEachBlock()
    {
        const Code code = fractionalRepetition(11, 2);
        for (std::uint32_t bits = 0; bits < 1U << 11U; ++bits) {
            const bool is_each_in =
                (bits & 0b111U) != 0 && (bits & 0b1111000U) != 0 && (bits & 0b11110000000U) != 0;
            QCOMPARE(code->decode(pattern(11, bits)).has_value(), is_each_in);
        }
    }

    // A round with the cyclic code lasts until n - s messages are in (contract, section 6), however lucky the set.
    void cyclicDecodesExactlyFromEnoughMessages()
    {
        for (const std::size_t tolerance : {std::size_t{2}, std::size_t{4}}) { // all ones, and waves
            const Code code = cyclicRepetition(12, tolerance, 1);
            for (std::uint32_t bits = 0; bits < 1U << 12U; ++bits) {
                const bool is_enough = static_cast<std::size_t>(std::popcount(bits)) >= 12 - tolerance;
                QCOMPARE(code->decode(pattern(12, bits)).has_value(), is_enough);
            }
        }
    }

    void fractionalNeedsAsLongAsTheLawSays()
    {
        // Arrivals in random order: the mean count at decoding is the sum over m of P(m do not decode); with
        // exponential times, the (m + 1)-th comes 1 / (n - m) after the m-th. strategies: H_4 / 3 and 6.06 of 12.
        const Code code = fractionalRepetition(12, 2);
        std::vector<double> undecodable(13, 0.0);
        std::vector<double> all(13, 0.0);
        for (std::uint32_t bits = 0; bits < 1U << 12U; ++bits) {
            const auto in = static_cast<std::size_t>(std::popcount(bits));
            all[in] += 1.0;
            undecodable[in] += code->decode(pattern(12, bits)) ? 0.0 : 1.0;
        }

        double arrivals = 0;
        double time = 0;
        for (std::size_t in = 0; in < 12; ++in) {
            arrivals += undecodable[in] / all[in];
            time += undecodable[in] / all[in] / static_cast<double>(12 - in);
        }

        QVERIFY(std::abs(time - (1.0 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3) < 1e-12);
        QVERIFY(std::abs(arrivals - 6.06) < 0.005);
    }

    void seedAloneDecides()
    {
        const auto coefficients = [](const Code& code) {
            std::vector<double> all;
            for (std::size_t worker = 0; worker < code->workers(); ++worker) {
                for (const Share& share : code->shares(worker)) {
                    all.push_back(share.coefficient);
                }
            }
            return all;
        };
        const std::vector<double> speeds = someSpeeds(8);

        QCOMPARE(coefficients(cyclicRepetition(12, 6, 4)), coefficients(cyclicRepetition(12, 6, 4)));
        QVERIFY(coefficients(cyclicRepetition(12, 6, 4)) != coefficients(cyclicRepetition(12, 6, 5)));
        QCOMPARE(coefficients(heterogeneityAware(speeds, 2, 4)),
                 coefficients(heterogeneityAware(speeds, 2, 4)));
        QVERIFY(coefficients(heterogeneityAware(speeds, 2, 4))
                != coefficients(heterogeneityAware(speeds, 2, 5)));
    }

    void hopelessCodesAreRefusedWithAWayOut()
    {
        try {
            (void)cyclicRepetition(119, 59, 1);
            QFAIL("not refused");
        } catch (const Error& error) {
            const QString text = QString::fromUtf8(error.what());
            QVERIFY2(text.startsWith(
                         QStringLiteral("cyclic code for 119 nodes and 59 stragglers amplifies rounding ")),
                     error.what());
            QVERIFY2(text.endsWith(
                         QStringLiteral(" times; use fewer stragglers, code fractional, or smaller groups")),
                     error.what());
        }
    }
};

QTEST_APPLESS_MAIN(TestGradientCodes)
#include "tst_gradient_codes.moc"
