#include "core/strategy/global_model.h"

#include <QTest>

#include <array>
#include <initializer_list>
#include <memory>
#include <vector>

using namespace lab;

namespace {

Params vectorOf(std::initializer_list<float> numbers)
{
    Vector vector(static_cast<Eigen::Index>(numbers.size()));
    std::copy(numbers.begin(), numbers.end(), vector.begin());
    return std::make_shared<const Vector>(std::move(vector));
}

Term term(std::initializer_list<float> gradient, double coefficient = 1)
{
    return {.coefficient = coefficient, .gradient = vectorOf(gradient)};
}

} // namespace

class TestGlobalModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlainStepIsAgainstTheMeanGradient();
    void theMeanIsOverSamplesNotOverTerms();
    void theWeightScalesTheStep();
    void coefficientsMultiplyTheirTerms();
    void momentumIsTheHeavyBall();
    void theWeightStandsInsideTheBuffer();
    void sumsAreTakenInDouble();
    void aSharedVersionNeverChanges();
};

void TestGlobalModel::aPlainStepIsAgainstTheMeanGradient()
{
    GlobalModel model(vectorOf({1, 2}), 0.5, 0);
    QCOMPARE(model.version(), Version{0});

    model.apply(std::array{term({8, -4})}, 4, 1);

    // w <- w - 0.5 (8, -4) / 4
    QVERIFY(*model.params() == *vectorOf({0, 2.5F}));
    QCOMPARE(model.version(), Version{1});
}

void TestGlobalModel::theMeanIsOverSamplesNotOverTerms()
{
    GlobalModel model(vectorOf({0}), 1, 0);

    model.apply(std::array{term({6}), term({2})}, 16, 1); // sums over unequal batches, 16 rows in all

    QVERIFY(*model.params() == *vectorOf({-0.5F}));
}

void TestGlobalModel::theWeightScalesTheStep()
{
    GlobalModel model(vectorOf({0}), 1, 0);

    model.apply(std::array{term({8})}, 8, 0.25);

    QVERIFY(*model.params() == *vectorOf({-0.25F}));
}

void TestGlobalModel::coefficientsMultiplyTheirTerms()
{
    GlobalModel model(vectorOf({0}), 1, 0);

    model.apply(std::array{term({3}, 2), term({4}, -0.5)}, 1, 1); // 2 x 3 - 4 / 2
    QVERIFY(*model.params() == *vectorOf({-4}));

    model.apply(std::array{term({3}, 2)}, 1, 1);
    QVERIFY(*model.params() == *vectorOf({-10}));
}

void TestGlobalModel::momentumIsTheHeavyBall()
{
    GlobalModel model(vectorOf({0}), 0.5, 0.5);

    model.apply(std::array{term({8})}, 8, 1); // buffer 1
    QVERIFY(*model.params() == *vectorOf({-0.5F}));
    model.apply(std::array{term({8})}, 8, 1); // buffer 0.5 + 1
    QVERIFY(*model.params() == *vectorOf({-1.25F}));
    model.apply(std::array{term({0})}, 8, 1); // buffer 0.75
    QVERIFY(*model.params() == *vectorOf({-1.625F}));
}

void TestGlobalModel::theWeightStandsInsideTheBuffer()
{
    // The buffer is linear in weight x mean gradient: half the weight, half of every later step too.
    GlobalModel whole(vectorOf({0}), 1, 0.5);
    GlobalModel half(vectorOf({0}), 1, 0.5);

    whole.apply(std::array{term({4})}, 4, 1);
    half.apply(std::array{term({4})}, 4, 0.5);
    whole.apply(std::array{term({0})}, 4, 1);
    half.apply(std::array{term({0})}, 4, 1); // the new weight has no say in what is in the buffer

    QVERIFY(*whole.params() == *vectorOf({-1.5F}));
    QVERIFY(*half.params() == *vectorOf({-0.75F}));
}

void TestGlobalModel::sumsAreTakenInDouble()
{
    GlobalModel model(vectorOf({0}), 1, 0);

    model.apply(std::array{term({1e8F}), term({1}), term({-1e8F})}, 1, 1); // in float the 1 would be lost

    QVERIFY(*model.params() == *vectorOf({-1}));
}

void TestGlobalModel::aSharedVersionNeverChanges()
{
    GlobalModel model(vectorOf({1}), 1, 0.9);
    const Params before = model.params();

    model.apply(std::array{term({5})}, 1, 1);

    QVERIFY(*before == *vectorOf({1}));
    QVERIFY(before != model.params());
}

QTEST_APPLESS_MAIN(TestGlobalModel)
#include "tst_global_model.moc"
