// One network on every instruction set that this machine has.

#include "core/base/rng.h"
#include "core/experiment/run.h"
#include "core/learn/model_catalog.h"
#include "core/learn/neural_network.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/naive_model.h"
#include "tests/support/random_data.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

using namespace lab;
using lab::test::randomData;

namespace {

constexpr std::uint64_t k_seed = 20'261'130;

std::vector<std::uint32_t> firstRows(std::size_t count)
{
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

bool hasEqualBits(const Vector& a, const Vector& b)
{
    return a.size() == b.size()
        && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

} // namespace

class TestInstructionSets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesLeadBack()
    {
        for (const InstructionSet set : {InstructionSet::Baseline, InstructionSet::V3, InstructionSet::V4}) {
            QCOMPARE(findInstructionSet(instructionSetName(set)), std::optional(set));
        }
        QVERIFY(!findInstructionSet("native"));
        QCOMPARE(supportedInstructionSets().front(), InstructionSet::Baseline);
    }

    void eachComputesTheGradientOfTheFormula_data() { shapes(); }
    void eachComputesTheGradientOfTheFormula()
    {
        QFETCH(InstructionSet, set);
        QFETCH(int, rows);
        QFETCH(int, features);
        const Dataset data =
            randomData(static_cast<std::size_t>(rows), static_cast<std::size_t>(features), 10, k_seed);
        const ModelSpec spec{.kind = "mlp", .hidden = {37, 5}, .l2 = 0.1};
        const auto model = findModel("mlp")->make(spec, data, set);
        const Vector w = model->initial(k_seed);
        const std::vector<std::uint32_t> all = firstRows(data.rows());
        Vector sum = Vector::Zero(model->size());

        model->addGradient(w, data, all, 1, sum);

        QCOMPARE(model->instructionSet(), set);
        const double distance = naive::distance(sum, naive::gradient(spec, naive::toDouble(w), data, all));
        QVERIFY2(distance < 2e-5, qPrintable(QString::number(distance)));
    }

    void fusedSetsAgreeBitForBit()
    {
        const auto sets = supportedInstructionSets();
        if (sets.size() < 3) {
            QSKIP("this machine has no two of them");
        }
        const Dataset data = randomData(150, 50, 10, k_seed);
        const std::vector<std::uint32_t> all = firstRows(data.rows());
        std::vector<Vector> sums;
        for (const InstructionSet set : {InstructionSet::V3, InstructionSet::V4}) {
            const auto model = findModel("mlp")->make({.kind = "mlp", .hidden = {37, 5}}, data, set);
            sums.push_back(Vector::Zero(model->size()));
            model->addGradient(model->initial(k_seed), data, all, 1, sums.back());
        }

        QVERIFY(hasEqualBits(sums[0], sums[1]));
    }

    /// What a vector type's alignment could change: nothing may depend on where a caller's numbers lie.
    void alignmentLeavesNoTrace()
    {
        const Dataset data = randomData(45, 19, 3, k_seed);
        const std::vector<std::uint32_t> all = firstRows(data.rows());
        for (const InstructionSet set : supportedInstructionSets()) {
            const std::vector<Layer> layers{{.inputs = 19, .outputs = 7},
                                            {.inputs = 7, .outputs = 3, .offset = 20 * 7}};
            const NeuralNetwork network{.layers = layers.data(), .depth = 2, .is_classes = true, .l2 = 0.1F};
            const std::size_t size = 20 * 7 + 8 * 3;
            alignas(64) static std::array<float, 1 << 16> scratch;
            std::vector<std::vector<float>> sums;
            for (const std::size_t shift : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{7}}) {
                std::vector<float> w(size + shift);
                for (std::size_t i = 0; i < size; ++i) {
                    w[shift + i] = static_cast<float>(i % 11) / 7.0F - 0.5F;
                }
                std::vector<float> sum(size + shift, 0.0F);
                scratch.fill(static_cast<float>(shift));
                kernelsOf(set).add_gradient(network, w.data() + shift,
                                            {.x = data.x.data(),
                                             .rows = all.data(),
                                             .count = all.size(),
                                             .labels = data.labels.data()},
                                            0.5F, sum.data() + shift, false, scratch.data());
                sums.emplace_back(sum.begin() + static_cast<std::ptrdiff_t>(shift), sum.end());
            }
            for (const std::vector<float>& sum : sums) {
                QVERIFY(std::memcmp(sum.data(), sums.front().data(), size * sizeof(float)) == 0);
            }
        }
    }

    void aRunSaysWhatItUsedAndItsScheduleDoesNotDependOnIt()
    {
        const Experiment experiment = test::smallExperiment(3);
        std::vector<RunRecord> runs;
        for (const InstructionSet set : supportedInstructionSets()) {
            runs.push_back(
                *runExperiment(experiment, 1, {}, {.instruction_set = set, .keeps_history = true}));
            QCOMPARE(runs.back().instruction_set, std::optional(set));
        }
        for (const RunRecord& run : runs) {
            QCOMPARE(run.schedule_fingerprint, runs.front().schedule_fingerprint);
            QVERIFY(std::abs(run.curve.back().train_loss - runs.front().curve.back().train_loss) < 1e-5);
        }
    }

private:
    static void shapes()
    {
        QTest::addColumn<InstructionSet>("set");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("features");
        for (const InstructionSet set : supportedInstructionSets()) {
            for (const auto& [rows, features] : {std::pair{1, 1}, {7, 16}, {16, 17}, {33, 3}, {150, 2}}) {
                QTest::addRow("%s-%dx%d", instructionSetName(set), rows, features) << set << rows << features;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestInstructionSets)
#include "tst_instruction_sets.moc"
