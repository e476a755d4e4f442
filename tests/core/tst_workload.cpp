#include "core/engine/workload.h"
#include "core/learn/model_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <memory>
#include <vector>

using namespace lab;

namespace {

std::shared_ptr<const Workload> blobs(double validation = 0.2)
{
    Split split = splitDataset(loadDataset(std::string("blobs"), {}, 3), validation, 3);
    Sampler sampler(split.training, PartitionKind::Shuffled, 4, 3);
    auto model = findModel("softmax")->make({.kind = "softmax", .l2 = 0.01}, split.training);
    return std::make_shared<const Workload>(Workload{.model = std::move(model),
                                                     .training = std::move(split.training),
                                                     .validation = std::move(split.validation),
                                                     .sampler = std::move(sampler)});
}

/// y = 2 x on a line of 600 points: more than one block of an evaluation.
std::shared_ptr<const Workload> line()
{
    Dataset data;
    data.x.resize(600, 1);
    for (Eigen::Index row = 0; row < data.x.rows(); ++row) {
        data.x(row, 0) = static_cast<float>(row) / 600.0F;
        data.targets.push_back(2 * data.x(row, 0));
    }
    Sampler sampler(data, PartitionKind::Shuffled, 1, 1);
    auto model = findModel("linear")->make({.kind = "linear", .l2 = 0}, data);
    Dataset none = data;
    none.x.resize(0, 1);
    none.targets.clear();
    return std::make_shared<const Workload>(Workload{.model = std::move(model),
                                                     .training = std::move(data),
                                                     .validation = std::move(none),
                                                     .sampler = std::move(sampler)});
}

Params startOf(const Workload& workload)
{
    return std::make_shared<const Vector>(workload.model->initial(1));
}

Order orderOf(std::vector<Piece> pieces)
{
    Order order;
    order.pieces = std::move(pieces);
    return order;
}

} // namespace

class TestWorkload final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOrdersGradientIsTheWeightedSumOfItsPieces();
    void aPieceIsTheSumOverItsRows();
    void aGradientHasTheSameBitsEveryTime();
    void anEvaluationIsTheMeanOverAllRows();
    void anEvaluationDoesNotDependOnTheThreads();
    void whatCannotBeMeasuredIsNotANumber();
};

void TestWorkload::anOrdersGradientIsTheWeightedSumOfItsPieces()
{
    const auto workload = blobs();
    const Params at = startOf(*workload);
    const Piece a{.stream = NodeId{0}, .first = 0, .count = 16, .coefficient = 2};
    const Piece b{.stream = NodeId{3}, .first = 40, .count = 8, .coefficient = -0.5};
    Piece plain_a = a;
    Piece plain_b = b;
    plain_a.coefficient = plain_b.coefficient = 1;

    const Params both = workload->gradient(*at, orderOf({a, b}));

    // g(2 a - b / 2) = 2 g(a) - g(b) / 2
    const Vector expected = 2.0F * *workload->gradient(*at, orderOf({plain_a}))
        - 0.5F * *workload->gradient(*at, orderOf({plain_b}));
    QVERIFY(expected.norm() > 0.1F);
    QVERIFY((*both - expected).norm() <= 1e-5F * expected.norm());
}

void TestWorkload::aPieceIsTheSumOverItsRows()
{
    const auto workload = blobs();
    const Params at = startOf(*workload);
    std::vector<std::uint32_t> rows;
    workload->sampler.append(NodeId{2}, 5, 10, rows);
    Vector expected = Vector::Zero(workload->model->size());
    for (const std::uint32_t row : rows) {
        workload->model->addGradient(*at, workload->training, Rows(&row, 1), 1, expected);
    }

    const Params found =
        workload->gradient(*at, orderOf({{.stream = NodeId{2}, .first = 5, .count = 10, .coefficient = 1}}));

    QVERIFY((*found - expected).norm() <= 1e-5F * expected.norm());
}

void TestWorkload::aGradientHasTheSameBitsEveryTime()
{
    const auto workload = blobs();
    const Params at = startOf(*workload);
    const Order order = orderOf({{.stream = NodeId{1}, .first = 3, .count = 33, .coefficient = 1.25}});

    const Params once = workload->gradient(*at, order);
    const Params again = workload->gradient(*at, order);

    QVERIFY(*once == *again);
}

void TestWorkload::anEvaluationIsTheMeanOverAllRows()
{
    const auto workload = blobs();
    const Params at = startOf(*workload);
    Executor executor(1);

    const Evaluation found = evaluate(workload, at, executor);

    const auto meanLoss = [&](const Dataset& data) {
        const LossSum sum = workload->model->loss(*at, data, 0, data.rows());
        return sum.loss / static_cast<double>(sum.rows);
    };
    const LossSum held_out = workload->model->loss(*at, workload->validation, 0, workload->validation.rows());
    QVERIFY(std::abs(found.train_loss - meanLoss(workload->training)) < 1e-6);
    QVERIFY(std::abs(found.validation_loss - meanLoss(workload->validation)) < 1e-6);
    QCOMPARE(found.validation_accuracy,
             static_cast<double>(held_out.correct) / static_cast<double>(workload->validation.rows()));
}

void TestWorkload::anEvaluationDoesNotDependOnTheThreads()
{
    const auto workload = blobs();
    const Params at = startOf(*workload);
    Executor alone(1);
    const Evaluation expected = evaluate(workload, at, alone);

    for (const int threads : {2, 3, 8}) {
        Executor executor(threads);
        const Evaluation found = evaluate(workload, at, executor);
        QVERIFY(std::bit_cast<std::uint64_t>(found.train_loss)
                == std::bit_cast<std::uint64_t>(expected.train_loss));
        QVERIFY(std::bit_cast<std::uint64_t>(found.validation_loss)
                == std::bit_cast<std::uint64_t>(expected.validation_loss));
        QCOMPARE(found.validation_accuracy, expected.validation_accuracy);
    }
}

void TestWorkload::whatCannotBeMeasuredIsNotANumber()
{
    Executor executor(2);

    const auto regression = line();
    const Evaluation of_line = evaluate(regression, startOf(*regression), executor);
    QVERIFY(std::isfinite(of_line.train_loss));
    QVERIFY(std::isnan(of_line.validation_loss));
    QVERIFY(std::isnan(of_line.validation_accuracy));

    const auto classes = blobs(0);
    QVERIFY(std::isnan(evaluate(classes, startOf(*classes), executor).validation_accuracy));
}

QTEST_APPLESS_MAIN(TestWorkload)
#include "tst_workload.moc"
