#include "core/base/rng.h"
#include "core/experiment/run.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/worker.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace lab;
using lab::test::atMs;
using lab::test::firstDifference;
using lab::test::ms;
using lab::test::run;
using lab::test::smallExperiment;
using lab::test::spansOf;
using lab::test::timesOf;
using lab::test::wrongInLedger;

namespace {

constexpr std::int32_t k_only = 0;

Intervention at(std::int64_t milliseconds, Change change)
{
    return {.at = atMs(milliseconds), .change = std::move(change)};
}

Slow slow(std::int32_t node, double factor, std::optional<Duration> lasting = std::nullopt)
{
    return {.node = NodeId{node}, .factor = factor, .lasting = lasting};
}

Fail fail(std::int32_t node, std::optional<Duration> lasting = std::nullopt)
{
    return {.node = NodeId{node}, .lasting = lasting};
}

Recover recover(std::int32_t node) { return {.node = NodeId{node}}; }

/// BSP on nodes with these slowdowns; a task takes 100 ms times the slowdown. Ends at `end`, if one is given.
Experiment bsp(const std::vector<double>& slowdowns, std::int64_t end_ms = 0)
{
    Experiment experiment = smallExperiment(slowdowns.size());
    for (std::size_t i = 0; i < slowdowns.size(); ++i) {
        experiment.cluster.nodes[i].slowdown = slowdowns[i];
    }
    if (end_ms > 0) {
        experiment.stop = {.seconds = toSeconds(ms(end_ms)), .updates = {}, .samples = {}, .loss = {}};
    }
    return experiment;
}

Experiment asp(const std::vector<double>& slowdowns, std::int64_t end_ms = 0)
{
    Experiment experiment = bsp(slowdowns, end_ms);
    experiment.strategy.kind = "asp";
    return experiment;
}

/// Times in whole milliseconds where they are whole, else in nanoseconds below zero, so that no test mixes them up.
std::vector<std::int64_t> updateTimes(const RunRecord& run)
{
    std::vector<std::int64_t> times;
    for (const UpdateRecord& update : run.updates) {
        const std::int64_t nanoseconds = update.time.time_since_epoch().count();
        times.push_back(nanoseconds % 1'000'000 == 0 ? nanoseconds / 1'000'000 : -nanoseconds);
    }
    return times;
}

using Times = std::vector<std::int64_t>;

/// One node's spans as it lived through them: what, and until which millisecond.
std::string storyOf(const RunRecord& run, std::size_t node)
{
    std::string story;
    for (const Span& span : spansOf(run, node)) {
        const double end = toSeconds(span.end) * 1000;
        story += (story.empty() ? "" : " ") + std::string(activityName(span.activity)) + " "
            + std::to_string(std::llround(end));
    }
    return story;
}

bool logHas(const RunRecord& run, LogEntry::Kind kind, std::int64_t at_ms)
{
    return std::ranges::any_of(
        run.log, [&](const LogEntry& entry) { return entry.kind == kind && entry.time == atMs(at_ms); });
}

#define COMPARE_STORY(record, node, expected)                                                                \
    QCOMPARE(QString::fromStdString(storyOf(record, node)), QStringLiteral(expected))

void expectBooksInOrder(const RunRecord& record)
{
    const std::string wrong = wrongInLedger(record);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

// ---- a server that a test writes

/// Does what a test says; whatever it is not told to do, it leaves.
class ScriptedServer final : public Actor {
public:
    std::function<void(Outbox&)> on_start;
    std::function<void(Message, Outbox&)> on_push;
    std::function<void(std::int64_t, Outbox&)> on_wake;

    void start(Outbox& out) override
    {
        if (on_start) {
            on_start(out);
        }
    }
    void receive(Message push, Outbox& out) override
    {
        if (on_push) {
            on_push(std::move(push), out);
        }
    }
    void woke(std::int64_t tag, Outbox& out) override
    {
        if (on_wake) {
            on_wake(tag, out);
        }
    }
};

Message askFor(Params body, std::int64_t round, double work = 1)
{
    Message question;
    question.body = std::move(body);
    question.round = round;
    question.order.pieces = {{.stream = NodeId{0}, .first = 0, .count = 8, .coefficient = 1}};
    question.order.work = work;
    return question;
}

/// Nodes of 100 ms per batch around such a server, until `end`.
EmulatorSetup around(std::unique_ptr<ScriptedServer> server, std::size_t nodes, std::int64_t end_ms,
                     bool preemptive = true)
{
    const Experiment experiment = smallExperiment(nodes);
    Split split = splitDataset(loadDataset(std::string("blobs"), {}, 1), 0, 1);
    Sampler sampler(split.training, PartitionKind::Shuffled, nodes, 1);
    std::shared_ptr<const Model> model = findModel("softmax")->make(experiment.model, split.training);
    EmulatorSetup setup;
    setup.cluster = experiment.cluster;
    setup.limits.time = atMs(end_ms);
    setup.start_at = std::make_shared<const Vector>(model->initial(1));
    setup.workload = std::make_shared<const Workload>(Workload{.model = std::move(model),
                                                               .training = std::move(split.training),
                                                               .validation = std::move(split.validation),
                                                               .sampler = std::move(sampler)});
    setup.server = std::move(server);
    setup.make_worker = [nodes, preemptive](NodeId node) {
        return std::make_unique<Worker>(node, ActorId{nodes}, preemptive);
    };
    return setup;
}

RunRecord runSetup(EmulatorSetup setup)
{
    Executor executor(1);
    Emulator emulator(std::move(setup), executor);
    while (!emulator.isOver()) {
        emulator.advance();
    }
    emulator.conclude();
    return emulator.takeRecord();
}

} // namespace

class TestEmulator final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRoundLastsAsLongAsItsSlowestTask();
    void anAsynchronousNodeNeverWaits();
    void tiesAreSettledInNodeOrder();
    void aTraceIsFollowedRowByRow();

    void aSlowdownInMidTaskRescalesWhatIsLeft();
    void aSlowdownRescalesToTheNanosecond();
    void aPassingSlowdownIsGivenBackInMidTask();
    void aNewSlowdownEndsOneThatPasses();
    void aChangeAtTheVeryMomentATaskIsDueComesFirst();

    void aFailureInMidTaskWastesWhatWasDone();
    void aFailureIsNoticedAfterTheDetectionDelay();
    void aNodeThatIsBackBeforeItWasMissedSaysSo();
    void aNodeComesBackOnlyOnce();
    void failingTwiceIsFailingOnce();
    void recoveringWithoutFailingChangesNothing();
    void aSlowdownOutlivesAFailure();
    void aFailureDuringAnUploadLosesTheGradient();
    void aFailureDuringADownloadLosesTheQuestion();
    void aGradientThatReachedTheServerSurvivesItsNode();

    void aTransferTakesLatencyAndBytesOverBandwidth();
    void theServersLinkServesFirstComeFirstServed();
    void theServerServesFirstComeFirstServed();

    void itStopsAtTheMomentAsked();
    void whatIsDueAtTheVeryEndStillHappens();
    void itStopsAfterTheUpdatesAsked();
    void itStopsWhenTheSamplesAreReached();
    void itStopsAtAnEvaluationBelowTheLoss();
    void itStopsWhenTheLossIsNoLongerANumber();
    void aLossThatIsLowFromTheStartEndsTheRunAtOnce();
    void itStallsAtTheLastThingThatHappenedAndNamesWhoWaits();
    void theFirstConditionMetEndsIt();
    void theCurveHasBothEnds();

    void aNewerOrderStopsTheTaskAtOnce();
    void withoutPreemptionTheUselessTaskIsFinishedFirst();
    void timersGoOffWhenTheyShould();
    void whatComesAfterTheLastUpdateNeverHappens();

    void aMoveWithoutGroupsIsOnlyLogged();
    void aMovedNodeChangesItsGroup();
    void aChangeInTheMiddleIsTheSameAsOneKnownFromTheStart();
    void theBooksAreInOrderWhateverHappens_data();
    void theBooksAreInOrderWhateverHappens();
};

void TestEmulator::aRoundLastsAsLongAsItsSlowestTask()
{
    const RunRecord record = run(bsp({1, 3}, 900));

    QCOMPARE(updateTimes(record), (Times{300, 600, 900}));
    COMPARE_STORY(record, 0, "computing 100 waiting 300 computing 400 waiting 600 computing 700 waiting 900");
    COMPARE_STORY(record, 1, "computing 300 computing 600 computing 900");
    QCOMPARE(record.last.staleness.max(), std::int64_t{0});
    QVERIFY(timesOf(record, 0)[Activity::Waiting] == ms(600));
}

void TestEmulator::anAsynchronousNodeNeverWaits()
{
    const RunRecord record = run(asp({1, 2.5}, 500));

    QCOMPARE(updateTimes(record), (Times{100, 200, 250, 300, 400, 500, 500}));
    for (std::size_t node = 0; node < 2; ++node) {
        QVERIFY(timesOf(record, node)[Activity::Computing] == ms(500));
    }
    // Node 1 read version 0 and is applied as the third: two updates late.
    QCOMPARE(record.updates.at(2).staleness_max, std::int64_t{2});
    QVERIFY(record.updates.at(2).group == GroupId{1});
}

void TestEmulator::tiesAreSettledInNodeOrder()
{
    const RunRecord record = run(asp({1, 1, 1}, 300));

    for (std::size_t i = 0; i < 9; ++i) {
        QVERIFY(record.updates.at(i).nodes == std::vector{NodeId{i % 3}});
        QCOMPARE(record.updates.at(i).staleness_max, static_cast<std::int64_t>(i < 3 ? i : 2));
    }
}

void TestEmulator::aTraceIsFollowedRowByRow()
{
    const lab::test::ScratchFolder folder;
    folder.write("two.csv", "node,iteration,seconds\n0,0,0.1\n0,1,0.3\n1,0,0.2\n1,1,0.05\n");
    Experiment experiment = bsp({1, 2}, 1500); // the slowdown multiplies the trace's seconds
    experiment.cluster.trace = "two.csv";
    experiment.folder = folder.path();

    const RunRecord record = run(experiment);

    // max(100, 400), max(300, 100), and again from the top
    QCOMPARE(updateTimes(record), (Times{400, 700, 1100, 1400}));
}

void TestEmulator::aSlowdownInMidTaskRescalesWhatIsLeft()
{
    Experiment experiment = bsp({1}, 1000);
    experiment.events = {at(40, slow(k_only, 3))};

    const RunRecord record = run(experiment);

    // 60 ms were left and take 180; every later task takes 300.
    QCOMPARE(updateTimes(record), (Times{220, 520, 820}));
    QVERIFY(record.last.nodes[0].task_time == ms(300));
    QCOMPARE(record.last.nodes[0].slowdown, 3.0);
    QVERIFY(logHas(record, LogEntry::Kind::Slow, 40));
}

void TestEmulator::aSlowdownRescalesToTheNanosecond()
{
    Experiment experiment = bsp({1}, 1000);
    experiment.events = {at(40, slow(k_only, 1.0 / 3.0))};

    const RunRecord record = run(experiment);

    // 60,000,000 ns / 3 are left; then tasks of 33,333,333 ns.
    QVERIFY(record.updates.at(0).time == TimePoint{Duration{60'000'000}});
    QVERIFY(record.updates.at(1).time == TimePoint{Duration{93'333'333}});
    QVERIFY(record.updates.at(2).time == TimePoint{Duration{126'666'666}});
}

void TestEmulator::aPassingSlowdownIsGivenBackInMidTask()
{
    Experiment experiment = bsp({2}, 700);
    experiment.events = {at(40, slow(k_only, 3, ms(90)))};

    const RunRecord record = run(experiment);

    // 160 ms are left at 40, which is 480 at a third of the speed; of those 390 are left at 130, which is 130.
    QCOMPARE(updateTimes(record), (Times{260, 460, 660}));
    QVERIFY(logHas(record, LogEntry::Kind::Slow, 130));
    QCOMPARE(record.last.nodes[0].slowdown, 2.0);
}

void TestEmulator::aNewSlowdownEndsOneThatPasses()
{
    Experiment experiment = bsp({1}, 700);
    experiment.events = {at(0, slow(k_only, 4, ms(1000))), at(40, slow(k_only, 2))};

    const RunRecord record = run(experiment);

    // At 40 a quarter as fast did 10 of 100 ms; the 90 left take 180. Nothing happens at 1000.
    QCOMPARE(updateTimes(record), (Times{220, 420, 620}));

    // One that passes replaces another; only its own end counts.
    experiment.events = {at(0, slow(k_only, 4, ms(100))), at(40, slow(k_only, 2, ms(300)))};
    QCOMPARE(updateTimes(run(experiment)), (Times{220, 380, 480, 580, 680}));
}

void TestEmulator::aChangeAtTheVeryMomentATaskIsDueComesFirst()
{
    Experiment experiment = bsp({1}, 200);
    experiment.cluster.failure_detection_seconds = std::nullopt;
    experiment.events = {at(100, fail(k_only))};

    const RunRecord record = run(experiment);

    QVERIFY(record.updates.empty());
    QVERIFY(timesOf(record, 0)[Activity::Wasted] == ms(100));
}

void TestEmulator::aFailureInMidTaskWastesWhatWasDone()
{
    Experiment experiment = bsp({1, 1}, 850);
    experiment.events = {at(150, fail(1, ms(500)))};

    const RunRecord record = run(experiment);

    // The barrier of round 2 opens when node 1 says that it restarted; node 1 is in from round 4 on.
    QCOMPARE(updateTimes(record), (Times{100, 650, 750, 850}));
    COMPARE_STORY(record, 0, "computing 100 computing 200 waiting 650 computing 750 computing 850");
    COMPARE_STORY(record, 1, "computing 100 wasted 150 down 650 waiting 750 computing 850");
    QVERIFY(record.updates.at(1).nodes == std::vector{NodeId{0}});
    QCOMPARE(record.updates.at(1).samples, std::int64_t{8});
    QCOMPARE(record.updates.at(1).weight, 0.5);
    QCOMPARE(record.updates.at(3).samples, std::int64_t{16});
    expectBooksInOrder(record);
}

void TestEmulator::aFailureIsNoticedAfterTheDetectionDelay()
{
    Experiment experiment = bsp({1, 1}, 600);
    experiment.cluster.failure_detection_seconds = 0.1;
    experiment.events = {at(150, fail(1))};

    const RunRecord record = run(experiment);

    QCOMPARE(updateTimes(record), (Times{100, 250, 350, 450, 550}));
    QVERIFY(logHas(record, LogEntry::Kind::Detected, 250));
    COMPARE_STORY(record, 1, "computing 100 wasted 150 down 600");
}

void TestEmulator::aNodeThatIsBackBeforeItWasMissedSaysSo()
{
    Experiment experiment = bsp({1, 1}, 600);
    experiment.cluster.failure_detection_seconds = 0.3; // would be 450
    experiment.events = {at(150, fail(1)), at(220, recover(1))};

    const RunRecord record = run(experiment);

    QCOMPARE(updateTimes(record), (Times{100, 220, 320, 420, 520}));
    QVERIFY(std::ranges::none_of(
        record.log, [](const LogEntry& entry) { return entry.kind == LogEntry::Kind::Detected; }));
    QCOMPARE(record.updates.at(3).samples, std::int64_t{16});
}

void TestEmulator::aNodeComesBackOnlyOnce()
{
    // The first failure would end at 400; the node is brought back by hand and fails again before.
    Experiment experiment = asp({1}, 700);
    experiment.events = {at(50, fail(k_only, ms(350))), at(100, recover(k_only)),
                         at(150, fail(k_only, ms(400)))};

    const RunRecord record = run(experiment);

    COMPARE_STORY(record, 0, "wasted 50 down 100 wasted 150 down 550 computing 650 computing 700");
}

void TestEmulator::failingTwiceIsFailingOnce()
{
    Experiment experiment = asp({1}, 400);
    experiment.events = {at(50, fail(k_only, ms(100))), at(100, fail(k_only, ms(1000)))};

    COMPARE_STORY(run(experiment), 0, "wasted 50 down 150 computing 250 computing 350 computing 400");
}

void TestEmulator::recoveringWithoutFailingChangesNothing()
{
    Experiment experiment = bsp({1, 2}, 500);
    const RunRecord plain = run(experiment);
    experiment.events = {at(130, recover(1))};

    const RunRecord record = run(experiment);

    QVERIFY(record.updates == plain.updates);
    QVERIFY(record.spans == plain.spans);
    QVERIFY(logHas(record, LogEntry::Kind::Recover, 130));
}

void TestEmulator::aSlowdownOutlivesAFailure()
{
    Experiment experiment = asp({1}, 500);
    experiment.events = {at(0, slow(k_only, 2)), at(50, fail(k_only, ms(50)))};

    COMPARE_STORY(run(experiment), 0, "wasted 50 down 100 computing 300 computing 500");
}

void TestEmulator::aFailureDuringAnUploadLosesTheGradient()
{
    Experiment experiment = asp({1}, 520);
    experiment.cluster.network = Network{.latency = 0.06, .bandwidth = 1e18, .server_bandwidth = {}};
    experiment.events = {at(180, fail(k_only, ms(100)))};

    const RunRecord record = run(experiment);

    COMPARE_STORY(record, 0,
                  "communicating 60 wasted 160 communicating 180 down 280 communicating 340 computing 440 "
                  "communicating 500 communicating 520");
    QCOMPARE(updateTimes(record), (Times{500}));
}

void TestEmulator::aFailureDuringADownloadLosesTheQuestion()
{
    Experiment experiment = asp({1}, 400);
    experiment.cluster.network = Network{.latency = 0.06, .bandwidth = 1e18, .server_bandwidth = {}};
    experiment.events = {at(20, fail(k_only, ms(20)))}; // back at 40, before the question would have come

    const RunRecord record = run(experiment);

    COMPARE_STORY(record, 0,
                  "communicating 20 down 40 communicating 100 computing 200 communicating 260 "
                  "communicating 320 computing 400");
    QCOMPARE(updateTimes(record), (Times{260}));
}

void TestEmulator::aGradientThatReachedTheServerSurvivesItsNode()
{
    Experiment experiment = asp({1, 1}, 400);
    experiment.cluster.server_seconds = 0.05; // node 1's push waits from 100 to 200 at the server
    experiment.cluster.failure_detection_seconds = 10;
    experiment.events = {at(110, fail(1))};

    const RunRecord record = run(experiment);

    QVERIFY(record.updates.at(1).time == atMs(200));
    QVERIFY(record.updates.at(1).nodes == std::vector{NodeId{1}});
    COMPARE_STORY(record, 1, "computing 100 waiting 110 down 400");
}

void TestEmulator::aTransferTakesLatencyAndBytesOverBandwidth()
{
    // 12 parameters are 48 bytes: 10 ms at 4800 bytes/s.
    Experiment experiment = bsp({1, 2}, 900);
    experiment.cluster.network = Network{.latency = 0.005, .bandwidth = 4800, .server_bandwidth = {}};

    const RunRecord record = run(experiment);

    // 15 down, 200 at the slower node, 15 up
    QCOMPARE(updateTimes(record), (Times{230, 460, 690}));
    COMPARE_STORY(run([&] {
                      experiment.stop.seconds = 0.23;
                      return experiment;
                  }()),
                  0, "communicating 15 computing 115 communicating 130 waiting 230");
    QVERIFY(timesOf(record, 1)[Activity::Communicating] == 3 * ms(30) + ms(15));
}

void TestEmulator::theServersLinkServesFirstComeFirstServed()
{
    // 48 bytes at 2400 bytes/s: each transfer has the link for 20 ms; the nodes' own links take 5 ms.
    Experiment experiment = bsp({1, 1}, 500);
    experiment.cluster.network = Network{.latency = 0.005, .bandwidth = 1e18, .server_bandwidth = 2400};

    const RunRecord record = run(experiment);

    // Down: the link until 20 and 40, then 5 more. Up: at the link at 130 and 150, done at 150 and 170.
    QCOMPARE(updateTimes(record), (Times{170, 340}));
    experiment.stop.seconds = 0.17;
    const RunRecord first_round = run(experiment);
    COMPARE_STORY(first_round, 0, "communicating 25 computing 125 communicating 150 waiting 170");
    COMPARE_STORY(first_round, 1, "communicating 45 computing 145 communicating 170");

    // Where both ask at once the second waits for the first: tasks that end at the same moment, 0.1 and 0.08 s long.
    experiment.cluster.nodes[1].slowdown = 0.8;
    const RunRecord crowded = run(experiment);
    COMPARE_STORY(crowded, 0, "communicating 25 computing 125 communicating 150 waiting 170");
    COMPARE_STORY(crowded, 1, "communicating 45 computing 125 communicating 170");
}

void TestEmulator::theServerServesFirstComeFirstServed()
{
    Experiment experiment = asp({1, 1}, 300);
    experiment.cluster.server_seconds = 0.03;

    const RunRecord record = run(experiment);

    // Both push at 100; node 0 is served until 130 and pushes again at 230, node 1 until 160 and again at 260.
    QCOMPARE(updateTimes(record), (Times{130, 160, 260, 290}));
    COMPARE_STORY(record, 0, "computing 100 waiting 130 computing 230 waiting 260 computing 300");
    COMPARE_STORY(record, 1, "computing 100 waiting 160 computing 260 waiting 290 computing 300");
    QVERIFY(std::abs(record.last.server_utilisation - 120.0 / 300.0) < 1e-12);
}

void TestEmulator::itStopsAtTheMomentAsked()
{
    const RunRecord record = run(bsp({1}, 250));

    QVERIFY(record.stop_reason == StopReason::Seconds);
    QVERIFY(record.end == atMs(250));
    COMPARE_STORY(record, 0, "computing 100 computing 200 computing 250");
    QVERIFY(logHas(record, LogEntry::Kind::Stop, 250));
}

void TestEmulator::whatIsDueAtTheVeryEndStillHappens()
{
    QCOMPARE(updateTimes(run(bsp({1}, 200))), (Times{100, 200}));
}

void TestEmulator::itStopsAfterTheUpdatesAsked()
{
    Experiment experiment = bsp({1});
    experiment.stop.updates = 3;

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Updates);
    QVERIFY(record.end == atMs(300));
    QCOMPARE(record.updates.size(), std::size_t{3});
}

void TestEmulator::itStopsWhenTheSamplesAreReached()
{
    Experiment experiment = bsp({1, 1});
    experiment.stop = {.seconds = {}, .updates = {}, .samples = 33, .loss = {}};

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Samples);
    QCOMPARE(record.last.samples, std::int64_t{48}); // rounds of 16
    QVERIFY(record.end == atMs(300));
}

void TestEmulator::itStopsAtAnEvaluationBelowTheLoss()
{
    Experiment experiment = bsp({1, 1});
    experiment.stop = {.seconds = {}, .updates = 10'000, .samples = {}, .loss = 0.5};
    experiment.evaluate_every_updates = 7;

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Loss);
    QCOMPARE(record.last.version % 7, Version{0});
    QVERIFY(record.curve.back().train_loss <= 0.5);
    QVERIFY(record.curve.at(record.curve.size() - 2).train_loss > 0.5);
}

void TestEmulator::itStopsWhenTheLossIsNoLongerANumber()
{
    Experiment experiment = bsp({1});
    experiment.model.kind = "linear";
    experiment.training.learning_rate = 1000; // each step multiplies the error by about -1000
    experiment.stop.updates = 10'000;
    experiment.evaluate_every_updates = 1;

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Diverged);
    QVERIFY(record.last.version < 100);
    QVERIFY(!std::isfinite(record.curve.back().train_loss));
    QVERIFY(record.last.message.find("update " + std::to_string(record.last.version)) != std::string::npos);

    // Also where nobody looks before the end.
    experiment.evaluate_every_updates = 1'000'000;
    experiment.stop.updates = 60;
    const RunRecord late = run(experiment);
    QVERIFY(late.stop_reason == StopReason::Diverged);
    QVERIFY(late.last.message.find("update 60") != std::string::npos);
    QVERIFY(late.log.back().text.starts_with("stopped: diverged: the loss"));
}

void TestEmulator::aLossThatIsLowFromTheStartEndsTheRunAtOnce()
{
    Experiment experiment = bsp({1, 1});
    experiment.stop = {.seconds = 10, .updates = {}, .samples = {}, .loss = 1e6};

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Loss);
    QCOMPARE(record.last.version, Version{0});
    QVERIFY(record.end == TimePoint{});
    QCOMPARE(record.curve.size(), std::size_t{1});
}

void TestEmulator::itStallsAtTheLastThingThatHappenedAndNamesWhoWaits()
{
    Experiment experiment = bsp({1, 1}, 10'000);
    experiment.cluster.failure_detection_seconds = std::nullopt;
    experiment.events = {at(150, fail(1))};

    const RunRecord record = run(experiment);

    QVERIFY(record.stop_reason == StopReason::Stalled);
    QVERIFY(record.end == atMs(200));
    QCOMPARE(updateTimes(record), (Times{100}));
    QVERIFY2(record.last.message.find("n0 waits for n1") != std::string::npos, record.last.message.c_str());
    QVERIFY(record.log.back().text.find("n0 waits for n1") != std::string::npos);
    expectBooksInOrder(record);
}

void TestEmulator::theFirstConditionMetEndsIt()
{
    Experiment experiment = bsp({1}, 1000);
    experiment.stop.updates = 4;
    experiment.stop.samples = 17; // three batches of 8

    QVERIFY(run(experiment).stop_reason == StopReason::Samples);
    experiment.stop.samples = 1000;
    QVERIFY(run(experiment).stop_reason == StopReason::Updates);
    experiment.stop.updates = 1000;
    QVERIFY(run(experiment).stop_reason == StopReason::Seconds);
}

void TestEmulator::theCurveHasBothEnds()
{
    Experiment experiment = bsp({1}, 1050);
    experiment.evaluate_every_updates = 4;

    const RunRecord record = run(experiment);

    std::vector<Version> versions;
    for (const Evaluation& evaluation : record.curve) {
        versions.push_back(evaluation.update);
    }
    QCOMPARE(versions, (std::vector<Version>{0, 4, 8, 10}));
    QVERIFY(record.curve.front().time == atMs(0));
    QVERIFY(record.curve.at(1).time == atMs(400));
    QCOMPARE(record.curve.at(1).samples, std::int64_t{32});
    QVERIFY(record.curve.back().time == record.end);
    QVERIFY(record.curve.back().train_loss < record.curve.front().train_loss);
}

void TestEmulator::aNewerOrderStopsTheTaskAtOnce()
{
    auto server = std::make_unique<ScriptedServer>();
    const Params zero = std::make_shared<const Vector>(Vector::Zero(12));
    server->on_start = [=](Outbox& out) {
        out.send(ActorId{0}, askFor(zero, 1));
        out.wakeAfter(ms(50), 7);
        out.wakeAfter(ms(1000), 8); // so that the run does not end because nothing is left to happen
    };
    server->on_wake = [=](std::int64_t tag, Outbox& out) {
        if (tag == 7) {
            out.send(ActorId{0}, askFor(zero, 2));
        }
    };

    const RunRecord record = runSetup(around(std::move(server), 1, 200));

    COMPARE_STORY(record, 0, "wasted 50 computing 150 waiting 200");
}

void TestEmulator::withoutPreemptionTheUselessTaskIsFinishedFirst()
{
    auto server = std::make_unique<ScriptedServer>();
    const Params zero = std::make_shared<const Vector>(Vector::Zero(12));
    std::vector<std::int64_t> answered;
    server->on_start = [=](Outbox& out) {
        out.send(ActorId{0}, askFor(zero, 1));
        out.wakeAfter(ms(50), 7);
        out.wakeAfter(ms(1000), 8); // so that the run does not end because nothing is left to happen
    };
    server->on_wake = [=](std::int64_t tag, Outbox& out) {
        if (tag == 7) {
            out.send(ActorId{0}, askFor(zero, 2));
        }
    };
    server->on_push = [&](const Message& push, Outbox&) { answered.push_back(push.round); };

    const RunRecord record = runSetup(around(std::move(server), 1, 250, false));

    COMPARE_STORY(record, 0, "wasted 100 computing 200 waiting 250");
    QCOMPARE(answered, (std::vector<std::int64_t>{2}));
}

void TestEmulator::timersGoOffWhenTheyShould()
{
    auto server = std::make_unique<ScriptedServer>();
    std::vector<std::pair<std::int64_t, TimePoint>> woken;
    server->on_start = [](Outbox& out) {
        out.wakeAfter(ms(30), 3);
        out.wakeAfter(ms(10), 1);
        out.wakeAfter(ms(10), 2);
    };
    server->on_wake = [&](std::int64_t tag, Outbox& out) { woken.emplace_back(tag, out.now()); };

    (void)runSetup(around(std::move(server), 1, 100));

    QVERIFY(
        (woken
         == std::vector<std::pair<std::int64_t, TimePoint>>{{1, atMs(10)}, {2, atMs(10)}, {3, atMs(30)}}));
}

void TestEmulator::whatComesAfterTheLastUpdateNeverHappens()
{
    auto server = std::make_unique<ScriptedServer>();
    server->on_start = [](Outbox& out) { out.wakeAfter(ms(10), 1); };
    server->on_wake = [](std::int64_t, Outbox& out) {
        for (Version version = 1; version <= 3; ++version) {
            Applied update;
            update.version = version;
            update.params = std::make_shared<const Vector>(Vector::Zero(12));
            update.parts = {{.node = NodeId{0}, .task = version, .read_version = version - 1}};
            update.samples = 8;
            out.applied(update);
            out.note(NodeId{}, "update " + std::to_string(version));
        }
    };
    EmulatorSetup setup = around(std::move(server), 1, 100);
    setup.limits.updates = 2;

    const RunRecord record = runSetup(std::move(setup));

    QCOMPARE(record.updates.size(), std::size_t{2});
    QCOMPARE(std::ranges::count(record.log, LogEntry::Kind::Note, &LogEntry::kind), std::ptrdiff_t{1});
    QVERIFY(record.end == atMs(10));
}

void TestEmulator::aMoveWithoutGroupsIsOnlyLogged()
{
    auto server = std::make_unique<ScriptedServer>();
    EmulatorSetup setup = around(std::move(server), 1, 100);
    setup.events = {at(50, Move{.node = NodeId{0}, .group = GroupId{1}})};

    const RunRecord record = runSetup(std::move(setup));

    QVERIFY(logHas(record, LogEntry::Kind::Move, 50));
}

void TestEmulator::aMovedNodeChangesItsGroup()
{
    Experiment experiment = bsp({1, 1, 2}, 1000);
    experiment.strategy.kind = "hybrid";
    experiment.groups = {
        .by = Grouping::By::Members, .count = {}, .members = {{NodeId{0}, NodeId{1}}, {NodeId{2}}}};
    experiment.events = {at(350, Move{.node = NodeId{1}, .group = GroupId{1}})};

    const RunRecord record = run(experiment);

    QVERIFY(record.last.nodes[1].group == GroupId{1});
    QCOMPARE(record.last.groups.at(1).members.size(), std::size_t{2});
    // Its round with node 0 ends at 400; so does the round of node 2, handled after it, and then they are together.
    COMPARE_STORY(record, 1,
                  "computing 100 computing 200 computing 300 computing 400 computing 500 waiting 600 "
                  "computing 700 waiting 800 computing 900 waiting 1000");
    expectBooksInOrder(record);
}

void TestEmulator::aChangeInTheMiddleIsTheSameAsOneKnownFromTheStart()
{
    Experiment known = asp({1, 2, 3}, 2000);
    known.events = {at(333, slow(1, 5)), at(500, fail(0, ms(100))), at(600, slow(0, 2)), at(600, recover(0))};
    Experiment unknown = known;
    unknown.events.clear();

    Executor executor(1);
    const std::unique_ptr<Emulator> emulator = makeEmulator(unknown, executor);
    std::size_t next = 0;
    while (!emulator->isOver()) {
        // Each is put in as late as can be: when the next event would be past it.
        while (next < known.events.size() && *emulator->nextAt() >= known.events[next].at) {
            emulator->interrupt(known.events[next].at, known.events[next].change);
            ++next;
        }
        emulator->advance();
    }
    emulator->conclude();

    const std::string difference = firstDifference(emulator->takeRecord(), run(known));
    QVERIFY2(difference.empty(), difference.c_str());
}

void TestEmulator::theBooksAreInOrderWhateverHappens_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 30; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestEmulator::theBooksAreInOrderWhateverHappens()
{
    QFETCH(const int, seed);
    Rng random(static_cast<std::uint64_t>(seed), Purpose::Estimate, 0, 0);
    constexpr std::size_t k_nodes = 5;
    Experiment experiment = smallExperiment(k_nodes);
    experiment.seed = static_cast<std::uint64_t>(seed);
    experiment.strategy.kind = std::array{"bsp", "asp", "hybrid"}.at(random.below(3));
    experiment.cluster.jitter.kind = static_cast<JitterKind>(random.below(7));
    experiment.cluster.preemptive = random.below(2) == 0;
    experiment.stop = {.seconds = 5, .updates = {}, .samples = {}, .loss = {}};
    if (random.below(3) > 0) {
        experiment.cluster.network = Network{.latency = 0.01, .bandwidth = 1e4, .server_bandwidth = {}};
        if (random.below(2) == 0) {
            experiment.cluster.network->server_bandwidth = 5000;
        }
    }
    experiment.cluster.server_seconds = random.below(2) == 0 ? 0 : 0.003;
    experiment.cluster.failure_detection_seconds = random.below(3) == 0 ? 0 : 0.2;
    for (int i = 0; i < 40; ++i) {
        const auto node = static_cast<std::int32_t>(random.below(k_nodes));
        const auto lasting =
            random.below(2) == 0 ? std::optional(fromSeconds(random.uniform())) : std::nullopt;
        Change change = recover(node);
        switch (random.below(experiment.strategy.kind == "hybrid" ? 4 : 3)) {
        case 0:
            change = slow(node, 0.5 + 3 * random.uniform(), lasting);
            break;
        case 1:
            change = fail(node, lasting);
            break;
        case 2:
            break;
        default:
            change = Move{.node = NodeId{node}, .group = GroupId{static_cast<std::int32_t>(random.below(4))}};
        }
        experiment.events.push_back({.at = atSeconds(5 * random.uniform()), .change = change});
    }
    std::ranges::stable_sort(experiment.events, {}, &Intervention::at);

    const RunRecord record = run(experiment);

    expectBooksInOrder(record);
    std::int64_t contributions = 0;
    std::int64_t samples = 0;
    for (std::size_t i = 0; i < record.updates.size(); ++i) {
        QCOMPARE(record.updates[i].update, static_cast<Version>(i) + 1);
        QVERIFY(i == 0 || record.updates[i].time >= record.updates[i - 1].time);
        contributions += static_cast<std::int64_t>(record.updates[i].nodes.size());
        samples += record.updates[i].samples;
    }
    QCOMPARE(record.last.staleness.total(), contributions);
    QCOMPARE(record.last.samples, samples);
    const std::string difference = firstDifference(record, run(experiment, 3));
    QVERIFY2(difference.empty(), difference.c_str());
}

QTEST_APPLESS_MAIN(TestEmulator)
#include "tst_emulator.moc"
