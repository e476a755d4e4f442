#include "core/coding/allocation.h"
#include "core/coding/gradient_code.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <numeric>

using namespace lab;

namespace {

using Counts = std::vector<std::size_t>;
using Speeds = std::vector<double>;

Counts loads(const GradientCode& code)
{
    Counts counts;
    for (std::size_t worker = 0; worker < code.workers(); ++worker) {
        counts.push_back(code.shares(worker).size());
    }
    return counts;
}

/// When the last worker is done, and when all would be if partitions could be cut at will and no worker were capped.
double lateness(const GradientCode& code, const Speeds& speeds)
{
    double last = 0;
    for (std::size_t worker = 0; worker < speeds.size(); ++worker) {
        last = std::max(last, static_cast<double>(code.shares(worker).size()) / speeds[worker]);
    }
    const double copies = static_cast<double>(code.partitions() * (code.tolerance() + 1));
    return last / (copies / std::accumulate(speeds.begin(), speeds.end(), 0.0));
}

} // namespace

class TestHeterogeneousCode final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allocationIsProportional()
    {
        QCOMPARE(allocate(Speeds{1, 2, 3}, 6, 2).copies, (Counts{2, 4, 6}));
        QCOMPARE(allocate(Speeds{1, 1, 1, 1}, 4, 3).copies, (Counts{3, 3, 3, 3}));
    }

    void remaindersGoToTheLargest()
    {
        // 7 * 1.0 / 3.0 … = 1.75, 2.1, 3.15
        QCOMPARE(allocate(Speeds{2.5, 3.0, 4.5}, 7, 1).copies, (Counts{2, 2, 3}));
    }

    void nobodyGetsMoreThanAll()
    {
        // In proportion the first would get 10 of the 12 copies of 6: what it cannot take goes to the others.
        QCOMPARE(allocate(Speeds{10, 1, 1}, 6, 2).copies, (Counts{6, 3, 3}));
        // Capping one pushes the next over.
        QCOMPARE(allocate(Speeds{100, 10, 1, 1}, 6, 3).copies, (Counts{6, 6, 3, 3}));
        QCOMPARE(allocate(Speeds{3, 1}, 5, 2).copies, (Counts{5, 5}));
    }

    void equalWorkersGetNoFinerThanTheyNeed()
    {
        const Allocation allocation = allocateFinely(Speeds(6, 2.0), 3);

        QCOMPARE(allocation.partitions, 6U);
        QCOMPARE(allocation.copies, Counts(6, 3));
        QVERIFY(allocation.overhead < 1e-12);
    }

    void roundingCostsLittle()
    {
        for (const Speeds& speeds : {Speeds{1, 0.9, 0.8, 0.7, 0.6}, Speeds{1, 1, 1, 1, 0.3, 0.3, 0.5, 0.8},
                                     Speeds{1.1, 0.97, 1.03, 0.61, 0.58, 0.64, 1.5, 1.45}}) {
            for (const std::size_t tolerance : {1U, 2U, 3U}) {
                const auto code = heterogeneityAware(speeds, tolerance, 1);
                QVERIFY(code->partitions() <= 4 * speeds.size());
                QVERIFY2(lateness(*code, speeds) < 1.05,
                         qPrintable(QString::number(lateness(*code, speeds))));
            }
        }
    }

    void invariantsHold_data()
    {
        QTest::addColumn<Speeds>("speeds");
        QTest::newRow("equal") << Speeds(8, 1.0);
        QTest::newRow("two classes") << Speeds{1, 1, 1, 1, 0.25, 0.25, 0.25};
        QTest::newRow("spread") << Speeds{0.3, 2.2, 1.7, 0.9, 0.4, 1.1, 3.1, 0.6, 1.3};
        QTest::newRow("one very fast") << Speeds{50, 1, 1, 1, 1};
        QTest::newRow("one very slow") << Speeds{1, 1, 0.001, 1, 1, 1};
        QTest::newRow("all sorts") << Speeds{1e-4, 1e4, 1, 2, 3, 5, 8};
        QTest::newRow("three") << Speeds{1, 1, 1};
        QTest::newRow("alone") << Speeds{2};
    }

    void invariantsHold()
    {
        QFETCH(const Speeds, speeds);
        const std::size_t workers = speeds.size();
        for (std::size_t tolerance = 0; tolerance < workers; ++tolerance) {
            const auto code = heterogeneityAware(speeds, tolerance, 3);

            const Counts given = loads(*code);
            Counts copies(code->partitions(), 0);
            for (std::size_t worker = 0; worker < workers; ++worker) {
                std::vector<bool> is_held(code->partitions(), false);
                for (const Share& share : code->shares(worker)) {
                    QVERIFY(!is_held[share.partition] && share.coefficient != 0.0);
                    is_held[share.partition] = true;
                    ++copies[share.partition];
                }
            }
            QCOMPARE(std::accumulate(given.begin(), given.end(), std::size_t{0}),
                     code->partitions() * (tolerance + 1));
            QCOMPARE(copies, Counts(code->partitions(), tolerance + 1));
            for (std::uint32_t bits = 0; bits < 1U << workers; ++bits) {
                if (static_cast<std::size_t>(std::popcount(bits)) + tolerance >= workers) {
                    std::vector<bool> is_in(workers);
                    for (std::size_t worker = 0; worker < workers; ++worker) {
                        is_in[worker] = ((bits >> worker) & 1U) != 0;
                    }
                    QVERIFY(code->decode(is_in).has_value());
                }
            }
        }
    }

    void theHopelesslySlowGetNothingAndAreNotMissed()
    {
        const auto code = heterogeneityAware(Speeds{1, 1, 0.001, 1, 1, 1}, 1, 1);

        QVERIFY(code->shares(2).empty());
        const auto decoding =
            code->decode({true, false, false, true, true, true}); // one more than it tolerates
        QVERIFY(decoding.has_value());
        QCOMPARE(decoding->weights[2], 0.0);
    }
};

QTEST_APPLESS_MAIN(TestHeterogeneousCode)
#include "tst_heterogeneous_code.moc"
