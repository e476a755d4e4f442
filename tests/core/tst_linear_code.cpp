#include "core/base/rng.h"
#include "core/coding/linear_code.h"

#include <QTest>

#include <Eigen/Dense>

#include <bit>
#include <cmath>

using namespace lab;

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<bool> pattern(std::size_t workers, std::uint32_t bits)
{
    std::vector<bool> is_in(workers);
    for (std::size_t worker = 0; worker < workers; ++worker) {
        is_in[worker] = ((bits >> worker) & 1U) != 0;
    }
    return is_in;
}

MatrixXd encoding(const GradientCode& code)
{
    MatrixXd matrix =
        MatrixXd::Zero(static_cast<Index>(code.workers()), static_cast<Index>(code.partitions()));
    for (std::size_t worker = 0; worker < code.workers(); ++worker) {
        for (const Share& share : code.shares(worker)) {
            matrix(static_cast<Index>(worker), static_cast<Index>(share.partition)) = share.coefficient;
        }
    }
    return matrix;
}

/// min |a B - 1|_2 over all a with support in the messages that are in, by singular values.
double leastError(MatrixXd matrix, const std::vector<bool>& is_in)
{
    for (std::size_t worker = 0; worker < is_in.size(); ++worker) {
        if (!is_in[worker]) {
            matrix.row(static_cast<Index>(worker)).setZero();
        }
    }
    const VectorXd ones = VectorXd::Ones(matrix.cols());
    Eigen::JacobiSVD<MatrixXd> svd(matrix.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-9);
    return (matrix.transpose() * svd.solve(ones) - ones).norm();
}

/// |a B - 1|_2 of a decoding.
double errorOf(const MatrixXd& matrix, const Decoding& decoding)
{
    const VectorXd weights =
        VectorXd::Map(decoding.weights.data(), static_cast<Index>(decoding.weights.size()));
    return (matrix.transpose() * weights - VectorXd::Ones(matrix.cols())).norm();
}

/// The paper's algorithm 1 with its Gaussian H.
MatrixXd gaussianCyclic(Index workers, Index tolerance, std::uint64_t seed)
{
    Rng rng(seed, Purpose::Code, 0, 0);
    MatrixXd h = MatrixXd::NullaryExpr(tolerance, workers, [&](Index, Index) { return rng.normal(); });
    h.col(workers - 1) = -h.leftCols(workers - 1).rowwise().sum();
    MatrixXd matrix = MatrixXd::Zero(workers, workers);
    for (Index worker = 0; worker < workers; ++worker) {
        std::vector<Index> others;
        for (Index i = 1; i <= tolerance; ++i) {
            others.push_back((worker + i) % workers);
        }
        const MatrixXd of_others = h(Eigen::all, others);
        const VectorXd row = of_others.colPivHouseholderQr().solve(-h.col(worker));
        matrix(worker, worker) = 1.0;
        matrix(worker, others) = row.transpose();
    }
    return matrix;
}

/// Mean of error^2 / partitions over all patterns of `missing` missing.
double meanLoss(const GradientCode& code, int missing)
{
    const auto workers = static_cast<int>(code.workers());
    double sum = 0;
    int patterns = 0;
    for (std::uint32_t bits = 0; bits < 1U << code.workers(); ++bits) {
        if (std::popcount(bits) == workers - missing) {
            const double error = code.approximate(pattern(code.workers(), bits)).error;
            sum += error * error / static_cast<double>(code.partitions());
            ++patterns;
        }
    }
    return sum / patterns;
}

double choose(int n, int k)
{
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
}

} // namespace

class TestLinearCode final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allSolutionsAreFound()
    {
        const MatrixXd matrix = gaussianCyclic(9, 3, 1);

        const std::optional<LeftSolutions> solutions = leftSolutions(matrix);

        QVERIFY(solutions.has_value());
        const MatrixXd& basis = solutions->null_space;
        QCOMPARE(basis.cols(), 3);
        QVERIFY((basis.transpose() * matrix).cwiseAbs().maxCoeff() < 1e-12);
        QVERIFY((basis.transpose() * basis - MatrixXd::Identity(3, 3)).cwiseAbs().maxCoeff() < 1e-12);
        QVERIFY((basis.transpose() * solutions->particular).cwiseAbs().maxCoeff() < 1e-12); // of least norm
        QVERIFY((matrix.transpose() * solutions->particular - VectorXd::Ones(9)).cwiseAbs().maxCoeff()
                < 1e-12);
    }

    void matricesThatNeverSumToOnesHaveNoSolutions()
    {
        MatrixXd matrix = MatrixXd::Identity(3, 3);
        matrix(1, 1) = 0.0;

        QVERIFY(!leftSolutions(matrix).has_value());
    }

    void decodesExactlyWhatCanBeDecoded_data()
    {
        QTest::addColumn<MatrixXd>("matrix");
        const std::vector<double> speeds{1, 3, 2, 0.2, 5, 1, 1};
        QTest::newRow("cyclic, ones") << encoding(*cyclicRepetition(6, 2, 1));
        QTest::newRow("cyclic, rest") << encoding(*cyclicRepetition(8, 2, 1));
        QTest::newRow("cyclic, drawn") << encoding(*cyclicRepetition(8, 4, 1));
        QTest::newRow("gaussian") << gaussianCyclic(7, 3, 2);
        QTest::newRow("fractional") << encoding(*fractionalRepetition(8, 2));
        QTest::newRow("heterogeneous") << encoding(*heterogeneityAware(speeds, 2, 1));
    }

    void decodesExactlyWhatCanBeDecoded()
    {
        // Whatever the number of messages: too many missing must be told from luckily still enough.
        QFETCH(const MatrixXd, matrix);
        const LinearCode code(matrix, 0, LinearCode::Early::Allowed);
        int decodable = 0;
        for (std::uint32_t bits = 1; bits < 1U << code.workers(); ++bits) {
            const std::vector<bool> is_in = pattern(code.workers(), bits);
            const double least = leastError(matrix, is_in);
            const std::optional<Decoding> decoding = code.decode(is_in);
            const Decoding approximation = code.approximate(is_in);

            QCOMPARE(decoding.has_value(), least < 1e-7);
            QVERIFY(!decoding || errorOf(matrix, *decoding) < 1e-8 * std::sqrt(matrix.cols()));
            QVERIFY(std::abs(approximation.error - least) < 1e-6);
            QVERIFY(std::abs(approximation.error - errorOf(matrix, approximation)) < 1e-7);
            decodable += decoding ? 1 : 0;
        }
        QVERIFY(decodable > 1);
        QVERIFY(!code.decode(std::vector<bool>(code.workers(), false)));
    }

    void dependentRowsDoNotPassForDecodable()
    {
        // Without worker 0 the rest are one message short, although they are more than workers - tolerance claims.
        MatrixXd matrix(4, 3);
        matrix << 1, 1, 1, 0, 1, 0, 0, 2, 0, 0, 0, 1;
        const LinearCode code(matrix, 1, LinearCode::Early::Allowed);

        QVERIFY(!code.decode({false, true, true, true}));
        QVERIFY(code.decode({true, true, true, false}));
        QVERIFY(std::abs(code.approximate({false, true, true, true}).error - 1.0) < 1e-12);
    }

    void nearlyDependentRowsAreTriedTheOtherWayRound()
    {
        // All rows are (1, 1) up to 3e-10, which counts as dependent: without worker 0 the null space alone would take
        // 100 times worker 1 and be off by 3e-8. Taking worker 2 away as often makes it exact.
        MatrixXd matrix(3, 2);
        matrix << 1, 1, 0.01 + 3e-10, 0.01 - 3e-10, 3e-10, -3e-10;
        const LinearCode code(matrix, 1, LinearCode::Early::Allowed);

        const std::optional<Decoding> decoding = code.decode({false, true, true});

        QVERIFY(decoding.has_value());
        QVERIFY(errorOf(matrix, *decoding) < 1e-8);
        QVERIFY(std::abs(decoding->weights[2] + 100.0) < 0.1);
        QVERIFY(!code.decode({false, true, false}).has_value());
    }

    void approximationWithFewMessagesIsLeastSquaresOfLeastNorm()
    {
        MatrixXd matrix(3, 4);
        matrix << 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1;
        const LinearCode code(matrix, 0, LinearCode::Early::Allowed);

        const Decoding both = code.approximate({true, true, false});

        QVERIFY(std::abs(both.weights[0] - 0.5) < 1e-12);
        QVERIFY(std::abs(both.weights[1] - 0.5) < 1e-12);
        QCOMPARE(both.weights[2], 0.0);
        QVERIFY(std::abs(both.error - std::sqrt(2.0)) < 1e-12);
    }

    void workersWithoutSharesHaveNoSay()
    {
        MatrixXd matrix = MatrixXd::Zero(5, 4);
        matrix.topRows(4) = gaussianCyclic(4, 1, 1);
        const LinearCode code(matrix, 1, LinearCode::Early::Allowed);

        const std::optional<Decoding> with = code.decode({true, true, false, true, true});
        const std::optional<Decoding> without = code.decode({true, true, false, true, false});

        QVERIFY(code.shares(4).empty());
        QVERIFY(with && without);
        QCOMPARE(with->weights, without->weights);
        QCOMPARE(with->weights[4], 0.0);
        QVERIFY(std::abs(code.approximate({false, false, false, false, true}).error - 2.0) < 1e-12);
    }

    void fractionalLosesWhatTheLawSays()
    {
        // A partition is lost with its whole block: C(n - s - 1, r - s - 1) of C(n, r) patterns.
        for (const int tolerance : {1, 2, 3}) {
            const auto code = fractionalRepetition(12, static_cast<std::size_t>(tolerance));
            for (int missing = tolerance + 1; missing < 12; ++missing) {
                const double law = choose(12 - tolerance - 1, missing - tolerance - 1) / choose(12, missing);
                QVERIFY(std::abs(meanLoss(*code, missing) - law) < 1e-9);
            }
        }
    }

    void uncodedLosesWhatIsMissing()
    {
        const Decoding decoding = uncoded(4)->approximate({true, false, true, false});

        QCOMPARE(decoding.weights, (std::vector<double>{1, 0, 1, 0}));
        QCOMPARE(decoding.is_covered, (std::vector<bool>{true, false, true, false}));
        QCOMPARE(decoding.error, std::sqrt(2.0));
    }

    void fractionalApproximatesBestAndGaussianWorst()
    {
        const auto fractional = fractionalRepetition(12, 2);
        const auto cyclic = cyclicRepetition(12, 2, 1);
        const LinearCode gaussian(gaussianCyclic(12, 2, 3), 2, LinearCode::Early::Allowed);
        struct Row {
            int missing;
            double fractional;
            double cyclic;
        };
        for (const Row& row : {Row{3, 0.0045, 0.015}, Row{4, 0.018, 0.041}, Row{6, 0.091, 0.127}}) {
            const double of_cyclic = meanLoss(*cyclic, row.missing);
            QVERIFY(std::abs(meanLoss(*fractional, row.missing) - row.fractional) < 0.003);
            QVERIFY(std::abs(of_cyclic - row.cyclic) < 0.005);
            QVERIFY(of_cyclic > row.fractional);
            QVERIFY(meanLoss(gaussian, row.missing) > 2 * of_cyclic);
        }
        QCOMPARE(meanLoss(*cyclic, 2), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestLinearCode)
#include "tst_linear_code.moc"
