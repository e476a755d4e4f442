#include "core/grouping/order_statistics.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <vector>

using namespace lab;

namespace {

using Laws = std::vector<TaskLaw>;

/// Within one part in a million: the promise is 1e-4, the closed forms leave no excuse.
bool agree(double value, double expected)
{
    const bool is_near = std::abs(value - expected) <= 1e-6 * std::abs(expected);
    if (!is_near) {
        qWarning("%.12g instead of %.12g, off by %.2g", value, expected, value / expected - 1);
    }
    return is_near;
}

double choose(std::size_t n, std::size_t k)
{
    return std::exp(std::lgamma(static_cast<double>(n + 1)) - std::lgamma(static_cast<double>(k + 1))
                    - std::lgamma(static_cast<double>(n - k + 1)));
}

/// P(Bin(n, p) > s), from the definition.
double binomialTail(std::size_t n, double p, std::size_t s)
{
    double tail = 0;
    for (std::size_t k = s + 1; k <= n; ++k) {
        tail +=
            choose(n, k) * std::pow(p, static_cast<double>(k)) * std::pow(1 - p, static_cast<double>(n - k));
    }
    return tail;
}

} // namespace

class TestOrderStatistics final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lawsHaveTheirMeansAndMedians();
    void aLawGrowsWithItsWork();
    void chancesBelongToTheValuesTheyAreGivenFor();
    void constantsWaitForTheSlowest();
    void exponentialsTakeHarmonicNumbers();
    void shiftsAreAdded();
    void unequalExponentialsFollowInclusionAndExclusion();
    void paretoFollowsGammaFunctions_data();
    void paretoFollowsGammaFunctions();
    void lognormalPairHasAClosedForm();
    void twoPointNodesFollowTheBinomial_data();
    void twoPointNodesFollowTheBinomial();
    void mixedLawsMeetExactly();
    void samplesAreExact();
    void theSumOfAllOrderStatisticsIsTheSumOfMeans();
    void narrowAndWideLawsAreBothSeen();
    void fractionalRepetitionWaitsForOnePerBlock();
    void blocksShareTheRest();
    void moreThanSomeOfUnequalEvents();
};

void TestOrderStatistics::lawsHaveTheirMeansAndMedians()
{
    QVERIFY(agree(TaskLaw::constant(0.2).mean(), 0.2));
    QVERIFY(agree(TaskLaw::exponential(0.2).mean(), 0.2));
    QVERIFY(agree(TaskLaw::shiftedExponential(0.2, 0.5).mean(), 0.3));
    QVERIFY(agree(TaskLaw::pareto(0.2, 3).mean(), 0.3));
    QVERIFY(agree(TaskLaw::lognormal(0.2, 0.3).mean(), 0.2 * std::exp(0.045)));
    QVERIFY(agree(TaskLaw::twoPoint(0.2, 0.1, 10).mean(), 0.2 * 1.9));
    QVERIFY(agree(TaskLaw::markov(0.2, 0.02, 0.18, 8).mean(), 0.2 * 1.7)); // stationary share 0.1
    QVERIFY(agree(TaskLaw::empirical(std::vector{1.0, 2.0, 6.0}).mean(), 3));

    QVERIFY(agree(TaskLaw::exponential(1).median(), std::log(2.0)));
    QVERIFY(agree(TaskLaw::lognormal(0.2, 0.3).median(), 0.2));
    QVERIFY(agree(TaskLaw::pareto(1, 2).median(), std::sqrt(2.0)));
    QVERIFY(agree(TaskLaw::twoPoint(0.2, 0.1, 10).median(), 0.2));
    QVERIFY(agree(TaskLaw::lognormal(1, 1).quantile(0.975), std::exp(1.959963984540054)));
}

void TestOrderStatistics::aLawGrowsWithItsWork()
{
    // (overhead + batch x work) x slowdown, all of it times 1 + 0.5 E.
    const TaskLaw law = TaskLaw::shiftedExponential(0.1, 0.5).withOverhead(0.02).scaled(3).forWork(2);

    QVERIFY(agree(law.mean(), (0.02 + 0.1 * 2) * 3 * 1.5));
    QVERIFY(law == TaskLaw::shiftedExponential(0.1, 0.5).forWork(2).scaled(3).withOverhead(0.06));
}

void TestOrderStatistics::chancesBelongToTheValuesTheyAreGivenFor()
{
    const TaskLaw law = TaskLaw::discrete(2, std::vector<Outcome>{{3, 1}, {1, 6}, {3, 1}});

    QCOMPARE(law.cdf(1.9), 0.0);
    QCOMPARE(law.cdf(2), 0.75); // at the jump it has jumped
    QCOMPARE(law.cdf(5.9), 0.75);
    QCOMPARE(law.cdf(6), 1.0);
    QCOMPARE(law.quantile(0.75), 2.0);
    QCOMPARE(law.quantile(0.76), 6.0);
}

void TestOrderStatistics::constantsWaitForTheSlowest()
{
    const Laws laws{TaskLaw::constant(0.3), TaskLaw::constant(0.1), TaskLaw::constant(0.2),
                    TaskLaw::constant(0)};

    QCOMPARE(expectedKth(laws, 1), 0.0);
    QCOMPARE(expectedKth(laws, 3), 0.2);
    QCOMPARE(expectedMax(laws), 0.3);
}

void TestOrderStatistics::exponentialsTakeHarmonicNumbers()
{
    // E[X_(k:n)] = H_n - H_(n-k): k minima of what is left, one after the other.
    for (const std::size_t n : {1, 2, 4, 12, 100}) {
        const Laws laws(n, TaskLaw::exponential(0.25));
        for (const std::size_t k : {std::size_t{1}, (n + 1) / 2, n}) {
            QVERIFY(agree(expectedKth(laws, k), 0.25 * (harmonic(n) - harmonic(n - k))));
        }
    }
}

void TestOrderStatistics::shiftsAreAdded()
{
    for (const double scale : {0.001, 0.2, 30.0}) {
        const Laws laws(8, TaskLaw::shiftedExponential(0.5, scale));
        QVERIFY(agree(expectedMax(laws), 0.5 * (1 + scale * harmonic(8))));
        QVERIFY(agree(expectedKth(laws, 6), 0.5 * (1 + scale * (harmonic(8) - harmonic(2)))));
    }
}

void TestOrderStatistics::unequalExponentialsFollowInclusionAndExclusion()
{
    // E[max] = sum over nonempty S of (-1)^(|S|+1) / sum of the rates in S.
    const std::vector<double> means{0.1, 0.1, 0.25, 0.5, 1, 4, 40};
    Laws laws;
    for (const double mean : means) {
        laws.push_back(TaskLaw::exponential(mean));
    }
    double expected = 0;
    for (unsigned set = 1; set < 1U << means.size(); ++set) {
        double rate = 0;
        double sign = -1;
        for (std::size_t i = 0; i < means.size(); ++i) {
            if ((set >> i & 1U) != 0) {
                rate += 1 / means[i];
                sign = -sign;
            }
        }
        expected += sign / rate;
    }

    QVERIFY(agree(expectedMax(laws), expected));
    QVERIFY(agree(expectedKth(laws, 1), 1 / (10 + 10 + 4 + 2 + 1 + 0.25 + 0.025)));
}

void TestOrderStatistics::paretoFollowsGammaFunctions_data()
{
    QTest::addColumn<double>("shape");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("missing");
    for (const double shape : {1.1, 1.5, 2.5, 50.0}) {
        for (const int nodes : {1, 4, 12, 64}) {
            for (int missing = 0; missing < std::min(nodes, 3); ++missing) {
                QTest::addRow("shape %g, %d of %d", shape, nodes - missing, nodes)
                    << shape << nodes << missing;
            }
        }
    }
}

void TestOrderStatistics::paretoFollowsGammaFunctions()
{
    QFETCH(const double, shape);
    QFETCH(const int, nodes);
    QFETCH(const int, missing);

    // X = U^(-1/a) and U_(j:n) ~ Beta(j, n - j + 1), so with j = missing + 1
    // E[X_(n-j+1:n)] = n! / (j-1)! Gamma(j - 1/a) / Gamma(n + 1 - 1/a).
    const double j = missing + 1;
    const double expected = std::exp(std::lgamma(nodes + 1.0) - std::lgamma(j) + std::lgamma(j - 1 / shape)
                                     - std::lgamma(nodes + 1 - 1 / shape));
    const Laws laws(static_cast<std::size_t>(nodes), TaskLaw::pareto(3, shape));

    QVERIFY(agree(expectedKth(laws, static_cast<std::size_t>(nodes - missing)), 3 * expected));
}

void TestOrderStatistics::lognormalPairHasAClosedForm()
{
    // E[max] of two equal lognormals = 2 exp(sigma^2/2) Phi(sigma/sqrt 2).
    for (const double sigma : {0.001, 0.05, 0.3, 1.0, 2.0}) {
        const double phi = 0.5 * std::erfc(-sigma / 2);
        const Laws laws(2, TaskLaw::lognormal(0.7, sigma));
        QVERIFY(agree(expectedMax(laws), 0.7 * 2 * std::exp(sigma * sigma / 2) * phi));
    }
}

void TestOrderStatistics::twoPointNodesFollowTheBinomial_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<double>("p");
    for (const int nodes : {4, 12}) {
        for (const double p : {0.03, 0.05, 0.1, 0.2}) {
            QTest::addRow("%d nodes, %g", nodes, p) << nodes << p;
        }
    }
}

void TestOrderStatistics::twoPointNodesFollowTheBinomial()
{
    QFETCH(const int, nodes);
    QFETCH(const double, p);
    const auto n = static_cast<std::size_t>(nodes);

    for (std::size_t s = 0; s < 4; ++s) {
        const double work = static_cast<double>(s + 1);
        const Laws laws(n, TaskLaw::twoPoint(1, p, 10).forWork(work));
        QVERIFY(agree(expectedKth(laws, n - s), work * (1 + 9 * binomialTail(n, p, s))));
    }
}

void TestOrderStatistics::mixedLawsMeetExactly()
{
    // max(1, E): 1 + integral over t > 1 of exp(-t). max(B, E) with B = 0.5 or 2, half each, likewise.
    QVERIFY(agree(expectedMax(Laws{TaskLaw::constant(1), TaskLaw::exponential(1)}), 1 + std::exp(-1.0)));
    QVERIFY(agree(expectedMax(Laws{TaskLaw::twoPoint(0.5, 0.5, 4), TaskLaw::exponential(1)}),
                  0.5 * (0.5 + std::exp(-0.5)) + 0.5 * (2 + std::exp(-2.0))));
    // min(1, E) = 1 - exp(-1).
    QVERIFY(agree(expectedKth(Laws{TaskLaw::constant(1), TaskLaw::exponential(1)}, 1), 1 - std::exp(-1.0)));
}

void TestOrderStatistics::samplesAreExact()
{
    // All nine pairs of {1, 2, 4} and {1, 3, 3}, by hand: maxima 1 3 3 2 3 3 4 4 4.
    const Laws laws{TaskLaw::empirical(std::vector{4.0, 1.0, 2.0}),
                    TaskLaw::empirical(std::vector{3.0, 1.0, 3.0})};

    QVERIFY(agree(expectedMax(laws), 27.0 / 9));
}

void TestOrderStatistics::theSumOfAllOrderStatisticsIsTheSumOfMeans()
{
    const Laws laws{TaskLaw::constant(0.8),           TaskLaw::exponential(1),
                    TaskLaw::pareto(0.3, 1.4),        TaskLaw::lognormal(2, 0.5),
                    TaskLaw::twoPoint(1, 0.1, 10),    TaskLaw::shiftedExponential(1, 0.1),
                    TaskLaw::shiftedExponential(5, 2)};

    double sum = 0;
    double means = 0;
    for (std::size_t k = 1; k <= laws.size(); ++k) {
        sum += expectedKth(laws, k);
        means += laws[k - 1].mean();
    }

    QVERIFY(agree(sum, means));
}

void TestOrderStatistics::narrowAndWideLawsAreBothSeen()
{
    // A needle at 0.1 beside a node that takes 50: the first to finish is the needle, the last the other.
    const Laws laws{TaskLaw::shiftedExponential(0.1, 0.01), TaskLaw::shiftedExponential(50, 1)};

    QVERIFY(agree(expectedKth(laws, 1), 0.101));
    QVERIFY(agree(expectedKth(laws, 2), 100));
}

void TestOrderStatistics::fractionalRepetitionWaitsForOnePerBlock()
{
    // Blocks of s + 1 equal exponentials: each block's first is exponential with mean 1 / (s + 1), and the last of
    // n / (s + 1) of them has mean H_(n/(s+1)) / (s + 1); strategies 4.5: n = 12, s = 2: 0.6944.
    const Laws laws(12, TaskLaw::exponential(1));
    const std::vector<std::vector<std::size_t>> blocks{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
    QVERIFY(agree(expectedFractional(laws, blocks), harmonic(4) / 3));

    // Unequal blocks: max of min(1, 3) and min(2) is 2.
    const Laws constants{TaskLaw::constant(1), TaskLaw::constant(2), TaskLaw::constant(3)};
    QCOMPARE(expectedFractional(constants, std::vector<std::vector<std::size_t>>{{0, 2}, {1}}), 2.0);
}

void TestOrderStatistics::blocksShareTheRest()
{
    QCOMPARE(fractionalBlocks(4, 1), (std::vector<std::size_t>{0, 2, 4}));
    QCOMPARE(fractionalBlocks(5, 1), (std::vector<std::size_t>{0, 2, 5}));
    QCOMPARE(fractionalBlocks(4, 2), (std::vector<std::size_t>{0, 4}));
    QCOMPARE(fractionalBlocks(11, 2), (std::vector<std::size_t>{0, 3, 7, 11}));
    QCOMPARE(fractionalBlocks(3, 0), (std::vector<std::size_t>{0, 1, 2, 3}));
}

void TestOrderStatistics::moreThanSomeOfUnequalEvents()
{
    const std::vector<double> chances{0.1, 0.5, 0.2};

    // P(none) = 0.9 0.5 0.8 = 0.36; P(one) = 0.1 0.5 0.8 + 0.9 0.5 0.8 + 0.9 0.5 0.2 = 0.49; P(all) = 0.01.
    QVERIFY(agree(chanceOfMoreThan(0, chances), 0.64));
    QVERIFY(agree(chanceOfMoreThan(1, chances), 0.15));
    QVERIFY(agree(chanceOfMoreThan(2, chances), 0.01));
    QCOMPARE(chanceOfMoreThan(3, chances), 0.0);
}

QTEST_APPLESS_MAIN(TestOrderStatistics)
#include "tst_order_statistics.moc"
