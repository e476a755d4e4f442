#include "core/base/error.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/kernels.h"
#include "core/learn/model_catalog.h"
#include "tests/support/naive_model.h"

#include <QTest>

#include <cmath>

using namespace lab;

namespace {

Dataset threeRows()
{
    Dataset data;
    data.name = "three rows";
    data.x.resize(3, 2);
    data.x << 0.5F, -1.0F, 0.25F, 2.0F, -1.5F, 0.75F;
    data.labels = {0, 2, 1};
    data.targets = {0.0F, 2.0F, 1.0F};
    data.classes = 3;
    return data;
}

/// Eighths between -5/8 and 5/8, exact in float32.
Vector someParameters(Eigen::Index size)
{
    Vector w(size);
    for (Eigen::Index k = 0; k < size; ++k) {
        w[k] = static_cast<float>((7 * k) % 11 - 5) / 8.0F;
    }
    return w;
}

std::unique_ptr<const Model> make(const ModelSpec& spec, const Dataset& data)
{
    return findModel(spec.kind)->make(spec, data);
}

std::string complaint(const ModelSpec& spec, const Dataset& data)
{
    try {
        (void)make(spec, data);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

/// What is particular to one model; what holds for all of them is in tests/contract/tst_every_model.cpp.
class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { pinKernels(); }

    /// The numbers come from a program of some thirty lines in another language: the losses in decimal arithmetic with
    /// 50 digits, their slopes by central differences with a step of 1e-15, and 3 rows x l2 x weight added for weights.
    void lossAndGradientAreThoseOfAnotherProgram_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<double>("loss");
        QTest::addColumn<QList<double>>("gradient");
        QTest::newRow("linear") << "linear" << 2.15478515625 << QList<double>{-1.1640625, -2.90625, -2.84375};
        QTest::newRow("softmax") << "softmax" << 5.11924535287
                                 << QList<double>{-1.64919519, 2.06554605,    1.10379586,
                                                  0.853465068, -0.0171006674, -2.54401111,
                                                  0.446155235, 0.055424645,   -0.50157988};
        QTest::newRow("mlp") << "mlp" << 4.42578645655
                             << QList<double>{-1.46318664, 1.10811431,   0.711446429,   1.13641902,
                                              0.895410459, 0.0140353745, 1.32471822,    0.649831745,
                                              -1.36174373, 0.0623984269, -0.0567244914, -0.899730172,
                                              0.374691612, -0.442885972, 0.0681943598};
    }
    void lossAndGradientAreThoseOfAnotherProgram()
    {
        QFETCH(QString, kind);
        QFETCH(double, loss);
        QFETCH(QList<double>, gradient);
        const Dataset data = threeRows();
        const auto model = make({kind.toStdString(), {2}, 0.25}, data);
        const Vector w = someParameters(model->size());
        const std::vector<std::uint32_t> rows{0, 1, 2};

        Vector sum = Vector::Zero(model->size());
        model->addGradient(w, data, rows, 1.0F, sum);

        QCOMPARE(static_cast<qsizetype>(model->size()), gradient.size());
        QVERIFY(std::abs(model->loss(w, data, 0, 3).loss - loss) < 1e-6);
        QVERIFY(naive::distance(sum, {gradient.begin(), gradient.end()}) < 1e-6);
    }

    void extremeLogitsHaveAFiniteLossAndGradient_data()
    {
        QTest::addColumn<float>("scale");
        for (const float scale : {1e2F, 1e4F, 1e10F, 1e37F}) {
            QTest::addRow("%g", static_cast<double>(scale)) << scale;
        }
    }
    void extremeLogitsHaveAFiniteLossAndGradient()
    {
        QFETCH(float, scale);
        const Dataset data = threeRows();
        const auto model = make({"softmax", {}, 0.0}, data);
        const Vector w = scale * someParameters(model->size());
        const std::vector<std::uint32_t> rows{0, 1, 2};
        double expected = 0;
        for (const std::uint32_t row : rows) {
            expected += naive::loss({"softmax", {}, 0.0}, naive::toDouble(w), data, row);
        }

        const double loss = model->loss(w, data, 0, 3).loss;
        Vector sum = Vector::Zero(model->size());
        model->addGradient(w, data, rows, 1.0F, sum);

        QVERIFY(std::isfinite(loss) && std::abs(loss - expected) <= 1e-6 * expected);
        QVERIFY(sum.allFinite());
    }

    void softmaxStartsUndecided()
    {
        const Dataset data = threeRows();
        const auto model = make({"softmax", {}, 0.0}, data);

        const LossSum sum = model->loss(model->initial(1), data, 0, 3);

        QVERIFY(std::abs(sum.loss - 3 * std::log(3.0)) < 1e-6);
        QCOMPARE(sum.correct, 1); // all classes tie, and the first one wins
    }

    void mlpWithoutHiddenLayersIsSoftmaxRegression()
    {
        const Dataset data = threeRows();
        const auto softmax = make({"softmax", {}, 0.25}, data);
        const auto mlp = make({"mlp", {}, 0.25}, data);
        const Vector w = someParameters(softmax->size());

        QCOMPARE(mlp->size(), softmax->size());
        QCOMPARE(mlp->loss(w, data, 0, 3).loss, softmax->loss(w, data, 0, 3).loss);
    }

    void mlpStartsWithTheSpreadOfHeAndGlorot()
    {
        Dataset data = threeRows();
        data.x = Dataset::Features::Zero(3, 200);
        data.classes = 100;
        const Vector w = make({"mlp", {300}, 0.0}, data)->initial(4);
        const auto variance = [&w](Eigen::Index first, Eigen::Index count) {
            return static_cast<double>(w.segment(first, count).squaredNorm()) / static_cast<double>(count);
        };

        // Of 60,000 and 30,000 draws, so within some percent of what is asked for.
        QVERIFY(std::abs(variance(0, 200 * 300) * 200 / 2 - 1) < 0.05);
        QVERIFY(w.segment(200 * 300, 300).isZero(0));
        QVERIFY(std::abs(variance(200 * 300 + 300, 300 * 100) * 400 / 2 - 1) < 0.05);
        QVERIFY(w.tail(100).isZero(0));
    }

    void linearCountsTheNearestClassNumber()
    {
        const Dataset data = threeRows();
        const auto model = make({"linear", {}, 0.0}, data);
        Vector bias_only = Vector::Zero(3);
        bias_only[2] = 1.4F;

        QCOMPARE(model->loss(bias_only, data, 0, 3).correct, 1);
    }

    void linearCountsNothingInARegression()
    {
        Dataset data = threeRows();
        data.labels.clear();
        data.classes = 0;
        const auto model = make({"linear", {}, 0.0}, data);

        QCOMPARE(model->loss(Vector::Zero(3), data, 0, 3).correct, 0);
    }

    void impossibleModelsAreRefused()
    {
        Dataset regression = threeRows();
        regression.labels.clear();
        regression.classes = 0;

        QVERIFY(complaint({"softmax", {}, 0.0}, regression).find("choose the model 'linear'")
                != std::string::npos);
        QVERIFY(complaint({"mlp", {4}, 0.0}, regression).find("choose the model 'linear'")
                != std::string::npos);
        QVERIFY(complaint({"mlp", {0}, 0.0}, threeRows()).find("a layer 0 wide") != std::string::npos);
        QVERIFY(complaint({"mlp", {65536, 65536}, 0.0}, threeRows()).find("100 million")
                != std::string::npos);
        QCOMPARE(complaint({"linear", {}, 0.0}, regression), std::string());
    }

    void unknownModelsAreNotFound()
    {
        QVERIFY(findModel("perceptron") == nullptr);
        QCOMPARE(findModel("mlp")->id, std::string("mlp"));
    }
};

QTEST_APPLESS_MAIN(TestModels)
#include "tst_models.moc"
