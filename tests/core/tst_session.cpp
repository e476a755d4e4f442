#include "core/base/rng.h"
#include "core/experiment/run.h"
#include "core/experiment/session.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace lab;
using lab::test::atMs;
using lab::test::firstDifference;
using lab::test::ms;
using lab::test::run;
using lab::test::smallExperiment;

namespace {

using Wall = std::chrono::steady_clock;

/// Looks at a session as the window does, and keeps everything fresh that it is given.
class Viewer {
public:
    explicit Viewer(Session& session) : session_(session) {}

    const Frame& look()
    {
        Frame frame = session_.poll();
        const auto append = [](auto& all, const auto& fresh) {
            all.insert(all.end(), fresh.begin(), fresh.end());
        };
        append(seen_.updates, frame.updates);
        append(seen_.curve, frame.evaluations);
        append(seen_.spans, frame.spans);
        append(seen_.log, frame.log);
        latest_ = std::move(frame);
        return latest_;
    }
    /// Looks until it is so; gives up after a minute.
    [[nodiscard]] bool until(const std::function<bool(const Frame&)>& isSo)
    {
        const auto end = Wall::now() + std::chrono::minutes(1);
        while (!isSo(look())) {
            if (Wall::now() > end) {
                return false;
            }
            std::this_thread::yield();
        }
        return true;
    }
    [[nodiscard]] bool until(RunState state)
    {
        return until([state](const Frame& frame) { return frame.state == state; });
    }
    [[nodiscard]] const Frame& latest() const { return latest_; }

    /// What was seen as if it were the record of a run; the fingerprints, which no frame carries, are `expected`'s.
    [[nodiscard]] RunRecord asRecord(const RunRecord& expected) const
    {
        RunRecord record = seen_;
        std::ranges::sort(record.spans, {},
                          [](const Span& span) { return std::pair(span.node, span.start); });
        record.end = latest_.now;
        record.stop_reason = latest_.stop_reason.value_or(StopReason::Stalled);
        record.last = latest_;
        record.schedule_fingerprint = expected.schedule_fingerprint;
        record.number_fingerprint = expected.number_fingerprint;
        return record;
    }

private:
    Session& session_;
    Frame latest_;
    RunRecord seen_;
};

/// Many updates of four unequal nodes with jitter, over in well under a second.
Experiment busyExperiment()
{
    Experiment experiment = smallExperiment(4);
    experiment.strategy.kind = "hybrid";
    experiment.cluster.jitter = {.kind = JitterKind::Lognormal};
    experiment.cluster.nodes[3].slowdown = 4;
    experiment.cluster.network = Network{.latency = 0.002, .bandwidth = 1e6, .server_bandwidth = 1e5};
    experiment.cluster.server_seconds = 0.001;
    experiment.cluster.failure_detection_seconds = 0.3;
    experiment.evaluate_every_updates = 50;
    experiment.stop.updates = 2000;
    return experiment;
}

/// Node 1 dies in the second round and nobody notices.
Experiment stallingExperiment()
{
    Experiment experiment = smallExperiment(2);
    experiment.cluster.failure_detection_seconds = std::nullopt;
    experiment.events = {{.at = atMs(150), .change = Fail{.node = NodeId{1}, .lasting = std::nullopt}}};
    experiment.stop.updates = 5;
    return experiment;
}

void expectSame(const RunRecord& a, const RunRecord& b)
{
    const std::string difference = firstDifference(a, b);
    QVERIFY2(difference.empty(), difference.c_str());
}

Change randomChange(Rng& random)
{
    const NodeId node{static_cast<std::int32_t>(random.below(4))};
    const auto lasting =
        random.below(2) == 0 ? std::optional(fromSeconds(1 + 5 * random.uniform())) : std::nullopt;
    switch (random.below(4)) {
    case 0:
        return Slow{.node = node, .factor = 0.5 + 4 * random.uniform(), .lasting = lasting};
    case 1:
        return Fail{.node = node, .lasting = lasting};
    case 2:
        return Recover{.node = node};
    default:
        return Move{.node = node, .group = GroupId{static_cast<std::int32_t>(random.below(4))}};
    }
}

} // namespace

class TestSession final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingHappensBeforeItIsRun();
    void aRunIsTheSameAsWithoutASession_data();
    void aRunIsTheSameAsWithoutASession();
    void everythingFreshIsGivenExactlyOnce();
    void lookingChangesNothing();
    void aPausedRunStandsStill();
    void aStepIsExactlyOneUpdate();
    void theLastWishCounts();
    void thePaceIsNotExceeded();
    void aNewPaceTakesEffectInTheMiddle();
    void aChangeBeforeTheStartIsInTheJournal();
    void whatWasAppliedCanBeReplayed_data();
    void whatWasAppliedCanBeReplayed();
    void changesWhilePausedKeepTheirOrder();
    void aChangeWhilePausedIsSeenAtOnce();
    void aChangeThatCannotBeLeavesTheJournalRunnable();
    void aFinishedRunTakesNoChanges();
    void aStalledRunSaysWhoWaitsAndGoesOnAfterARecovery();
    void aSessionCanEndAtAnyMoment();
    void anExperimentWithProblemsIsRefused();
    void missingDataAreReportedByTheConstructor();
};

void TestSession::nothingHappensBeforeItIsRun()
{
    Session session(smallExperiment(2), 2);
    Viewer viewer(session);

    const Frame& frame = viewer.look();

    QVERIFY(frame.state == RunState::Ready);
    QVERIFY(frame.now == atMs(0));
    QCOMPARE(frame.version, Version{0});
    QCOMPARE(frame.nodes.size(), std::size_t{2});
    QCOMPARE(frame.groups.size(), std::size_t{1});
    QCOMPARE(frame.evaluations.size(), std::size_t{1}); // of the parameters to start from
    QVERIFY(session.journal() == smallExperiment(2));
}

void TestSession::aRunIsTheSameAsWithoutASession_data()
{
    QTest::addColumn<int>("threads");
    QTest::newRow("1 thread") << 1;
    QTest::newRow("3 threads") << 3;
}

void TestSession::aRunIsTheSameAsWithoutASession()
{
    QFETCH(const int, threads);
    const RunRecord expected = run(busyExperiment());
    Session session(busyExperiment(), threads);
    Viewer viewer(session);

    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    expectSame(viewer.asRecord(expected), expected);
    QVERIFY(viewer.latest().open.empty());
    for (std::size_t node = 0; node < 4; ++node) {
        QVERIFY(viewer.latest().nodes[node].times == expected.last.nodes[node].times);
    }
    QCOMPARE(viewer.latest().server_utilisation, expected.last.server_utilisation);
}

void TestSession::everythingFreshIsGivenExactlyOnce()
{
    const RunRecord expected = run(busyExperiment());
    Session session(busyExperiment(), 1);
    Viewer viewer(session);
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    for (int i = 0; i < 3; ++i) {
        QVERIFY(viewer.look().updates.empty());
    }

    expectSame(viewer.asRecord(expected), expected);
}

void TestSession::lookingChangesNothing()
{
    const RunRecord expected = run(busyExperiment());
    Session session(busyExperiment(), 2);
    session.run();
    std::vector<std::jthread> others; // some who look, and whose look takes what is fresh from the viewer
    std::vector<Frame> taken;
    std::mutex mutex;
    for (int i = 0; i < 2; ++i) {
        others.emplace_back([&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                Frame frame = session.poll();
                const std::scoped_lock lock(mutex);
                taken.push_back(std::move(frame));
            }
        });
    }
    Viewer viewer(session);
    const bool is_finished = viewer.until(RunState::Finished);
    others.clear();
    QVERIFY(is_finished);

    std::size_t updates = viewer.asRecord(expected).updates.size();
    for (const Frame& frame : taken) {
        updates += frame.updates.size();
    }
    QCOMPARE(updates, expected.updates.size());
    QVERIFY(viewer.latest().now == expected.end);
    for (std::size_t node = 0; node < 4; ++node) {
        QVERIFY(viewer.latest().nodes[node].times == expected.last.nodes[node].times);
    }
    expectSame(run(session.journal()), expected);
}

void TestSession::aPausedRunStandsStill()
{
    const RunRecord expected = run(busyExperiment());
    Session session(busyExperiment(), 2);
    Viewer viewer(session);
    for (int i = 0; i < 5; ++i) {
        session.run();
        std::this_thread::yield();
        session.pause();
        QVERIFY(viewer.until([](const Frame& frame) { return frame.state != RunState::Running; }));

        const TimePoint now = viewer.look().now;
        const Version version = viewer.latest().version;
        for (int looks = 0; looks < 100; ++looks) {
            (void)viewer.look();
            QVERIFY(viewer.latest().now == now);
            QCOMPARE(viewer.latest().version, version);
        }
    }

    session.run();
    QVERIFY(viewer.until(RunState::Finished));
    expectSame(viewer.asRecord(expected), expected);
}

void TestSession::aStepIsExactlyOneUpdate()
{
    Experiment experiment = smallExperiment(3);
    experiment.strategy.kind = "asp"; // three updates at the same moment
    experiment.stop.updates = 8;
    const RunRecord expected = run(experiment);
    Session session(experiment, 1);
    Viewer viewer(session);
    session.setPace(1e-6); // which steps do not heed

    for (Version version = 1; version < 8; ++version) {
        session.step();
        QVERIFY(viewer.until([version](const Frame& frame) {
            return frame.state == RunState::Paused && frame.version >= version;
        }));
        QCOMPARE(viewer.latest().version, version);
        QVERIFY(viewer.latest().now == expected.updates.at(static_cast<std::size_t>(version) - 1).time);
    }
    session.step();
    QVERIFY(viewer.until(RunState::Finished));

    expectSame(viewer.asRecord(expected), expected);
}

void TestSession::theLastWishCounts()
{
    // Asked for faster than the engine looks: what was asked for last is what is meant.
    for (int i = 0; i < 50; ++i) {
        Session session(smallExperiment(2), 1);
        Viewer viewer(session);
        session.step();
        session.run();
        QVERIFY(viewer.until(RunState::Finished));
    }
    for (int i = 0; i < 50; ++i) {
        Experiment experiment = smallExperiment(2);
        experiment.stop.updates = 1'000'000;
        Session session(experiment, 1);
        Viewer viewer(session);
        session.run();
        session.step();
        QVERIFY(viewer.until(RunState::Paused));
    }
}

void TestSession::thePaceIsNotExceeded()
{
    Experiment experiment = smallExperiment(2);
    experiment.stop = {.seconds = 2, .updates = {}, .samples = {}, .loss = {}};
    constexpr double k_pace = 10; // 0.2 s of wall time
    const RunRecord expected = run(experiment);
    Session session(experiment, 1);
    Viewer viewer(session);
    session.setPace(k_pace);

    const auto start = Wall::now();
    session.run();
    bool is_too_fast = false;
    TimePoint before;
    bool goes_back = false;
    int moments = 0;
    QVERIFY(viewer.until([&](const Frame& frame) {
        const std::chrono::duration<double> elapsed = Wall::now() - start;
        is_too_fast = is_too_fast || toSeconds(frame.now) > elapsed.count() * k_pace + 1e-9;
        goes_back = goes_back || frame.now < before;
        moments += frame.now > before ? 1 : 0;
        before = frame.now;
        return frame.state == RunState::Finished;
    }));

    QVERIFY(!is_too_fast);
    QVERIFY(!goes_back);
    QVERIFY(moments >= 3); // it is seen on its way, not only at its ends
    expectSame(viewer.asRecord(expected), expected);
}

void TestSession::aNewPaceTakesEffectInTheMiddle()
{
    Experiment experiment = smallExperiment(2);
    experiment.stop = {.seconds = 1000, .updates = {}, .samples = {}, .loss = {}};
    Session session(experiment, 1);
    Viewer viewer(session);
    session.setPace(1);
    session.run();
    QVERIFY(viewer.until([](const Frame& frame) { return frame.now > atMs(20); }));
    QVERIFY(viewer.latest().now < atMs(900'000));

    session.setPace(std::nullopt); // as fast as it can

    QVERIFY(viewer.until(RunState::Finished));
    QVERIFY(viewer.latest().now == atMs(1'000'000));
}

void TestSession::aChangeBeforeTheStartIsInTheJournal()
{
    Session session(smallExperiment(2), 1);
    Viewer viewer(session);
    session.apply(Slow{.node = NodeId{1}, .factor = 3, .lasting = std::nullopt});
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    const Experiment journal = session.journal();

    QCOMPARE(journal.events.size(), std::size_t{1});
    QVERIFY(journal.events.front().at <= TimePoint{Duration{1}});
    const RunRecord replayed = run(journal);
    expectSame(viewer.asRecord(replayed), replayed);
    QCOMPARE(viewer.latest().nodes[1].slowdown, 3.0);
}

void TestSession::whatWasAppliedCanBeReplayed_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestSession::whatWasAppliedCanBeReplayed()
{
    QFETCH(const int, seed);
    Rng random(static_cast<std::uint64_t>(seed), Purpose::Estimate, 0, 0);
    Session session(busyExperiment(), 1 + seed % 3);
    Viewer viewer(session);
    session.setPace(seed % 2 == 0 ? std::optional(2000.0) : std::nullopt);
    session.run();

    // At random moments of both clocks; what they hit differs from time to time, that it can be replayed does not.
    std::size_t applied = 0;
    for (int i = 0; i < 40 && viewer.latest().state != RunState::Finished; ++i) {
        session.apply(randomChange(random));
        applied += 1;
        switch (random.below(6)) {
        case 0:
            session.pause();
            break;
        case 1:
            session.step();
            break;
        default:
            session.run();
            break;
        }
        for (std::uint64_t looks = random.below(200); looks > 0; --looks) {
            (void)viewer.look();
        }
    }
    session.setPace(std::nullopt);
    for (std::int32_t node = 0; node < 4; ++node) {
        session.apply(Recover{.node = NodeId{node}}); // so that nobody waits for ever
    }
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    const Experiment journal = session.journal();
    QVERIFY(validate(journal).empty());
    QVERIFY(journal.events.size() <= applied + 4);
    const RunRecord replayed = run(journal);
    expectSame(viewer.asRecord(replayed), replayed);
    // The journal's own run has a journal of the same events.
    const RunRecord again = run(journal, 3);
    QCOMPARE(again.schedule_fingerprint, replayed.schedule_fingerprint);
    QCOMPARE(again.number_fingerprint, replayed.number_fingerprint);
}

void TestSession::changesWhilePausedKeepTheirOrder()
{
    Experiment experiment = smallExperiment(2);
    experiment.stop.updates = 10;
    Session session(experiment, 1);
    Viewer viewer(session);
    session.step();
    QVERIFY(viewer.until(RunState::Paused));
    session.apply(Slow{.node = NodeId{1}, .factor = 7, .lasting = std::nullopt});
    session.apply(Slow{.node = NodeId{0}, .factor = 5, .lasting = std::nullopt});
    session.apply(Slow{.node = NodeId{1}, .factor = 2, .lasting = std::nullopt});
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    QCOMPARE(viewer.latest().nodes[1].slowdown, 2.0);
    QCOMPARE(session.journal().events.size(), std::size_t{3});
    const RunRecord replayed = run(session.journal());
    expectSame(viewer.asRecord(replayed), replayed);
}

void TestSession::aChangeWhilePausedIsSeenAtOnce()
{
    Experiment experiment = smallExperiment(2);
    experiment.stop.updates = 10;
    Session session(experiment, 1);
    Viewer viewer(session);
    session.step();
    QVERIFY(viewer.until(RunState::Paused));
    const Version version = viewer.latest().version;

    session.apply(Slow{.node = NodeId{1}, .factor = 7, .lasting = std::nullopt});
    session.apply(Fail{.node = NodeId{0}, .lasting = std::nullopt});
    QVERIFY(viewer.until([](const Frame& frame) {
        return frame.nodes[1].slowdown == 7 && frame.nodes[0].activity == Activity::Down;
    }));

    QVERIFY(viewer.latest().state == RunState::Paused);
    QCOMPARE(viewer.latest().version, version);
    session.run();
    QVERIFY(viewer.until(RunState::Finished));
    const RunRecord replayed = run(session.journal());
    expectSame(viewer.asRecord(replayed), replayed);
}

void TestSession::aChangeThatCannotBeLeavesTheJournalRunnable()
{
    Session session(smallExperiment(2), 1); // BSP has no groups
    Viewer viewer(session);
    session.apply(Move{.node = NodeId{1}, .group = GroupId{1}});
    session.apply(Slow{.node = NodeId{7}, .factor = 2, .lasting = std::nullopt});
    session.apply(Slow{.node = NodeId{1}, .factor = -1, .lasting = std::nullopt});
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    QVERIFY(validate(session.journal()).empty());
    const RunRecord replayed = run(session.journal());
    expectSame(viewer.asRecord(replayed), replayed);
}

void TestSession::aFinishedRunTakesNoChanges()
{
    Session session(smallExperiment(2), 1);
    Viewer viewer(session);
    session.run();
    QVERIFY(viewer.until(RunState::Finished));

    session.apply(Fail{.node = NodeId{1}, .lasting = std::nullopt});
    session.step();
    session.run();

    for (int looks = 0; looks < 100; ++looks) {
        QVERIFY(viewer.look().state == RunState::Finished);
    }
    QVERIFY(session.journal().events.empty());
}

void TestSession::aStalledRunSaysWhoWaitsAndGoesOnAfterARecovery()
{
    Session session(stallingExperiment(), 1);
    Viewer viewer(session);
    session.run();
    QVERIFY(viewer.until([](const Frame& frame) { return !frame.message.empty(); }));
    QVERIFY(viewer.latest().state == RunState::Running);
    QVERIFY2(viewer.latest().message.find("n0 waits for n1") != std::string::npos,
             viewer.latest().message.c_str());
    QVERIFY(viewer.latest().now == atMs(200));

    session.apply(Recover{.node = NodeId{1}});

    QVERIFY(viewer.until(RunState::Finished));
    QVERIFY(viewer.latest().message.empty());
    QVERIFY(*viewer.latest().stop_reason == StopReason::Updates);
    const RunRecord replayed = run(session.journal());
    expectSame(viewer.asRecord(replayed), replayed);
}

void TestSession::aSessionCanEndAtAnyMoment()
{
    Experiment experiment = busyExperiment();
    experiment.stop.updates = 1'000'000'000;
    for (int i = 0; i < 200; ++i) {
        Session session(experiment, 1 + i % 4);
        if (i % 5 != 0) {
            session.setPace(i % 3 == 0 ? std::optional(5.0) : std::nullopt);
            session.run();
        }
        for (int looks = 0; looks < i % 20; ++looks) {
            (void)session.poll();
            std::this_thread::yield();
        }
        if (i % 7 == 0) {
            session.pause();
        }
    }
}

void TestSession::anExperimentWithProblemsIsRefused()
{
    Experiment experiment = smallExperiment(2);
    experiment.training.batch = 0;

    QVERIFY_EXCEPTION_THROWN(Session{experiment}, ExperimentError);
}

void TestSession::missingDataAreReportedByTheConstructor()
{
    Experiment experiment = smallExperiment(2);
    experiment.cluster.trace = "there-is-no-such-file.csv";

    QVERIFY_EXCEPTION_THROWN(Session{experiment}, Error);
}

QTEST_APPLESS_MAIN(TestSession)
#include "tst_session.moc"
