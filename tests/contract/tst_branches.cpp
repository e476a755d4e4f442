// Runs in which another strategy takes over, and branches: the same run with something otherwise from a moment on.

#include "core/compare/what_if.h"
#include "core/experiment/experiment_json.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lab;
using test::atMs;
using test::ms;

namespace {

/// Five nodes of different speeds with jitter, messages that take time, a failure and a slowdown.
Experiment busy(const std::string& strategy)
{
    Experiment experiment = test::smallExperiment(5);
    experiment.strategy.kind = strategy;
    experiment.cluster.jitter = {.kind = JitterKind::Exponential};
    experiment.cluster.network = Network{.latency = 0.003, .bandwidth = 1e9, .server_bandwidth = {}};
    experiment.cluster.server_seconds = 0.001;
    experiment.cluster.failure_detection_seconds = 0.2;
    for (std::size_t i = 0; i < 5; ++i) {
        experiment.cluster.nodes[i].slowdown = 1 + static_cast<double>(i);
    }
    experiment.stop = {.seconds = 20, .updates = {}, .samples = {}, .loss = {}};
    experiment.events = {{atMs(1500), Fail{NodeId{1}, ms(900)}}, {atMs(3000), Slow{NodeId{0}, 5.0, ms(500)}}};
    return experiment;
}

StrategySwitch switchTo(const std::string& strategy, TimePoint at)
{
    return {.at = at, .strategy = {.kind = strategy, .values = {}}, .groups = {}};
}

std::vector<UpdateRecord> updatesBefore(const RunRecord& run, TimePoint moment)
{
    std::vector<UpdateRecord> before;
    std::ranges::copy_if(run.updates, std::back_inserter(before),
                         [&](const UpdateRecord& update) { return update.time < moment; });
    return before;
}

void strategies()
{
    QTest::addColumn<QString>("strategy");
    for (const StrategyInfo& info : strategyCatalog()) {
        QTest::addRow("%s", info.id.c_str()) << QString::fromStdString(info.id);
    }
}

} // namespace

class Branches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyStrategyTakesOverFromAnyOther_data() { strategies(); }
    void anyStrategyTakesOverFromAnyOther()
    {
        QFETCH(const QString, strategy);
        for (const StrategyInfo& second : strategyCatalog()) {
            // The moments lie amid a failure that nobody has noticed, after it was noticed, and in quiet times.
            for (const int at : {1600, 2000, 4000}) {
                Experiment experiment = busy(strategy.toStdString());
                experiment.switches = {switchTo(second.id, atMs(at))};
                const RunRecord run = test::run(experiment);

                const std::string where = second.id + " at " + std::to_string(at);
                QVERIFY2(test::wrongInLedger(run).empty(), (where + test::wrongInLedger(run)).c_str());
                QCOMPARE(run.stop_reason, StopReason::Seconds);
                for (std::size_t i = 0; i < run.updates.size(); ++i) {
                    QCOMPARE(run.updates[i].update, static_cast<Version>(i + 1)); // versions go on
                }
                const auto after = std::ranges::count_if(
                    run.updates, [&](const UpdateRecord& update) { return update.time > atMs(at); });
                QVERIFY2(after > 2, where.c_str());
                QVERIFY2(run.curve.back().train_loss < run.curve.front().train_loss, where.c_str());
            }
        }
    }

    void aSwitchIsTheSameForAnyNumberOfThreads()
    {
        Experiment experiment = busy("hybrid");
        experiment.switches = {switchTo("k_async", atMs(1700)), switchTo("hybrid_coded", atMs(4100))};

        QCOMPARE(test::firstDifference(test::run(experiment, 1), test::run(experiment, 3)), std::string());
    }

    void whatIsInHandIsLost()
    {
        Experiment experiment = test::smallExperiment(2); // rounds of 0.1 s
        experiment.stop = {.seconds = 1, .updates = {}, .samples = {}, .loss = {}};
        experiment.switches = {switchTo("bsp", atMs(250))};
        const RunRecord run = test::run(experiment);

        QCOMPARE(run.updates.size(), std::size_t{9}); // at 0.1, 0.2, then 0.35 …
        QCOMPARE(run.updates[2].time, atMs(350));
        QCOMPARE(test::timesOf(run, 0)[Activity::Wasted], ms(50));
    }

    void groupsOfTheSecondStrategyCanBeRearranged()
    {
        Experiment experiment = test::smallExperiment(4);
        experiment.stop = {.seconds = 4, .updates = {}, .samples = {}, .loss = {}};
        StrategySwitch change = switchTo("hybrid", atMs(1050));
        change.groups.by = Grouping::By::Members;
        change.groups.members = {{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{3}}};
        experiment.switches = {change};
        experiment.events = {{atMs(2000), Move{NodeId{1}, GroupId{1}}}};
        QVERIFY(validate(experiment).empty());
        const RunRecord run = test::run(experiment);

        QCOMPARE(run.last.groups.size(), std::size_t{2});
        QCOMPARE(run.last.groups[1].members.size(), std::size_t{3});
    }

    void aMoveBeforeTheSwitchIsRefused()
    {
        Experiment experiment = test::smallExperiment(4);
        experiment.switches = {switchTo("hybrid", atMs(1050))};
        experiment.events = {{atMs(1000), Move{NodeId{1}, GroupId{1}}}};

        const std::vector<Problem> problems = validate(experiment);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].where, std::string("events[0].do"));
    }

    void switchesAreReadBackAsTheyWereWritten()
    {
        Experiment experiment = busy("bsp");
        experiment.switches = {switchTo("hybrid_coded", atMs(100)), switchTo("ssp", atMs(200))};
        experiment.switches[0].strategy.values["stragglers"] = std::int64_t{1};
        experiment.switches[0].groups.by = Grouping::By::Members;
        experiment.switches[0].groups.members = {{NodeId{0}, NodeId{4}}, {NodeId{1}, NodeId{2}, NodeId{3}}};

        const Experiment read = parseExperiment(experimentToJson(experiment), "file", experiment.folder);

        QVERIFY(read == experiment);
    }

    void aWrongSwitchIsNamedWithItsPlace_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("where");
        QTest::newRow("no strategy") << R"([{"at": 1}])"
                                     << "switches[0].strategy";
        QTest::newRow("unknown") << R"([{"at": 1, "strategy": {"kind": "bps"}}])"
                                 << "switches[0].strategy.kind";
        QTest::newRow("parameter") << R"([{"at": 1, "strategy": {"kind": "k_sync", "k": 0}}])"
                                   << "switches[0].strategy.k";
        QTest::newRow("type") << R"([{"at": "x", "strategy": {"kind": "asp"}}])"
                              << "switches[0].at";
        QTest::newRow("negative") << R"([{"at": -1, "strategy": {"kind": "asp"}}])"
                                  << "switches[0].at";
        QTest::newRow("groups")
            << R"([{"at": 1, "strategy": {"kind": "hybrid"}, "groups": {"members": [["n0"]]}}])"
            << "switches[0].groups.members";
        QTest::newRow("unknown key") << R"([{"at": 1, "strategy": {"kind": "asp"}, "x": 1}])"
                                     << "switches[0].x";
        QTest::newRow("no list") << R"({})"
                                 << "switches";
    }
    void aWrongSwitchIsNamedWithItsPlace()
    {
        QFETCH(const QString, json);
        QFETCH(const QString, where);
        std::string text = experimentToJson(test::smallExperiment(3));
        text.insert(text.rfind('}'), ", \"switches\": " + json.toStdString() + "\n");
        try {
            (void)parseExperiment(text, "file", {});
            QFAIL("was taken");
        } catch (const ExperimentError& error) {
            QVERIFY2(QString::fromStdString(error.what()).contains(where), error.what());
        }
    }

    void aBranchIsTheSameRunUntilItsMoment_data() { strategies(); }
    void aBranchIsTheSameRunUntilItsMoment()
    {
        QFETCH(const QString, strategy);
        const Experiment journal = busy(strategy.toStdString());
        const TimePoint at = atMs(2600);
        const RunRecord run = test::run(journal);

        for (const WhatIf& what_if : {notSlow(journal, NodeId{4}, at), neverFails(journal, NodeId{1}, at),
                                      otherStrategy({.kind = "asp", .values = {}}, {}, at)}) {
            const Experiment branch = branchOf(journal, what_if);
            QVERIFY(validate(branch).empty());
            const RunRecord other = test::run(branch);

            QVERIFY(updatesBefore(run, at) == updatesBefore(other, at));
            for (std::size_t i = 0; i < run.curve.size() && run.curve[i].time < at; ++i) {
                QCOMPARE(run.curve[i].train_loss, other.curve[i].train_loss);
            }
        }
    }

    void aNodeThatIsNotSlowRunsAtNormalSpeed()
    {
        Experiment experiment = test::smallExperiment(2);
        experiment.cluster.nodes[1].slowdown = 4;
        experiment.events = {{atMs(1000), Slow{NodeId{1}, 2.0, {}}}};
        const RunRecord run = test::run(branchOf(experiment, notSlow(experiment, NodeId{1}, atMs(800))));

        QCOMPARE(run.updates[1].time, atMs(800)); // two rounds of 0.4 s
        QCOMPARE(run.updates[2].time, atMs(900)); // and the slowdown at 1 s is overruled
        QCOMPARE(run.updates[5].time, atMs(1200));
    }

    void aNodeThatDoesNotFailNeverDoes()
    {
        Experiment experiment = test::smallExperiment(2);
        experiment.stop = {.seconds = 5, .updates = {}, .samples = {}, .loss = {}};
        experiment.events = {{atMs(500), Fail{NodeId{1}, {}}},
                             {atMs(2000), Recover{NodeId{1}}},
                             {atMs(3000), Fail{NodeId{1}, ms(500)}}};
        const RunRecord run = test::run(branchOf(experiment, neverFails(experiment, NodeId{1}, atMs(700))));

        QCOMPARE(test::timesOf(run, 1)[Activity::Down], ms(200));
    }

    void aGroupIsSplitAtItsNextRound()
    {
        Experiment experiment = test::smallExperiment(4);
        experiment.strategy.kind = "hybrid";
        experiment.groups.by = Grouping::By::Members;
        experiment.groups.members = {{NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}}};
        const WhatIf what_if = splitGroup(experiment.groups.members[0], GroupId{0}, GroupId{1}, atMs(250));
        const RunRecord run = test::run(branchOf(experiment, what_if));

        QCOMPARE(run.last.groups.size(), std::size_t{2});
        QCOMPARE(run.last.groups[1].members, (std::vector<NodeId>{NodeId{2}, NodeId{3}}));
    }

    void theAnswerIsOneSentence()
    {
        Experiment experiment = test::smallExperiment(2);
        experiment.cluster.nodes[1].slowdown = 4;
        experiment.evaluate_every_updates = 1;
        experiment.stop = {.seconds = 12, .updates = {}, .samples = {}, .loss = {}};
        const WhatIf what_if = notSlow(experiment, NodeId{1}, atMs(800));
        const RunRecord run = test::run(experiment);
        const RunRecord other = test::run(branchOf(experiment, what_if));

        const std::string answer =
            answerTo(what_if, {.curve = run.curve, .idle = 0.375}, {.curve = other.curve, .idle = 0.0});

        // The 30 rounds of 0.4 s of the run take the branch 2 x 0.4 s + 28 x 0.1 s.
        QVERIFY2(answer.starts_with("If n1 runs at normal speed from 0.8 s on, a training loss of "),
                 answer.c_str());
        QVERIFY2(
            answer.ends_with("is reached after 3.6 s instead of 12 s, and nodes wait 0 % of the time instead "
                             "of 37.5 %."),
            answer.c_str());
        const std::string same =
            answerTo(what_if, {.curve = run.curve, .idle = 0.1}, {.curve = run.curve, .idle = 0.1});
        QVERIFY2(same.ends_with("is reached after 12 s all the same, and nodes wait 10 % of the time."),
                 same.c_str());
        std::vector<Evaluation> diverged = run.curve;
        diverged.back().train_loss = std::nan("");
        const std::string bad =
            answerTo(what_if, {.curve = run.curve, .idle = 0}, {.curve = diverged, .idle = 0});
        QVERIFY2(bad.find("ends at no finite number instead of") != std::string::npos, bad.c_str());
    }
};

QTEST_APPLESS_MAIN(Branches)
#include "tst_branches.moc"
