#include "core/base/error.h"
#include "core/learn/kernels.h"
#include "core/learn/model_catalog.h"
#include "core/learn/sampler.h"

#include <QTest>

using namespace lab;

namespace {

double accuracy(const Model& model, const Vector& w, const Dataset& data)
{
    const LossSum sum = model.loss(w, data, 0, data.rows());
    return static_cast<double>(sum.correct) / static_cast<double>(sum.rows);
}

/// Plain serial stochastic gradient descent, as on paper: the number of updates until the share of right validation
/// rows reaches `goal`, looked at every 10 updates; `limit` where it does not.
int updatesUntil(double goal, const std::string& set, const ModelSpec& spec, int batch, float rate, int limit,
                 std::uint64_t seed)
{
    const Split split = splitDataset(loadDataset(set, {}, seed), 0.2, seed);
    const auto model = findModel(spec.kind)->make(spec, split.training);
    const Sampler sampler(split.training, PartitionKind::Shuffled, 1, seed);
    Vector w = model->initial(seed);
    std::vector<std::uint32_t> rows;
    for (int update = 0; update < limit; ++update) {
        if (update % 10 == 0 && accuracy(*model, w, split.validation) >= goal) {
            return update;
        }
        rows.clear();
        sampler.append(NodeId{0}, std::int64_t{update} * batch, batch, rows);
        Vector step = Vector::Zero(model->size());
        model->addGradient(w, split.training, rows, -rate / static_cast<float>(batch), step);
        w += step;
    }
    return limit;
}

} // namespace

/// That models, data, split and sampler together learn something.
class TestLearning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { pinKernels(); }

    void serialDescentReachesItsGoal_data()
    {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<double>("goal");
        QTest::addColumn<int>("limit");
        QTest::newRow("digits, mlp") << "digits"
                                     << "mlp" << 32 << 0.95 << 1200;
        QTest::newRow("digits, softmax") << "digits"
                                         << "softmax" << 0 << 0.92 << 1200;
        QTest::newRow("iris, softmax") << "iris"
                                       << "softmax" << 0 << 0.93 << 1000;
        QTest::newRow("breast cancer, softmax") << "breast_cancer"
                                                << "softmax" << 0 << 0.97 << 1000;
        QTest::newRow("blobs, softmax") << "blobs"
                                        << "softmax" << 0 << 0.94 << 1000;
        QTest::newRow("moons, mlp") << "moons"
                                    << "mlp" << 32 << 0.95 << 3000;
        QTest::newRow("fashion, mlp") << "fashion"
                                      << "mlp" << 32 << 0.75 << 2000;
    }
    void serialDescentReachesItsGoal()
    {
        QFETCH(QString, set);
        QFETCH(QString, kind);
        QFETCH(int, hidden);
        QFETCH(double, goal);
        QFETCH(int, limit);
        const ModelSpec spec{kind.toStdString(), {hidden}, 1e-4};

        for (const std::uint64_t seed : {1U, 2U}) {
            const int updates = updatesUntil(goal, set.toStdString(), spec, 32, 0.1F, limit, seed);
            qInfo("seed %d: %d updates", static_cast<int>(seed), updates);
            QVERIFY(updates < limit);
        }
    }

    void largeBatchesReachTheSameGoal()
    {
        QVERIFY(updatesUntil(0.95, "digits", ModelSpec{}, 32 * 12, 0.1F, 1200, 1) < 1200);
    }

    void spiralsNeedHiddenLayers()
    {
        QVERIFY(updatesUntil(0.9, "spirals", {"mlp", {64, 64}, 0.0}, 32, 0.3F, 30'000, 1) < 30'000);
        QCOMPARE(updatesUntil(0.75, "spirals", {"softmax", {}, 0.0}, 32, 0.3F, 3000, 1), 3000);
    }
};

QTEST_APPLESS_MAIN(TestLearning)
#include "tst_learning.moc"
