// What the notes of the shipped experiments E1 to E6 say, held against the files themselves.

#include "core/experiment/experiment_json.h"
#include "core/experiment/summary.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;

namespace {

struct Outcome {
    Summary summary;
    RunRecord record;
    [[nodiscard]] double samplesPerSecond() const
    {
        return static_cast<double>(summary.samples) / summary.seconds;
    }
    [[nodiscard]] double updatesPerSecond() const
    {
        return static_cast<double>(summary.updates) / summary.seconds;
    }
};

/// A shipped experiment's run, with values of the file replaced.
Outcome outcome(const std::string& name, const std::vector<Override>& overrides = {})
{
    const Experiment experiment =
        loadExperiment(std::string(LAB_SOURCE_DIR) + "/experiments/" + name + ".json", overrides);
    Outcome one{{}, test::run(experiment)};
    one.summary = summarize(experiment, one.record, 0);
    return one;
}

Outcome under(const std::string& name, const std::string& strategy)
{
    return outcome(name, {{"strategy.kind", strategy}});
}

bool isWithin(double value, double expected, double share)
{
    return std::abs(value - expected) <= share * expected;
}

/// Moments at which groups or codes changed after they were first made.
std::vector<TimePoint> changesOfGroups(const RunRecord& record)
{
    std::vector<TimePoint> moments;
    for (const LogEntry& entry : record.log) {
        const bool is_change = entry.text.find(" moved to group ") != std::string::npos
            || entry.text.find(" tolerates ") != std::string::npos;
        if (is_change && (moments.empty() || moments.back() != entry.time)) {
            moments.push_back(entry.time);
        }
    }
    return moments;
}

} // namespace

class TestShippedExperiments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void e1FollowsItsFormulas();
    void e2OrdersRatesAndIdleTimes();
    void e2HybridFindsTheThreeClasses();
    void e3HalvesTheHybrid();
    void e4DoesNotDependOnTheSlowdown();
    void e4CostsWhereNobodyStraggles();
    void e5aIsBestWithOneStraggler();
    void e5bGoesOnWithTheDeadNode();
    void e6FollowsThePriceOfStaleness_data();
    void e6FollowsThePriceOfStaleness();
    void e6CodesWhileThereIsRisk();
};

void TestShippedExperiments::e1FollowsItsFormulas()
{
    // H(8) = 2.717857, H(2) = 1.5; tasks take 0.1 s on average. 300 s hold 1100 rounds, whose mean has a relative
    // standard error of 1.236 / 2.718 / sqrt(1100) = 1.4 %.
    constexpr double k_h8 = 2.717857;
    const Outcome bsp = outcome("e1-barrier-cost");
    const Outcome k_sync = outcome("e1-barrier-cost", {{"strategy", R"({"kind": "k_sync", "k": 6})"}});
    const Outcome asp = under("e1-barrier-cost", "asp");

    QVERIFY(isWithin(bsp.updatesPerSecond(), 10 / k_h8, 0.04));
    QVERIFY(isWithin(bsp.summary.idle_fraction, 1 - 1 / k_h8, 0.02));
    QVERIFY(isWithin(k_sync.updatesPerSecond(), 10 / (k_h8 - 1.5), 0.04));
    QVERIFY(isWithin(asp.updatesPerSecond(), 80, 0.02));
    QVERIFY(isWithin(asp.summary.mean_staleness, 7, 0.01));
    const StalenessHistogram& staleness = asp.record.last.staleness;
    QVERIFY(isWithin(static_cast<double>(staleness.counts()[0]),
                     0.125 * static_cast<double>(staleness.total()), 0.05));
}

void TestShippedExperiments::e2OrdersRatesAndIdleTimes()
{
    const Outcome bsp = under("e2-unbalanced-speeds", "bsp");
    const Outcome hybrid = outcome("e2-unbalanced-speeds");
    const Outcome asp = under("e2-unbalanced-speeds", "asp");

    QVERIFY(bsp.samplesPerSecond() < hybrid.samplesPerSecond());
    QVERIFY(hybrid.samplesPerSecond() < asp.samplesPerSecond());
    QVERIFY(bsp.summary.idle_fraction > hybrid.summary.idle_fraction);
    QVERIFY(hybrid.summary.idle_fraction > asp.summary.idle_fraction);
    QVERIFY(bsp.summary.mean_staleness < hybrid.summary.mean_staleness);
    QVERIFY(hybrid.summary.mean_staleness < asp.summary.mean_staleness);
    QVERIFY(isWithin(bsp.samplesPerSecond(), 433, 0.03));
    QVERIFY(isWithin(hybrid.samplesPerSecond(), 1011, 0.02));
    QVERIFY(isWithin(asp.samplesPerSecond(), 1120, 0.01));
}

void TestShippedExperiments::e2HybridFindsTheThreeClasses()
{
    const Outcome hybrid = outcome("e2-unbalanced-speeds");

    for (std::size_t node = 0; node < 12; ++node) {
        const std::size_t first_of_class = node / 4 * 4;
        QCOMPARE(hybrid.record.last.nodes[node].group, hybrid.record.last.nodes[first_of_class].group);
    }
    QVERIFY(hybrid.record.last.nodes[0].group != hybrid.record.last.nodes[4].group);
    QVERIFY(hybrid.record.last.nodes[4].group != hybrid.record.last.nodes[8].group);
}

void TestShippedExperiments::e3HalvesTheHybrid()
{
    const Outcome healthy = outcome("e3-severe-straggler", {{"cluster.nodes[0].slowdown", "1"}});
    const Outcome hybrid = outcome("e3-severe-straggler");
    const Outcome asp = under("e3-severe-straggler", "asp");
    const Outcome bsp = under("e3-severe-straggler", "bsp");

    QVERIFY(hybrid.samplesPerSecond() <= 0.6 * healthy.samplesPerSecond());
    QVERIFY(isWithin(hybrid.samplesPerSecond(), 497, 0.02));
    QVERIFY(bsp.samplesPerSecond() < hybrid.samplesPerSecond());
    QVERIFY(hybrid.samplesPerSecond() < asp.samplesPerSecond());
    QVERIFY(hybrid.summary.idle_fraction > 2 * healthy.summary.idle_fraction);
}

void TestShippedExperiments::e4DoesNotDependOnTheSlowdown()
{
    const double rate = outcome("e4-coding-restores").samplesPerSecond();
    QVERIFY(isWithin(rate, 748, 0.02));

    for (const char* slowdown : {"3", "5", "20"}) {
        const std::vector<Override> slow{{"cluster.nodes[0].slowdown", slowdown}};
        QVERIFY(isWithin(outcome("e4-coding-restores", slow).samplesPerSecond(), rate, 0.02));
        QVERIFY(outcome("e3-severe-straggler", slow).samplesPerSecond() < rate);
    }
}

void TestShippedExperiments::e4CostsWhereNobodyStraggles()
{
    const std::vector<Override> healthy{{"cluster.nodes[0].slowdown", "1"}};

    const Outcome coded = outcome("e4-coding-restores", healthy);
    const Outcome plain = outcome("e3-severe-straggler", healthy);
    const Outcome everywhere = outcome("e4-coding-restores", {{"strategy.stragglers", "1"}});

    QVERIFY(coded.samplesPerSecond() < plain.samplesPerSecond());
    QVERIFY(everywhere.samplesPerSecond() < outcome("e4-coding-restores").samplesPerSecond());
}

void TestShippedExperiments::e5aIsBestWithOneStraggler()
{
    std::vector<double> rates;
    for (const char* stragglers : {"0", "1", "2"}) {
        rates.push_back(
            outcome("e5a-transient-slowdowns", {{"strategy.stragglers", stragglers}}).samplesPerSecond());
    }

    QVERIFY(rates[0] < rates[2] && rates[2] < rates[1]);
    QVERIFY(isWithin(rates[0], 273.5, 0.03));
    QVERIFY(isWithin(rates[1], 380.8, 0.03));
    QVERIFY(isWithin(rates[2], 361.3, 0.03));
}

void TestShippedExperiments::e5bGoesOnWithTheDeadNode()
{
    const Outcome coded = outcome("e5b-a-node-dies");
    const Outcome hybrid = under("e5b-a-node-dies", "hybrid");
    const Outcome bsp = under("e5b-a-node-dies", "bsp");
    const auto of_the_fast_group_late = [](const Outcome& one) {
        return std::ranges::count_if(one.record.updates, [](const UpdateRecord& update) {
            return update.group == GroupId{0} && update.time > atSeconds(10);
        });
    };

    QVERIFY(of_the_fast_group_late(coded) > 200); // 50 s at about five rounds a second
    QCOMPARE(of_the_fast_group_late(hybrid), std::ptrdiff_t{0});
    QVERIFY(bsp.summary.stop_reason == StopReason::Stalled);
    QVERIFY(bsp.summary.seconds < 10);
}

void TestShippedExperiments::e6FollowsThePriceOfStaleness_data()
{
    QTest::addColumn<QByteArray>("kappa");
    QTest::addColumn<int>("groups");
    QTest::newRow("free") << QByteArray("0") << 12;
    QTest::newRow("between") << QByteArray("0.1") << 3;
    QTest::newRow("prohibitive") << QByteArray("100") << 1;
}

void TestShippedExperiments::e6FollowsThePriceOfStaleness()
{
    QFETCH(QByteArray, kappa);
    QFETCH(int, groups);

    // Up to 10 s the groups are those that were made after the warm-up.
    const Outcome one =
        outcome("e6-groups-and-redundancy",
                {{"strategy.staleness_penalty", kappa.toStdString()}, {"stop.seconds", "10"}});

    std::vector<GroupId> found;
    for (const NodeFrame& node : one.record.last.nodes) {
        if (std::ranges::find(found, node.group) == found.end()) {
            found.push_back(node.group);
        }
    }
    QCOMPARE(static_cast<int>(found.size()), groups);
}

void TestShippedExperiments::e6CodesWhileThereIsRisk()
{
    const Outcome one = outcome("e6-groups-and-redundancy");
    const auto wasted_between = [&](double from, double to) {
        return std::ranges::any_of(one.record.spans, [&](const Span& span) {
            return span.activity == Activity::Wasted && span.start >= atSeconds(from)
                && span.end <= atSeconds(to);
        });
    };

    // Work is wasted only where a code is; the last strike is at 40 s.
    QVERIFY(!wasted_between(0, 20));
    QVERIFY(wasted_between(30, 50));
    QVERIFY(!wasted_between(70, 120));
    const std::size_t changes = changesOfGroups(one.record).size();
    QVERIFY(changes >= 1 && changes <= 2);
    for (const GroupFrame& group : one.record.last.groups) {
        QCOMPARE(group.tolerance, 0);
    }
    for (std::size_t node = 0; node < 12; ++node) {
        QCOMPARE(one.record.last.nodes[node].group, one.record.last.nodes[node / 4 * 4].group);
    }
}

QTEST_APPLESS_MAIN(TestShippedExperiments)
#include "tst_shipped_experiments.moc"
