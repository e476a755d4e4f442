// The live clock: real workers, real time, and the same run again under the virtual clock.

#include "core/engine/wall_clock.h"
#include "core/experiment/live_replay.h"
#include "core/experiment/run.h"
#include "core/experiment/session.h"
#include "core/experiment/summary.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

using namespace lab;
using namespace std::chrono_literals;
using lab::test::atMs;
using lab::test::ms;
using lab::test::ScratchFolder;
using lab::test::smallExperiment;

namespace {

using Wall = WallClock::Wall;

/// Six unequal nodes with tasks of a few milliseconds, for a fifth of a second.
Experiment shortRun(const std::string& strategy)
{
    Experiment experiment = smallExperiment(6);
    experiment.cluster.batch_seconds = 0.004;
    for (std::size_t i = 3; i < 6; ++i) {
        experiment.cluster.nodes[i].slowdown = 2.5;
    }
    experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential};
    experiment.cluster.failure_detection_seconds = 0.012;
    experiment.strategy.kind = strategy;
    experiment.groups.by = Grouping::By::Members;
    experiment.groups.members = {{NodeId{0}, NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}, NodeId{5}}};
    experiment.stop = {.seconds = 0.2, .updates = {}, .samples = {}, .loss = {}};
    return experiment;
}

RunRecord live(const Experiment& experiment)
{
    std::optional<RunRecord> run = runLive(experiment, {});
    return std::move(*run);
}

/// The live run again, from its trace, under the virtual clock.
RunRecord replayed(const Experiment& experiment, const RunRecord& run)
{
    const ScratchFolder folder;
    folder.write("trace.csv", traceCsv(run.task_seconds));
    Experiment replay = replayOf(experiment, "trace.csv");
    replay.folder = folder.path();
    return test::run(replay);
}

/// What differs between a live run and its replay; what the machine did is the live run's alone.
QString firstDifference(RunRecord live, const RunRecord& replay)
{
    live.last.live.reset();
    live.task_seconds.clear();
    return QString::fromStdString(test::firstDifference(live, replay));
}

void everyStrategy()
{
    QTest::addColumn<QString>("strategy");
    for (const StrategyInfo& info : strategyCatalog()) {
        QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
    }
}

std::ptrdiff_t threadsOfThisProcess()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// Looks until it is so; gives up after a minute.
template <class IsSo> bool until(Session& session, IsSo isSo)
{
    const auto end = Wall::now() + 1min;
    while (!isSo(session.poll())) {
        if (Wall::now() > end) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

} // namespace

class TestLive final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClockStandsFollowsTheWallOrIsFree();
    void whatComesInWhileNobodySleepsIsNotMissed();

    void bspEndsWithTheSameParametersUnderBothClocks();
    void aLiveRunRepeatsItselfFromItsTrace_data() { everyStrategy(); }
    void aLiveRunRepeatsItselfFromItsTrace();
    void slowdownsInMidTaskRepeatToTheNanosecond();
    void liveAndVirtualAgreeWhereTheMachineKeepsUp_data() { everyStrategy(); }
    void liveAndVirtualAgreeWhereTheMachineKeepsUp();
    void aTaskIsNeverShorterThanItsGradient();
    void survivesAnyNodeFailing_data() { everyStrategy(); }
    void survivesAnyNodeFailing();
    void moreNodesThanThreadsAreRefused();

    void aPausedLiveRunStandsStill();
    void changesOfALiveSessionRepeatFromItsJournal();
    void aLiveSessionCanEndAtAnyMoment();
    void aThousandStartsAndStopsLeaveNoThreadBehind();
};

void TestLive::aClockStandsFollowsTheWallOrIsFree()
{
    WallClock clock;
    QVERIFY(clock.now() == TimePoint{});

    clock.goFrom(atMs(5), 1000.0);
    const TimePoint first = clock.now();
    while (clock.now() < atMs(6)) {}
    QVERIFY(first >= atMs(5));
    QVERIFY(clock.reaches(atMs(6)) <= Wall::now());
    QVERIFY(clock.reaches(atMs(3'600'000)) > Wall::now());

    clock.standAt(atMs(7));
    QVERIFY(clock.now() == atMs(7));
    clock.goFrom(atMs(8), std::nullopt);
    QVERIFY(!clock.isPaced());
    QVERIFY(clock.now() == atMs(8));

    // What is left out does not count: the clock stands where it stood when that began, give or take this line.
    clock.goFrom(atMs(9), 1.0);
    const auto began = Wall::now();
    std::this_thread::sleep_for(20ms);
    clock.leaveOut(began);
    QVERIFY(clock.now() - atMs(9) < Wall::now() - began);
}

void TestLive::whatComesInWhileNobodySleepsIsNotMissed()
{
    WallClock clock;
    clock.wake();
    clock.await(std::nullopt); // returns

    clock.finished({.node = NodeId{3}, .launch = 7, .took = ms(1)});
    clock.finished({.node = NodeId{1}, .launch = 8, .took = ms(2)});
    clock.await(std::nullopt); // returns
    const auto finished = clock.takeFinished();
    QCOMPARE(finished.size(), std::size_t{2});
    QCOMPARE(finished[0].launch, std::uint64_t{7});
    QVERIFY(finished[1].node == NodeId{1});
    QVERIFY(clock.takeFinished().empty());

    std::jthread worker([&clock] { clock.finished({.node = NodeId{0}, .launch = 9, .took = ms(1)}); });
    while (clock.takeFinished().empty()) {
        clock.await(std::nullopt);
    }
}

void TestLive::bspEndsWithTheSameParametersUnderBothClocks()
{
    Experiment experiment = shortRun("bsp");
    experiment.stop = {.seconds = {}, .updates = 12, .samples = {}, .loss = {}};
    experiment.evaluate_every_updates = 4;

    const RunRecord real = live(experiment);
    const RunRecord counted = test::run(experiment);

    QCOMPARE(real.last.version, Version{12});
    QCOMPARE(real.number_fingerprint, counted.number_fingerprint); // of the parameters at every evaluation
    QVERIFY(real.end >= counted.end); // no real task is shorter than the emulated
}

void TestLive::aLiveRunRepeatsItselfFromItsTrace()
{
    QFETCH(const QString, strategy);
    Experiment experiment = shortRun(strategy.toStdString());
    experiment.cluster.network = Network{.latency = 0.0003, .bandwidth = 1e6, .server_bandwidth = 1e6};
    experiment.cluster.server_seconds = 0.0001;
    experiment.events = {{.at = atMs(60), .change = Fail{NodeId{1}, ms(40)}},
                         {.at = atMs(75), .change = Fail{NodeId{4}, std::nullopt}}};

    const RunRecord run = live(experiment);

    QVERIFY(run.last.version > 0);
    QVERIFY(run.last.live.has_value());
    QCOMPARE(test::wrongInLedger(run), std::string());
    QCOMPARE(firstDifference(run, replayed(experiment, run)), QString());
}

void TestLive::slowdownsInMidTaskRepeatToTheNanosecond()
{
    Experiment experiment = shortRun("asp");
    for (std::int64_t at = 5; at < 190; at += 7) {
        experiment.events.push_back(
            {.at = atMs(at),
             .change = Slow{.node = NodeId{static_cast<std::int32_t>(at % 6)},
                            .factor = at % 2 == 0 ? 3.7 : 0.6,
                            .lasting = at % 3 == 0 ? std::optional(ms(5)) : std::nullopt}});
    }

    const RunRecord run = live(experiment);

    QCOMPARE(firstDifference(run, replayed(experiment, run)), QString());
}

void TestLive::liveAndVirtualAgreeWhereTheMachineKeepsUp()
{
    QFETCH(const QString, strategy);
    Experiment experiment = shortRun(strategy.toStdString());
    experiment.cluster.batch_seconds = 0.02;

    // A busy machine stretches tasks; then the run has to say so. Small differences in time may also send a strategy
    // that predicts, like DSSP, another way: where a second is too short to average over that, five decide. Two updates
    // are what the ends of a run may cost.
    QString disagreement;
    for (const double seconds : {1.0, 5.0}) {
        experiment.stop.seconds = seconds;
        const RunRecord real = live(experiment);
        const RunRecord counted = test::run(experiment);
        const double share = real.last.live->machine_share;
        const auto updates = static_cast<double>(counted.last.version);
        if (std::abs(static_cast<double>(real.last.version) - updates) <= 2 + 0.05 * updates
            || share > 0.02) {
            return;
        }
        disagreement =
            QStringLiteral(
                "in %1 s %2 updates, %3 under the virtual clock; the machine's share is said to be %4")
                .arg(seconds)
                .arg(real.last.version)
                .arg(counted.last.version)
                .arg(share);
    }
    QFAIL(qPrintable(disagreement));
}

void TestLive::aTaskIsNeverShorterThanItsGradient()
{
    Experiment experiment = shortRun("asp");
    experiment.cluster.batch_seconds = 1e-9;
    experiment.stop = {.seconds = {}, .updates = 500, .samples = {}, .loss = {}};

    const RunRecord run = live(experiment);

    const LiveFigures& figures = *run.last.live;
    QVERIFY(figures.machine_share > 0.9); // nearly all of it is this machine's doing, and it says so
    QVERIFY(figures.gradient > Duration::zero());
    QVERIFY(figures.most_computing >= 1 && figures.most_computing <= 6);
    QVERIFY(figures.cores >= 1);
    const Summary summary = summarize(experiment, run, 1.0);
    QCOMPARE(summary.clock, std::string("live"));
    QVERIFY(summaryToJson(summary).find("\"machine_share\": 0.9") != std::string::npos);
    QVERIFY(machineSentence(figures).find("this machine's doing") != std::string::npos);
}

void TestLive::survivesAnyNodeFailing()
{
    QFETCH(const QString, strategy);
    for (std::size_t node = 0; node < 6; node += 2) {
        for (const std::int64_t at : {3, 11, 26}) {
            Experiment experiment = shortRun(strategy.toStdString());
            experiment.stop.seconds = 0.12;
            const auto lasting = at == 11 ? std::nullopt : std::optional(ms(at == 3 ? 4 : 30));
            experiment.events = {{.at = atMs(at), .change = Fail{NodeId{node}, lasting}}};

            const RunRecord run = live(experiment);

            QCOMPARE(test::wrongInLedger(run), std::string());
            QVERIFY(run.stop_reason == StopReason::Seconds);
            QVERIFY(run.last.version > 0);
        }
    }
}

void TestLive::moreNodesThanThreadsAreRefused()
{
    Experiment experiment = smallExperiment(k_most_live_nodes + 1);
    QVERIFY_EXCEPTION_THROWN((void)runLive(experiment, {}), ExperimentError);
    QVERIFY_EXCEPTION_THROWN(Session(experiment, 0, ClockKind::Live), ExperimentError);
}

void TestLive::aPausedLiveRunStandsStill()
{
    Experiment experiment = shortRun("asp");
    experiment.stop.seconds = 60;
    Session session(experiment, 0, ClockKind::Live);
    session.run();
    QVERIFY(until(session, [](const Frame& frame) { return frame.version > 5; }));
    session.pause();
    QVERIFY(until(session, [](const Frame& frame) { return frame.state == RunState::Paused; }));
    const Frame before = session.poll();
    std::this_thread::sleep_for(30ms); // many tasks long
    const Frame after = session.poll();

    QVERIFY(after.now == before.now);
    QCOMPARE(after.version, before.version);
    QVERIFY(after.live.has_value());

    session.step();
    QVERIFY(until(session, [&](const Frame& frame) {
        return frame.state == RunState::Paused && frame.version == before.version + 1;
    }));
    session.run();
    QVERIFY(until(session, [&](const Frame& frame) { return frame.version > before.version + 5; }));
}

void TestLive::changesOfALiveSessionRepeatFromItsJournal()
{
    Experiment experiment = shortRun("hybrid");
    Session session(experiment, 0, ClockKind::Live);
    session.run();
    QVERIFY(until(session, [](const Frame& frame) { return frame.version > 3; }));
    session.apply(Move{.node = NodeId{2}, .group = GroupId{1}});
    session.apply(Slow{.node = NodeId{0}, .factor = 2, .lasting = std::nullopt});
    QVERIFY(until(session, [](const Frame& frame) { return frame.state == RunState::Finished; }));

    QCOMPARE(session.journal().events.size(), std::size_t{2});
    const RunRecord again = live(session.journal());
    QVERIFY(again.last.nodes[2].group == again.last.nodes[3].group);
}

void TestLive::aLiveSessionCanEndAtAnyMoment()
{
    for (int i = 0; i < 40; ++i) {
        Session session(shortRun("hybrid"), 0, ClockKind::Live);
        session.run();
        std::this_thread::sleep_for(std::chrono::microseconds(317 * i));
    }
}

void TestLive::aThousandStartsAndStopsLeaveNoThreadBehind()
{
    const auto startAndStop = [](int times) {
        for (int i = 0; i < times; ++i) {
            Session session(shortRun("asp"), 0, ClockKind::Live);
            session.run();
            (void)until(session, [](const Frame& frame) { return frame.version > 0; });
        }
    };
    startAndStop(20); // TBB keeps its workers for the next arena
    const auto before = threadsOfThisProcess();
    startAndStop(1000);

    // TBB keeps a pool, which may grow to what overlapping runs need, but not with the number of runs.
    QVERIFY(threadsOfThisProcess() <= before + 100);
}

QTEST_APPLESS_MAIN(TestLive)

#include "tst_live.moc"
