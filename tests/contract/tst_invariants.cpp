// What must hold of every run of a strategy (strategies section 1, "I"), beyond what holds of all strategies.

#include "core/base/rng.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;

namespace {

constexpr std::size_t k_nodes = 6;
constexpr int k_batch = 8;

/// Six nodes of very unequal speeds, with jitter.
Experiment unequal(const std::string& strategy)
{
    Experiment experiment = test::smallExperiment(k_nodes);
    for (std::size_t i = 0; i < k_nodes; ++i) {
        experiment.cluster.nodes[i].slowdown = i < 3 ? 1 : i < 5 ? 2.5 : 7;
    }
    experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential, .scale = 0.5};
    experiment.strategy.kind = strategy;
    experiment.stop = {.seconds = {}, .updates = 400, .samples = {}, .loss = {}};
    return experiment;
}

Experiment withK(const std::string& strategy, std::int64_t k)
{
    Experiment experiment = unequal(strategy);
    experiment.strategy.values["k"] = k;
    return experiment;
}

std::vector<Span> tasksOf(const RunRecord& run, std::size_t node)
{
    std::vector<Span> tasks = test::spansOf(run, node);
    std::erase_if(tasks, [](const Span& span) {
        return span.activity != Activity::Computing && span.activity != Activity::Wasted;
    });
    return tasks;
}

/// The furthest that any of these nodes was ahead of the slowest of them when it began a task. A clock counts finished tasks; without
/// messages a task that ended at a moment counts at that moment.
std::int64_t greatestGapAtStart(const RunRecord& run, std::size_t first = 0, std::size_t last = k_nodes - 1)
{
    std::vector<std::vector<Span>> tasks;
    for (std::size_t node = first; node <= last; ++node) {
        tasks.push_back(tasksOf(run, node));
    }
    const auto clockAt = [&](std::size_t node, TimePoint time) {
        return std::ranges::upper_bound(tasks[node], time, {}, &Span::end) - tasks[node].begin();
    };
    std::int64_t greatest = 0;
    for (std::size_t node = 0; node < tasks.size(); ++node) {
        for (const Span& task : tasks[node]) {
            const std::int64_t mine = clockAt(node, task.start);
            for (std::size_t other = 0; other < tasks.size(); ++other) {
                greatest = std::max(greatest, mine - clockAt(other, task.start));
            }
        }
    }
    return greatest;
}

/// Task times as clusters record them: a speed of its own for each node, log-normal noise, and stretches of slowness.
double recorded(std::size_t node, std::size_t iteration)
{
    Rng of_node(11, Purpose::Estimate, node, 0);
    const double speed = std::exp(0.2 * of_node.normal());
    Rng rng(11, Purpose::Estimate, node, 1 + iteration);
    const double noise = std::exp(0.15 * rng.normal());
    Rng burst(11, Purpose::Estimate, node, 1'000'000 + iteration / 6);
    return 0.1 * speed * noise * (burst.uniform() < 0.1 ? 5 : 1);
}

} // namespace

class Invariants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyUpdateHoldsKGradients_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const char* strategy : {"k_sync", "k_batch_sync", "k_async", "k_batch_async"}) {
            QTest::newRow(strategy) << QString::fromLatin1(strategy);
        }
    }

    void everyUpdateHoldsKGradients()
    {
        QFETCH(const QString, strategy);
        const bool is_sync =
            strategy.endsWith(QStringLiteral("sync")) && !strategy.endsWith(QStringLiteral("async"));
        const bool is_batch = strategy.startsWith(QStringLiteral("k_batch"));
        const RunRecord run = test::run(withK(strategy.toStdString(), 4));
        QCOMPARE(run.updates.size(), std::size_t{400});
        for (const UpdateRecord& update : run.updates) {
            QCOMPARE(update.samples, std::int64_t{4 * k_batch});
            QVERIFY(is_batch || update.nodes.size() == 4);
            QVERIFY(!is_sync || update.staleness_max == 0);
        }
        for (std::size_t node = 0; is_batch && node < k_nodes; ++node) {
            QCOMPARE(test::timesOf(run, node)[Activity::Waiting], Duration{0});
        }
    }

    // Of what has been pushed when an update ends the run, all is applied or dropped, and nothing is stale.
    void backupWorkersDropWhatTheyDoNotApply()
    {
        Experiment experiment = unequal("backup_workers");
        experiment.strategy.values["backups"] = std::int64_t{2};
        const RunRecord run = test::run(experiment);
        QCOMPARE(run.last.staleness.max(), std::int64_t{0});
        std::int64_t dropped = 0;
        for (std::size_t node = 0; node < k_nodes; ++node) {
            const std::vector<Span> tasks = tasksOf(run, node);
            const auto wasted = std::ranges::count(tasks, Activity::Wasted, &Span::activity);
            const auto left =
                static_cast<std::int64_t>(tasks.size()) - run.last.nodes[node].gradients - wasted;
            QVERIFY(left == 0 || left == 1); // in hand
            dropped += wasted;
        }
        QVERIFY(dropped > 50);
        for (const UpdateRecord& update : run.updates) {
            QCOMPARE(update.nodes.size(), k_nodes - 2);
        }
    }

    void ringmasterAppliesNothingBeyondItsThreshold()
    {
        Experiment experiment = unequal("ringmaster");
        experiment.strategy.values["threshold"] = std::int64_t{8};
        const RunRecord run = test::run(experiment);
        QVERIFY(run.last.staleness.max() <= 7);
        QVERIFY(test::timesOf(run, 5)[Activity::Wasted]
                > Duration{0}); // the slow one is too stale now and then
    }

    void loadBalancedBatchesAlwaysAddUp()
    {
        const RunRecord run = test::run(unequal("lb_bsp"));
        for (const UpdateRecord& update : run.updates) {
            QCOMPARE(update.samples, std::int64_t{k_nodes * k_batch});
            QCOMPARE(update.nodes.size(), k_nodes);
        }
    }

    void dampingNeverEnlargesAStep_data()
    {
        QTest::addColumn<bool>("weighs_by_samples");
        QTest::newRow("samples") << true;
        QTest::newRow("update") << false;
    }

    void dampingNeverEnlargesAStep()
    {
        QFETCH(const bool, weighs_by_samples);
        Experiment experiment = unequal("staleness_aware");
        experiment.training.update_weight = weighs_by_samples ? UpdateWeight::Samples : UpdateWeight::Update;
        experiment.training.learning_rate = 0.01;
        const double undamped = weighs_by_samples ? 1.0 / k_nodes : 1;
        const RunRecord run = test::run(experiment);
        for (const UpdateRecord& update : run.updates) {
            QVERIFY(update.weight <= undamped);
            const double usual = weighs_by_samples ? k_nodes - 1.0 : 1;
            const double factor = std::min(1.0, usual / std::max(1.0, update.staleness_mean));
            QVERIFY(std::abs(update.weight - undamped * factor) < 1e-12);
        }
    }

    void withoutCompensationDcAsgdIsAsp()
    {
        Experiment compensated = unequal("dc_asgd");
        compensated.strategy.values["compensation"] = 0.0;
        compensated.evaluate_every_updates = 10;
        Experiment plain = unequal("asp");
        plain.evaluate_every_updates = 10;
        const RunRecord one = test::run(compensated);
        const RunRecord other = test::run(plain);
        QCOMPARE(one.schedule_fingerprint, other.schedule_fingerprint);
        QCOMPARE(one.number_fingerprint, other.number_fingerprint);
        compensated.strategy.values["compensation"] = 0.5;
        QVERIFY(test::run(compensated).number_fingerprint != other.number_fingerprint);
    }

    void localSgdOfOneStepIsBsp()
    {
        Experiment local = unequal("local_sgd");
        local.strategy.values["steps"] = std::int64_t{1};
        QCOMPARE(test::firstDifference(test::run(local), test::run(unequal("bsp"))), std::string());
    }

    void kSyncAndKAsyncMeetTheirNeighbours()
    {
        // K-sync of all nodes is BSP, K-async of one is ASP: the same schedule and the same numbers
        const RunRecord bsp = test::run(unequal("bsp"));
        const RunRecord all = test::run(withK("k_sync", k_nodes));
        QCOMPARE(all.schedule_fingerprint, bsp.schedule_fingerprint);
        QCOMPARE(all.number_fingerprint, bsp.number_fingerprint);
        const RunRecord asp = test::run(unequal("asp"));
        const RunRecord single = test::run(withK("k_async", 1));
        QCOMPARE(single.schedule_fingerprint, asp.schedule_fingerprint);
        QCOMPARE(single.number_fingerprint, asp.number_fingerprint);
    }

    // At every start of a task its node is at most s ahead of the slowest; where nodes differ it gets that far.
    void sspHoldsItsBound_data()
    {
        QTest::addColumn<int>("bound");
        QTest::addColumn<bool>("is_traced");
        for (const int bound : {0, 1, 3, 5}) {
            QTest::addRow("jitter, %d", bound) << bound << false;
            QTest::addRow("trace, %d", bound) << bound << true;
        }
    }

    void sspHoldsItsBound()
    {
        QFETCH(const int, bound);
        QFETCH(const bool, is_traced);
        const test::ScratchFolder folder;
        Experiment experiment = unequal("ssp");
        experiment.strategy.values["staleness"] = std::int64_t{bound};
        if (is_traced) {
            folder.write("trace.csv", test::traceCsv(k_nodes, 200, recorded));
            experiment.folder = folder.path();
            experiment.cluster.trace = "trace.csv";
            for (NodeSpec& node : experiment.cluster.nodes) {
                node.slowdown = 1;
            }
        }
        const RunRecord run = test::run(experiment);
        QCOMPARE(greatestGapAtStart(run), std::int64_t{bound});
    }

    // Groups of like speed keep the bound, each for itself, and do not wait for each other.
    void groupedSspHoldsItsBoundInsideGroupsOnly()
    {
        Experiment experiment = unequal("gssp");
        experiment.strategy.values["staleness"] = std::int64_t{2};
        experiment.groups.by = Grouping::By::Members;
        experiment.groups.members = {{NodeId{0}, NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}}, {NodeId{5}}};
        const RunRecord run = test::run(experiment);
        QVERIFY(greatestGapAtStart(run, 0, 2) <= 2);
        QVERIFY(greatestGapAtStart(run, 3, 4) <= 2);
        QVERIFY(greatestGapAtStart(run) > 10);
        for (const UpdateRecord& update : run.updates) {
            QCOMPARE(update.nodes.size(), std::size_t{1});
            QVERIFY(update.group == run.last.nodes[update.nodes.front().index()].group);
        }
    }

    // Groups that are found by speed are found as the hybrid finds them, and the log says why.
    void groupedSspFindsTheGroupsOfTheHybrid()
    {
        Partition groups;
        for (const char* strategy : {"hybrid", "gssp"}) {
            Experiment experiment = unequal(strategy);
            if (strategy == std::string("hybrid")) {
                experiment.strategy.values["regroup"] = false;
            }
            const RunRecord run = test::run(experiment);
            Partition found;
            for (const GroupFrame& group : run.last.groups) {
                found.push_back(group.members);
            }
            QVERIFY(found.size() > 1);
            QVERIFY(groups.empty() || found == groups);
            groups = found;
            QVERIFY(std::ranges::any_of(run.log, [](const LogEntry& entry) {
                return entry.kind == LogEntry::Kind::Note && entry.text.find("group") != std::string::npos;
            }));
        }
    }

    // A node that is dragged joins the new group's clocks at once, whichever way.
    void aMovedNodeIsBoundByItsNewGroup()
    {
        Experiment experiment = unequal("gssp");
        experiment.groups.by = Grouping::By::Members;
        experiment.groups.members = {{NodeId{0}, NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}, NodeId{5}}};
        experiment.stop = {.seconds = 100, .updates = {}, .samples = {}, .loss = {}};
        experiment.events = {{.at = atSeconds(20), .change = Move{NodeId{0}, GroupId{1}}},
                             {.at = atSeconds(60), .change = Move{NodeId{5}, GroupId{2}}}};
        const RunRecord run = test::run(experiment);
        const auto pushes = [&](std::size_t node, double from, double to) {
            return std::ranges::count_if(run.updates, [&](const UpdateRecord& update) {
                return update.nodes.front() == NodeId{node} && update.time > atSeconds(from)
                    && update.time <= atSeconds(to);
            });
        };
        QVERIFY(pushes(0, 25, 60) <= pushes(5, 25, 60) + 4);  // at the pace of the slowest of its new group
        QVERIFY(pushes(0, 65, 100) > 2 * pushes(5, 65, 100)); // which has left it
        QVERIFY(run.last.nodes[5].group == GroupId{2});
    }

    void dsspHoldsItsUpperBoundAndWaitsNoMoreThanSsp_data()
    {
        QTest::addColumn<double>("slowdown"); // of the slow half; constant speeds
        for (const double slowdown : {1.3, 1.9, 3.7}) {
            QTest::addRow("%g", slowdown) << slowdown;
        }
    }

    void dsspHoldsItsUpperBoundAndWaitsNoMoreThanSsp()
    {
        QFETCH(const double, slowdown);
        const auto waiting = [&](const std::string& strategy, bool has_jitter) {
            Experiment experiment = unequal(strategy);
            experiment.cluster.jitter =
                has_jitter ? Jitter{.kind = JitterKind::Lognormal, .sigma = 0.1} : Jitter{};
            for (std::size_t i = 0; i < k_nodes; ++i) {
                experiment.cluster.nodes[i].slowdown = i < 3 ? 1 : slowdown;
            }
            experiment.strategy.values["staleness"] = std::int64_t{2};
            if (strategy == "dssp") {
                experiment.strategy.values["most_staleness"] = std::int64_t{7};
            }
            experiment.stop = {.seconds = 60.0, .updates = {}, .samples = {}, .loss = {}};
            const RunRecord run = test::run(experiment);
            const std::int64_t most = strategy == "dssp" ? 7 : 2;
            if (has_jitter && greatestGapAtStart(run) > most) {
                return -1.0;
            }
            return *test::measured(run).idle_fraction;
        };
        QVERIFY(waiting("dssp", true) >= 0);
        QVERIFY(waiting("dssp", false) <= waiting("ssp", false) + 1e-9);
    }

    // The code changes who computes what, not what comes out: with the same rows in every update, and updates in the
    // same order (constant times, all twice as long), losses are the same to rounding.
    void aCodeLeavesTheTrajectoryAlone_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"fractional", "cyclic"}) {
            QTest::newRow(code) << QString::fromLatin1(code);
        }
    }

    void aCodeLeavesTheTrajectoryAlone()
    {
        QFETCH(const QString, code);
        const auto losses = [&](const std::string& strategy) {
            Experiment experiment = test::smallExperiment(8);
            for (std::size_t i = 4; i < 8; ++i) {
                experiment.cluster.nodes[i].slowdown = 2.7;
            }
            test::setGroups(experiment, {{0, 1, 2, 3}, {4, 5, 6, 7}});
            experiment.strategy.kind = strategy;
            if (strategy == "hybrid_coded") {
                experiment.strategy.values["code"] = code.toStdString();
                experiment.strategy.values["stragglers"] = std::int64_t{1};
            }
            experiment.evaluate_every_updates = 1;
            experiment.stop.updates = 60;
            return test::run(experiment);
        };
        const RunRecord plain = losses("hybrid");
        const RunRecord coded = losses("hybrid_coded");
        QCOMPARE(coded.curve.size(), plain.curve.size());
        for (std::size_t i = 0; i < plain.curve.size(); ++i) {
            QVERIFY(std::abs(coded.curve[i].train_loss - plain.curve[i].train_loss) < 1e-6);
        }
        for (std::size_t i = 0; i < plain.updates.size(); ++i) {
            QCOMPARE(coded.updates[i].group, plain.updates[i].group);
            QCOMPARE(coded.updates[i].samples, plain.updates[i].samples);
        }
        QCOMPARE(coded.end - TimePoint{}, 2 * (plain.end - TimePoint{}));
    }

    // Nobody notices the dead, and the group goes on without them; without a code it never does.
    void aCodeRidesOutItsDead_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("dead");
        QTest::newRow("cyclic") << QStringLiteral("cyclic") << 2;
        QTest::newRow("fractional") << QStringLiteral("fractional") << 2;
        QTest::newRow("heterogeneous") << QStringLiteral("heterogeneous") << 2;
    }

    void aCodeRidesOutItsDead()
    {
        QFETCH(const QString, code);
        QFETCH(const int, dead);
        Experiment experiment = unequal("coded");
        experiment.strategy.values["stragglers"] = std::int64_t{dead};
        experiment.strategy.values["code"] = code.toStdString();
        experiment.cluster.failure_detection_seconds = std::nullopt;
        for (std::int32_t node = 0; node < dead; ++node) {
            experiment.events.push_back({.at = atSeconds(1), .change = Fail{NodeId{node}, std::nullopt}});
        }
        experiment.stop = {.seconds = 200.0, .updates = {}, .samples = {}, .loss = {}};
        const RunRecord run = test::run(experiment);
        QVERIFY(run.stop_reason == StopReason::Seconds);
        QVERIFY(run.updates.back().time > atSeconds(190));
        QCOMPARE(run.last.staleness.max(), std::int64_t{0});

        experiment.strategy = {.kind = "bsp", .values = {}};
        QVERIFY(test::run(experiment).stop_reason == StopReason::Stalled);
    }
};

QTEST_APPLESS_MAIN(Invariants)
#include "tst_invariants.moc"
