#include "core/base/rng.h"
#include "core/learn/kernels.h"
#include "core/learn/model_catalog.h"
#include "tests/support/naive_model.h"
#include "tests/support/random_data.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>

using namespace lab;
using lab::test::randomData;

namespace {

/// float32 keeps 7 digits; sums over some hundred terms cost up to two of them.
constexpr double k_tolerance = 2e-5;

Vector randomVector(Eigen::Index size, std::uint64_t seed, double scale)
{
    Vector v(size);
    Rng rng(seed, Purpose::Initial, 99, 0);
    for (float& value : v) {
        value = static_cast<float>(scale * rng.normal());
    }
    return v;
}

std::vector<std::uint32_t> firstRows(std::size_t count)
{
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

Vector gradient(const Model& model, const Vector& w, const Dataset& data, Rows rows, float coefficient = 1.0F)
{
    Vector sum = Vector::Zero(model.size());
    model.addGradient(w, data, rows, coefficient, sum);
    return sum;
}

bool hasEqualBits(const Vector& a, const Vector& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
        return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
    });
}

} // namespace

/// What is asked of every model of the catalogue, on many shapes.
class TestEveryModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { pinKernels(); }

    void gradientIsTheSlopeOfTheLoss_data() { shapes(); }
    void gradientIsTheSlopeOfTheLoss()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 5, 0.5);

        const Vector actual = gradient(*c.model, w, c.data, c.rows);
        const naive::Numbers expected = naive::gradient(c.spec, naive::toDouble(w), c.data, c.rows);

        QCOMPARE(static_cast<std::size_t>(c.model->size()), expected.size());
        const double distance = naive::distance(actual, expected);
        QVERIFY2(distance < k_tolerance, qPrintable(QString::number(distance)));
    }

    void lossIsThatOfTheFormula_data() { shapes(); }
    void lossIsThatOfTheFormula()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 6, 0.5);
        double expected = 0;
        for (std::size_t row = 0; row < c.data.rows(); ++row) {
            expected += naive::loss(c.spec, naive::toDouble(w), c.data, row);
        }

        const LossSum actual = c.model->loss(w, c.data, 0, c.data.rows());

        QCOMPARE(actual.rows, static_cast<std::int64_t>(c.data.rows()));
        QVERIFY(std::abs(actual.loss - expected) < k_tolerance * (1 + expected));
        QVERIFY(actual.correct >= 0 && actual.correct <= actual.rows);
    }

    void gradientsOfPartsAddUp_data() { shapes(); }
    void gradientsOfPartsAddUp()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 7, 0.5);
        const std::size_t cut = c.rows.size() / 3;

        Vector parts = gradient(*c.model, w, c.data, Rows(c.rows).first(cut));
        c.model->addGradient(w, c.data, Rows(c.rows).subspan(cut), 1.0F, parts);

        QVERIFY(naive::distance(parts, naive::toDouble(gradient(*c.model, w, c.data, c.rows))) < k_tolerance);
    }

    void gradientIsLinearInItsCoefficient_data() { shapes(); }
    void gradientIsLinearInItsCoefficient()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 8, 0.5);
        const Vector once = gradient(*c.model, w, c.data, c.rows);

        for (const float coefficient : {-2.5F, 0.0F, 0.125F, 100.0F}) {
            const Vector scaled = gradient(*c.model, w, c.data, c.rows, coefficient);
            QVERIFY(naive::distance(scaled, naive::toDouble(coefficient * once)) < k_tolerance);
        }
    }

    void orderAndRepetitionOfRowsOnlyRound_data() { shapes(); }
    void orderAndRepetitionOfRowsOnlyRound()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 9, 0.5);
        std::vector<std::uint32_t> twice_backwards(c.rows.rbegin(), c.rows.rend());
        twice_backwards.insert(twice_backwards.end(), c.rows.begin(), c.rows.end());

        const Vector actual = gradient(*c.model, w, c.data, twice_backwards, 0.5F);

        QVERIFY(naive::distance(actual, naive::toDouble(gradient(*c.model, w, c.data, c.rows)))
                < k_tolerance);
    }

    void lossesOfPartsAddUp_data() { shapes(); }
    void lossesOfPartsAddUp()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 10, 0.5);
        const std::size_t cut = c.data.rows() / 3;

        const LossSum whole = c.model->loss(w, c.data, 0, c.data.rows());
        const LossSum first = c.model->loss(w, c.data, 0, cut);
        const LossSum second = c.model->loss(w, c.data, cut, c.data.rows() - cut);

        QVERIFY(std::abs(first.loss + second.loss - whole.loss) < k_tolerance * (1 + whole.loss));
        QCOMPARE(first.correct + second.correct, whole.correct);
        QCOMPARE(first.rows + second.rows, whole.rows);
    }

    void equalInputsGiveEqualBitsOnAnyThread_data() { shapes(); }
    void equalInputsGiveEqualBitsOnAnyThread()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 11, 0.5);
        const Vector here = gradient(*c.model, w, c.data, c.rows);
        const double loss_here = c.model->loss(w, c.data, 0, c.data.rows()).loss;

        Vector there;
        double loss_there = 0;
        std::thread other([&] {
            // Something else first: leftovers of another computation must not show.
            (void)gradient(*c.model, Vector::Ones(c.model->size()), c.data, Rows(c.rows).first(1));
            there = gradient(*c.model, w, c.data, c.rows);
            loss_there = c.model->loss(w, c.data, 0, c.data.rows()).loss;
        });
        other.join();

        QVERIFY(hasEqualBits(here, there));
        QCOMPARE(std::bit_cast<std::uint64_t>(loss_here), std::bit_cast<std::uint64_t>(loss_there));
    }

    void anEmptySumStandsForZeros_data() { shapes(); }
    void anEmptySumStandsForZeros()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 14, 0.5);
        Vector sum;

        c.model->addGradient(w, c.data, {}, 1.0F, sum);
        QCOMPARE(sum.size(), Eigen::Index{0});
        c.model->addGradient(w, c.data, c.rows, 1.0F, sum);

        QVERIFY(hasEqualBits(sum, gradient(*c.model, w, c.data, c.rows)));
    }

    void noRowsAddNothing_data() { shapes(); }
    void noRowsAddNothing()
    {
        const Case c = current();
        const Vector w = randomVector(c.model->size(), 12, 0.5);
        const Vector before = randomVector(c.model->size(), 13, 1.0);
        Vector sum = before;

        c.model->addGradient(w, c.data, {}, 1.0F, sum);
        const LossSum nothing = c.model->loss(w, c.data, c.data.rows(), 0);

        QVERIFY(hasEqualBits(sum, before));
        QCOMPARE(nothing.rows, 0);
        QCOMPARE(nothing.loss, 0.0);
    }

    void initialParametersFollowTheSeed_data() { shapes(); }
    void initialParametersFollowTheSeed()
    {
        const Case c = current();

        const Vector w = c.model->initial(1);

        QCOMPARE(w.size(), c.model->size());
        QVERIFY(w.allFinite());
        QVERIFY(hasEqualBits(w, c.model->initial(1)));
        QCOMPARE(hasEqualBits(w, c.model->initial(2)), c.spec.kind != "mlp");
    }

    void divergedParametersAreReported_data() { shapes(); }
    void divergedParametersAreReported()
    {
        const Case c = current();
        for (const float poison :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            const Vector w = Vector::Constant(c.model->size(), poison);
            const LossSum sum = c.model->loss(w, c.data, 0, c.data.rows());
            QVERIFY(!std::isfinite(sum.loss));
            QCOMPARE(sum.correct, 0);
        }
    }

private:
    struct Case {
        ModelSpec spec;
        Dataset data;
        std::unique_ptr<const Model> model;
        std::vector<std::uint32_t> rows;
    };

    /// Small enough for slopes by differences, and on both sides of what the matrix kernels treat as one block.
    static void shapes()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QList<int>>("hidden");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("features");
        QTest::addColumn<int>("classes");
        for (const ModelInfo& info : modelCatalog()) {
            if (!info.isComputed()) {
                continue;
            }
            const std::vector<QList<int>> hidden = info.uses_hidden
                ? std::vector<QList<int>>{{}, {5}, {7, 3}, {4, 4, 4}}
                : std::vector<QList<int>>{{}};
            for (std::size_t h = 0; h < hidden.size(); ++h) {
                for (const auto& [rows, features, classes] :
                     {std::array{1, 1, 2}, {3, 2, 2}, {8, 17, 3}, {33, 5, 10}, {300, 4, 4}}) {
                    QTest::addRow("%s-%zu-%dx%d-%d", info.id.c_str(), h, rows, features, classes)
                        << QString::fromStdString(info.id) << hidden[h] << rows << features << classes;
                }
            }
        }
    }

    static Case current()
    {
        QFETCH(QString, kind);
        QFETCH(QList<int>, hidden);
        QFETCH(int, rows);
        QFETCH(int, features);
        QFETCH(int, classes);
        Case c;
        c.spec = {kind.toStdString(), {hidden.begin(), hidden.end()}, 0.1};
        c.data = randomData(static_cast<std::size_t>(rows), static_cast<std::size_t>(features), classes, 3);
        c.model = findModel(c.spec.kind)->make(c.spec, c.data);
        c.rows = firstRows(c.data.rows());
        return c;
    }
};

QTEST_APPLESS_MAIN(TestEveryModel)
#include "tst_every_model.moc"
