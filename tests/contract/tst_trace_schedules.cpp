// What contract section 6 promises of a run with a trace, no network, no jitter and no failures, to the nanosecond.

#include "core/base/rng.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_iterations = 20;

/// Whole microseconds, like recorded traces have, with a heavy tail.
double seconds(std::size_t node, std::size_t iteration)
{
    Rng rng(99, Purpose::Estimate, node, iteration);
    const double tail = rng.uniform() < 0.05 ? 6 : 1;
    return static_cast<double>(400'000 + rng.below(300'000)) * tail / 1e6;
}

Duration due(std::size_t node, std::size_t iteration)
{
    return fromSeconds(seconds(node, iteration % k_iterations));
}

Experiment traced(const test::ScratchFolder& folder, std::size_t nodes, const std::string& strategy)
{
    folder.write("trace.csv", test::traceCsv(nodes, k_iterations, seconds));
    Experiment experiment = test::smallExperiment(nodes);
    experiment.folder = folder.path();
    experiment.cluster.trace = "trace.csv";
    experiment.strategy.kind = strategy;
    return experiment;
}

Duration slowest(const std::vector<std::size_t>& nodes, std::size_t iteration)
{
    Duration worst{0};
    for (const std::size_t node : nodes) {
        worst = std::max(worst, due(node, iteration));
    }
    return worst;
}

std::vector<Duration> sortedRow(std::size_t nodes, std::size_t iteration)
{
    std::vector<Duration> row;
    for (std::size_t node = 0; node < nodes; ++node) {
        row.push_back(due(node, iteration));
    }
    std::ranges::sort(row);
    return row;
}

std::vector<std::size_t> range(std::size_t first, std::size_t end)
{
    std::vector<std::size_t> all(end - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

} // namespace

class TraceSchedules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bspRoundsLastAsLongAsTheSlowestNode_data()
    {
        QTest::addColumn<std::size_t>("nodes");
        for (const std::size_t nodes : {std::size_t{8}, std::size_t{64}, std::size_t{256}}) {
            QTest::addRow("%zu nodes", nodes) << nodes;
        }
    }

    void bspRoundsLastAsLongAsTheSlowestNode()
    {
        QFETCH(const std::size_t, nodes);
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, nodes, "bsp");
        experiment.stop = {.seconds = {}, .updates = 20, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        TimePoint expected;
        for (std::size_t round = 0; round < 20; ++round) {
            expected += slowest(range(0, nodes), round);
            QCOMPARE(run.updates[round].time, expected);
            QCOMPARE(run.updates[round].nodes.size(), nodes);
        }
        QCOMPARE(run.end, expected);
    }

    void aspPushesAtTheRunningSumsOfEachRow()
    {
        constexpr std::size_t k_nodes = 64;
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, k_nodes, "asp");
        experiment.stop = {.seconds = {}, .updates = 64 * 12, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        std::vector<TimePoint> sums(k_nodes);
        std::vector<std::size_t> tasks(k_nodes, 0);
        for (const UpdateRecord& update : run.updates) {
            QCOMPARE(update.nodes.size(), std::size_t{1});
            const std::size_t node = update.nodes.front().index();
            sums[node] += due(node, tasks[node]++);
            QCOMPARE(update.time, sums[node]);
        }
    }

    void hybridIsBspInEachGroup()
    {
        constexpr std::size_t k_nodes = 12;
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, k_nodes, "hybrid");
        const std::vector<std::vector<std::size_t>> groups{range(0, 5), range(5, 6), range(6, 12)};
        experiment.groups.by = Grouping::By::Members;
        for (const auto& members : groups) {
            auto& group = experiment.groups.members.emplace_back();
            for (const std::size_t node : members) {
                group.emplace_back(node);
            }
        }
        experiment.stop = {.seconds = {}, .updates = 60, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        std::vector<TimePoint> ends(groups.size());
        std::vector<std::size_t> rounds(groups.size(), 0);
        for (const UpdateRecord& update : run.updates) {
            const std::size_t group = update.group.index();
            ends[group] += slowest(groups[group], rounds[group]++);
            QCOMPARE(update.time, ends[group]);
            QCOMPARE(update.nodes.size(), groups[group].size());
        }
        QVERIFY(std::ranges::all_of(rounds, [](std::size_t count) { return count > 5; }));
    }

    // After each update everybody starts over, so that round r is row r for all: T(K), and the rest is cancelled.
    void kSyncRoundsLastAsLongAsTheKthNode()
    {
        constexpr std::size_t k_nodes = 12;
        constexpr std::size_t k_gather = 8;
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, k_nodes, "k_sync");
        experiment.strategy.values["k"] = std::int64_t{k_gather};
        experiment.stop = {.seconds = {}, .updates = 40, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        TimePoint expected;
        for (std::size_t round = 0; round < 40; ++round) {
            expected += sortedRow(k_nodes, round)[k_gather - 1];
            QCOMPARE(run.updates[round].time, expected);
            QCOMPARE(run.updates[round].nodes.size(), k_gather);
        }
    }

    // (s + 1) T(n - s)
    void cyclicRoundsLastAsLongAsTheLastNodeNeeded()
    {
        constexpr std::size_t k_nodes = 8;
        constexpr std::size_t k_stragglers = 2;
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, k_nodes, "coded");
        experiment.strategy.values["code"] = std::string("cyclic");
        experiment.strategy.values["stragglers"] = std::int64_t{k_stragglers};
        experiment.stop = {.seconds = {}, .updates = 40, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        TimePoint expected;
        for (std::size_t round = 0; round < 40; ++round) {
            expected += 3 * sortedRow(k_nodes, round)[k_nodes - k_stragglers - 1];
            QCOMPARE(run.updates[round].time, expected);
            QCOMPARE(run.updates[round].samples, std::int64_t{8 * k_nodes});
        }
    }

    // (s + 1) x max over blocks of (min over the block's s + 1 nodes)
    void fractionalRoundsLastUntilEveryBlockHasOneIn()
    {
        constexpr std::size_t k_nodes = 9;
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, k_nodes, "coded");
        experiment.strategy.values["code"] = std::string("fractional");
        experiment.strategy.values["stragglers"] = std::int64_t{2};
        experiment.stop = {.seconds = {}, .updates = 40, .samples = {}, .loss = {}};

        const RunRecord run = test::run(experiment);

        TimePoint expected;
        for (std::size_t round = 0; round < 40; ++round) {
            Duration last{0};
            for (std::size_t block = 0; block < k_nodes; block += 3) {
                last = std::max(last,
                                std::min({due(block, round), due(block + 1, round), due(block + 2, round)}));
            }
            expected += 3 * last;
            QCOMPARE(run.updates[round].time, expected);
        }
    }

    void slowdownMultipliesTheTrace()
    {
        const test::ScratchFolder folder;
        Experiment experiment = traced(folder, 1, "bsp");
        experiment.cluster.nodes.front().slowdown = 3;
        experiment.stop = {.seconds = {}, .updates = 1, .samples = {}, .loss = {}};

        QCOMPARE(test::run(experiment).end, atSeconds(seconds(0, 0) * 3));
    }
};

QTEST_APPLESS_MAIN(TraceSchedules)
#include "tst_trace_schedules.moc"
