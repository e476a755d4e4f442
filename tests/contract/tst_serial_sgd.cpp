// One node is plain stochastic gradient descent, and the real data are really learnt.

#include "core/experiment/run.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <vector>

using namespace lab;

namespace {

Experiment onDigits(std::size_t nodes)
{
    Experiment experiment; // the shipped defaults: digits, MLP, batch 32, 60 s
    for (std::size_t i = 0; i < nodes; ++i) {
        experiment.cluster.nodes.push_back(
            {.name = "n" + std::to_string(i + 1), .slowdown = 1, .jitter = {}});
    }
    experiment.strategy.kind = "bsp";
    return experiment;
}

} // namespace

class SerialSgd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneNodeEqualsSerialSgdBitForBit_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const StrategyInfo& info : strategyCatalog()) {
            if (info.id == "bsp" || info.id == "asp") {
                QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
            }
        }
    }

    void oneNodeEqualsSerialSgdBitForBit()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = onDigits(1);
        experiment.strategy.kind = strategy.toStdString();
        experiment.stop = {.seconds = {}, .updates = 200, .samples = {}, .loss = {}};
        experiment.evaluate_every_updates = 200;
        const RunRecord run = test::run(experiment);

        const Dataset all = loadDataset(experiment.data.source, {}, experiment.seed);
        const Split split = splitDataset(all, experiment.data.validation, experiment.seed);
        const auto model = findModel("mlp")->make(experiment.model, split.training);
        const Sampler sampler(split.training, PartitionKind::Shuffled, 1, experiment.seed);
        Vector w = model->initial(experiment.seed);
        for (std::int64_t step = 0; step < 200; ++step) {
            std::vector<std::uint32_t> rows;
            sampler.append(NodeId{0}, step * 32, 32, rows);
            Vector sum = Vector::Zero(model->size());
            model->addGradient(w, split.training, rows, 1, sum);
            // w <- w - learning_rate * mean, the mean taken inside the factor as the server does
            w = w - static_cast<float>(experiment.training.learning_rate * (1.0 / 32)) * sum;
        }
        Executor executor(1);
        const auto workload = std::make_shared<const Workload>(
            Workload{.model = findModel("mlp")->make(experiment.model, split.training),
                     .training = split.training,
                     .validation = split.validation,
                     .sampler = sampler});
        const Evaluation serial = evaluate(workload, std::make_shared<const Vector>(w), executor);
        QCOMPARE(run.curve.back().train_loss, serial.train_loss);
        QCOMPARE(run.curve.back().validation_loss, serial.validation_loss);
        Fingerprint numbers;
        for (const Vector& at : {model->initial(experiment.seed), w}) {
            numbers.add(std::span(at.data(), static_cast<std::size_t>(at.size())));
        }
        QCOMPARE(run.number_fingerprint, numbers.value());
    }

    void digitsAreLearntWithTheShippedDefaults()
    {
        for (const std::size_t nodes : {std::size_t{1}, std::size_t{4}, std::size_t{12}}) {
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                Experiment experiment = onDigits(nodes);
                experiment.seed = seed;
                const double accuracy = test::run(experiment, 2).curve.back().validation_accuracy;
                QVERIFY2(
                    accuracy >= 0.95,
                    qPrintable(QStringLiteral("%1 nodes, seed %2: %3").arg(nodes).arg(seed).arg(accuracy)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(SerialSgd)
#include "tst_serial_sgd.moc"
