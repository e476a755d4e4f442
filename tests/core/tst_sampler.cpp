#include "core/base/error.h"
#include "core/learn/permutation.h"
#include "core/learn/sampler.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace lab;

namespace {

/// `rows` rows of one feature with `classes` classes in turn.
Dataset rowsInTurn(std::size_t rows, int classes)
{
    Dataset data;
    data.classes = classes;
    data.x = Dataset::Features::Zero(static_cast<Eigen::Index>(rows), 1);
    for (std::size_t row = 0; row < rows; ++row) {
        data.labels.push_back(static_cast<int>(row) % classes);
        data.targets.push_back(static_cast<float>(data.labels.back()));
    }
    return data;
}

std::vector<std::uint32_t> take(const Sampler& sampler, int node, std::int64_t first, std::int64_t count)
{
    std::vector<std::uint32_t> rows;
    sampler.append(NodeId{node}, first, count, rows);
    return rows;
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::vector<std::uint32_t> upTo(std::size_t count)
{
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

/// How many standard deviations the chi-square statistic of `counts` lies from its mean, for equally likely cells.
double chiSquareExcess(const std::vector<double>& counts)
{
    const double cells = static_cast<double>(counts.size());
    const double expected = std::accumulate(counts.begin(), counts.end(), 0.0) / cells;
    double statistic = 0;
    for (const double count : counts) {
        statistic += (count - expected) * (count - expected) / expected;
    }
    return (statistic - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

/// All draws below are pure functions of constants: what passes once passes for ever.
constexpr double k_most_deviations = 4;

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void permutationHoldsEveryPlaceOnce_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {1, 2, 3, 5, 7, 10, 37, 63, 64, 65, 120, 1000, 1438, 4096, 48'000}) {
            QTest::addRow("%d", length) << length;
        }
    }
    void permutationHoldsEveryPlaceOnce()
    {
        QFETCH(int, length);
        for (const std::uint64_t key : {0ULL, 1ULL, 0xffffffffffffffffULL}) {
            const Permutation order(static_cast<std::uint64_t>(length), key);
            std::vector<std::uint32_t> rows;
            for (int place = 0; place < length; ++place) {
                rows.push_back(order(static_cast<std::uint64_t>(place)));
            }
            QCOMPARE(sorted(rows), upTo(static_cast<std::size_t>(length)));
        }
    }

    void longestPermutationStaysInBounds()
    {
        constexpr std::uint64_t k_length = 0xffffffffULL;
        const Permutation order(k_length, 7);
        std::set<std::uint32_t> seen;

        for (std::uint64_t place = 0; place < 1000; ++place) {
            seen.insert(order(place));
            seen.insert(order(k_length - 1 - place));
        }

        QCOMPARE(seen.size(), 2000U);
        QVERIFY(*seen.rbegin() < k_length);
    }

    void everyOrderOfAShortListIsEquallyLikely_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {2, 3, 4, 5, 6}) {
            QTest::addRow("%d", length) << length;
        }
    }
    void everyOrderOfAShortListIsEquallyLikely()
    {
        QFETCH(int, length);
        std::size_t orders = 1;
        for (int k = 2; k <= length; ++k) {
            orders *= static_cast<std::size_t>(k);
        }
        std::map<std::vector<std::uint32_t>, double> counts;

        for (std::size_t key = 0; key < 200 * orders; ++key) {
            const Permutation order(static_cast<std::uint64_t>(length), key);
            std::vector<std::uint32_t> rows;
            for (int place = 0; place < length; ++place) {
                rows.push_back(order(static_cast<std::uint64_t>(place)));
            }
            ++counts[rows];
        }

        QCOMPARE(counts.size(), orders);
        std::vector<double> cells;
        for (const auto& [rows, count] : counts) {
            cells.push_back(count);
        }
        QVERIFY2(std::abs(chiSquareExcess(cells)) < k_most_deviations,
                 qPrintable(QString::number(chiSquareExcess(cells))));
    }

    void everyRowIsEquallyLikelyAtEveryPlace()
    {
        constexpr std::size_t k_length = 50;
        std::vector<double> cells(k_length * k_length);

        for (std::uint64_t key = 0; key < 5000; ++key) {
            const Permutation order(k_length, key);
            for (std::size_t place = 0; place < k_length; ++place) {
                ++cells[place * k_length + order(place)];
            }
        }

        QVERIFY(chiSquareExcess(cells) < k_most_deviations);
    }

    void successiveRowsAreIndependent()
    {
        // Which quarter of the rows stands at a place says nothing of the quarter at the next, but for one row less.
        constexpr std::size_t k_length = 1600;
        std::vector<double> cells(16);
        for (std::uint64_t key = 0; key < 200; ++key) {
            const Permutation order(k_length, key);
            for (std::size_t place = 0; place + 1 < k_length; ++place) {
                ++cells[order(place) * 4 / k_length * 4 + order(place + 1) * 4 / k_length];
            }
        }

        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            cells[cell] /= cell % 5 == 0 ? 399.0 / 400.0 : 1.0;
        }
        QVERIFY(chiSquareExcess(cells) < k_most_deviations);
    }

    void everyEpochHoldsEveryRowOnce()
    {
        const Sampler sampler(rowsInTurn(101, 3), PartitionKind::Shuffled, 4, 9);

        QCOMPARE(sampler.epochLength(NodeId{2}), 101);
        for (int epoch = 0; epoch < 3; ++epoch) {
            QCOMPARE(sorted(take(sampler, 2, 101 * epoch, 101)), upTo(101));
        }
    }

    void streamsDifferByNodeEpochAndSeed()
    {
        const Dataset data = rowsInTurn(101, 3);
        const Sampler sampler(data, PartitionKind::Shuffled, 4, 9);
        const auto stream = take(sampler, 2, 0, 101);

        QVERIFY(take(sampler, 1, 0, 101) != stream);
        QVERIFY(take(sampler, 2, 101, 101) != stream);
        QVERIFY(take(Sampler(data, PartitionKind::Shuffled, 4, 10), 2, 0, 101) != stream);
        QCOMPARE(take(Sampler(data, PartitionKind::Shuffled, 8, 9), 2, 0, 101), stream);
    }

    void anyPartOfAStreamIsThatOfTheWhole()
    {
        for (const PartitionKind kind :
             {PartitionKind::Shuffled, PartitionKind::Sharded, PartitionKind::ByLabel}) {
            const Sampler sampler(rowsInTurn(50, 5), kind, 3, 1);
            const auto whole = take(sampler, 1, 0, 200);

            for (const std::int64_t first : {0, 1, 49, 50, 120}) {
                const std::vector<std::uint32_t> part(whole.begin() + first, whole.begin() + first + 80);
                QCOMPARE(take(sampler, 1, first, 80), part);
            }
        }
    }

    void appendKeepsWhatIsThere()
    {
        const Sampler sampler(rowsInTurn(10, 2), PartitionKind::Shuffled, 1, 1);
        std::vector<std::uint32_t> rows{77};

        sampler.append(NodeId{0}, 3, 2, rows);
        sampler.append(NodeId{0}, 5, 0, rows);

        QCOMPARE(rows.size(), 3U);
        QCOMPARE(rows.front(), 77U);
    }

    void placesFarAheadAreReachedAtOnce()
    {
        const Sampler sampler(rowsInTurn(10, 2), PartitionKind::Shuffled, 1, 1);

        QCOMPARE(take(sampler, 0, std::int64_t{1} << 60, 32).size(), 32U);
    }

    void shardsAreEqualAndCoverEveryRowOnce_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("sharded") << static_cast<int>(PartitionKind::Sharded);
        QTest::newRow("by label") << static_cast<int>(PartitionKind::ByLabel);
    }
    void shardsAreEqualAndCoverEveryRowOnce()
    {
        QFETCH(int, kind);
        const Sampler sampler(rowsInTurn(103, 4), static_cast<PartitionKind>(kind), 5, 2);
        std::vector<std::uint32_t> all;

        for (int node = 0; node < 5; ++node) {
            const std::int64_t length = sampler.epochLength(NodeId{node});
            QVERIFY(length >= 19 && length <= 22);
            const auto shard = take(sampler, node, 0, length);
            QCOMPARE(sorted(take(sampler, node, length, length)), sorted(shard));
            all.insert(all.end(), shard.begin(), shard.end());
        }

        QCOMPARE(sorted(all), upTo(103));
    }

    void shardsByLabelHoldFewLabels()
    {
        const Dataset data = rowsInTurn(1000, 10);
        const Sampler sampler(data, PartitionKind::ByLabel, 10, 2);
        for (int node = 0; node < 10; ++node) {
            std::set<std::int32_t> labels;
            for (const std::uint32_t row : take(sampler, node, 0, sampler.epochLength(NodeId{node}))) {
                labels.insert(data.labels[row]);
            }
            QVERIFY(labels.size() <= 2);
        }
    }

    void shardsOverlapWhereNodesOutnumberRows()
    {
        for (const PartitionKind kind : {PartitionKind::Sharded, PartitionKind::ByLabel}) {
            const Sampler sampler(rowsInTurn(3, 3), kind, 8, 2);
            std::set<std::uint32_t> used;
            for (int node = 0; node < 8; ++node) {
                QCOMPARE(sampler.epochLength(NodeId{node}), 1);
                used.insert(take(sampler, node, 0, 1).front());
            }
            QCOMPARE(used.size(), 3U);
        }
    }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"
