// Which node the others waited for: NodeFrame::cost_others against what follows from a trace.

#include "core/base/rng.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_nodes = 8;
constexpr std::size_t k_rounds = 20;

/// Whole milliseconds, no two of a round the same.
double seconds(std::size_t node, std::size_t round)
{
    Rng rng(17, Purpose::Estimate, node, round);
    return static_cast<double>(100 + 10 * rng.below(50) + node) / 1e3;
}

Duration due(std::size_t node, std::size_t round) { return fromSeconds(seconds(node, round)); }

Experiment traced(const test::ScratchFolder& folder, const std::string& strategy)
{
    folder.write("trace.csv", test::traceCsv(k_nodes, k_rounds, seconds));
    Experiment experiment = test::smallExperiment(k_nodes);
    experiment.folder = folder.path();
    experiment.cluster.trace = "trace.csv";
    experiment.strategy.kind = strategy;
    experiment.stop = {.seconds = {}, .updates = k_rounds, .samples = {}, .loss = {}};
    return experiment;
}

/// Nodes by their time in a round, fastest first.
std::vector<std::size_t> inOrder(std::size_t round)
{
    std::vector<std::size_t> nodes(k_nodes);
    std::iota(nodes.begin(), nodes.end(), 0);
    std::ranges::sort(nodes, {}, [&](std::size_t node) { return due(node, round); });
    return nodes;
}

std::vector<Duration> costs(const RunRecord& run)
{
    std::vector<Duration> costs;
    for (const NodeFrame& node : run.last.nodes) {
        costs.push_back(node.cost_others);
    }
    return costs;
}

Duration sum(const std::vector<Duration>& durations)
{
    return std::accumulate(durations.begin(), durations.end(), Duration{0});
}

Duration waiting(const RunRecord& run)
{
    Duration all{0};
    for (const NodeFrame& node : run.last.nodes) {
        all += node.times[Activity::Waiting];
    }
    return all;
}

} // namespace

class Blame : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBarrierChargesTheLastOfEveryRound()
    {
        const test::ScratchFolder folder;
        const RunRecord run = test::run(traced(folder, "bsp"));

        std::vector<Duration> expected(k_nodes);
        // The last round's waiting ends with the run, not with a node.
        for (std::size_t round = 0; round + 1 < k_rounds; ++round) {
            const std::vector<std::size_t> order = inOrder(round);
            for (const std::size_t node : order) {
                expected[order.back()] += due(order.back(), round) - due(node, round);
            }
        }
        QVERIFY(costs(run) == expected);
    }

    void kSyncChargesTheNodeThatCompletesTheRound()
    {
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, "k_sync");
        constexpr std::size_t k = 5;
        experiment.strategy.values["k"] = std::int64_t{k};
        const RunRecord run = test::run(experiment);

        std::vector<Duration> expected(k_nodes);
        for (std::size_t round = 0; round + 1 < k_rounds; ++round) {
            const std::vector<std::size_t> order = inOrder(round);
            for (std::size_t place = 0; place < k; ++place) {
                expected[order[k - 1]] += due(order[k - 1], round) - due(order[place], round);
            }
        }
        QVERIFY(costs(run) == expected);
    }

    void nobodyWaitsForAnybodyWithoutBarriers()
    {
        const test::ScratchFolder folder;
        const RunRecord run = test::run(traced(folder, "asp"));

        QCOMPARE(sum(costs(run)), Duration{0});
    }

    void aDeadNodeCostsWhatItsBarrierWaited()
    {
        Experiment experiment = test::smallExperiment(4);
        experiment.cluster.failure_detection_seconds = 1.0;
        experiment.events = {{atSeconds(0.25), Fail{NodeId{2}, {}}}}; // in its third task of 0.1 s
        const RunRecord run = test::run(experiment);

        // The others were done at 0.3 s and are released when the failure is noticed, at 1.25 s.
        const std::vector<Duration> expected{Duration{0}, Duration{0}, 3 * fromSeconds(0.95), Duration{0}};
        QVERIFY(costs(run) == expected);
    }

    void whatIsChargedIsWaiting_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const StrategyInfo& info : strategyCatalog()) {
            QTest::addRow("%s", info.id.c_str()) << QString::fromStdString(info.id);
        }
    }

    /// With messages that take time and a server that does, nothing is charged twice, and only to nodes.
    void whatIsChargedIsWaiting()
    {
        QFETCH(const QString, strategy);
        Experiment experiment = test::smallExperiment(6);
        experiment.strategy.kind = strategy.toStdString();
        experiment.cluster.jitter = {.kind = JitterKind::Exponential};
        experiment.cluster.network = Network{};
        experiment.cluster.network->latency = 0.004;
        experiment.cluster.server_seconds = 0.003;
        experiment.events = {{atSeconds(0.5), Fail{NodeId{1}, fromSeconds(1.0)}},
                             {atSeconds(0.9), Slow{NodeId{3}, 6.0, {}}}};
        const RunRecord run = test::run(experiment);

        QVERIFY(sum(costs(run)) <= waiting(run));
        if (strategy == QLatin1String("bsp")) {
            const std::vector<Duration> charged = costs(run);
            QCOMPARE(charged[3], *std::ranges::max_element(charged)); // the slow one
        }
    }
};

QTEST_APPLESS_MAIN(Blame)
#include "tst_blame.moc"
