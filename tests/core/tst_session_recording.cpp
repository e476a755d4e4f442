#include "core/base/rng.h"
#include "core/experiment/live_replay.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run.h"
#include "core/experiment/session.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/session_fixture.h"
#include "tests/support/small_disk.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace lab;
using lab::test::differenceOfRuns;
using lab::test::ScratchFolder;
using lab::test::SmallDisk;
namespace fs = std::filesystem;

namespace {

using Wall = std::chrono::steady_clock;

/// Looks until it is so; gives up after a minute. Keeps the log.
bool until(Session& session, std::vector<LogEntry>& log, const std::function<bool(const Frame&)>& isSo)
{
    const auto end = Wall::now() + std::chrono::minutes(1);
    while (Wall::now() < end) {
        const Frame frame = session.poll();
        log.insert(log.end(), frame.log.begin(), frame.log.end());
        if (isSo(frame)) {
            return true;
        }
        std::this_thread::yield();
    }
    return false;
}

bool isFinished(const Frame& frame) { return frame.state == RunState::Finished; }

/// How often the log says that the run is no longer recorded.
std::ptrdiff_t ends(const std::vector<LogEntry>& log)
{
    return std::ranges::count_if(
        log, [](const LogEntry& entry) { return entry.text.starts_with("the run is no longer recorded: "); });
}

Change randomChange(Rng& random)
{
    const NodeId node{static_cast<std::int32_t>(random.below(6))};
    switch (random.below(4)) {
    case 0:
        return Slow{.node = node, .factor = 0.5 + 4 * random.uniform(), .lasting = std::nullopt};
    case 1:
        return Fail{.node = node, .lasting = fromSeconds(1 + 5 * random.uniform())};
    case 2:
        return Recover{.node = node};
    default:
        return Move{.node = node, .group = GroupId{static_cast<std::int32_t>(random.below(3))}};
    }
}

Experiment busyExperiment(std::int64_t updates)
{
    Experiment experiment = lab::test::eventfulExperiment("hybrid");
    experiment.stop = {.seconds = {}, .updates = updates, .samples = {}, .loss = {}};
    return experiment;
}

} // namespace

class TestSessionRecording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWatchedRunIsRecordedWhole();
    void nothingIsRecordedBeforeSomethingHappens();
    void editsAreRecordedAndTheJournalRepeatsTheRun_data();
    void editsAreRecordedAndTheJournalRepeatsTheRun();
    void aLiveRunRepeatsItselfFromItsSession();
    void aRunThatIsGivenUpIsThere();
    void whatIsPausedIsInTheFile();
    void aFolderAsFileDoesNotHurtTheRun();
    void aFullDiskEndsTheRecordingAndNotTheRun_data();
    void aFullDiskEndsTheRecordingAndNotTheRun();
    void theLargestSizeEndsTheRecordingAndNotTheRun();
};

void TestSessionRecording::aWatchedRunIsRecordedWhole()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    const Experiment experiment = busyExperiment(3000);
    std::vector<LogEntry> log;
    {
        Session session(experiment, 2, ClockKind::Virtual, RecordingPlan{.file = file});
        session.run();
        QVERIFY(until(session, log, isFinished));
    }
    const RunRecord expected = lab::test::run(experiment);
    const OpenedRun opened = openRun(SessionReader(file), 1);

    QCOMPARE(ends(log), std::ptrdiff_t{0});
    QCOMPARE(opened.recorded.damage, std::string());
    QCOMPARE(differenceOfRuns(opened.recorded.record, expected), std::string());
    QVERIFY(opened.journal == experiment);
    QVERIFY(opened.recorded.run.summary.find("\"updates\": 3000") != std::string::npos);
    QCOMPARE(std::distance(fs::directory_iterator(scratch.path()), {}), std::ptrdiff_t{1});
}

void TestSessionRecording::nothingIsRecordedBeforeSomethingHappens()
{
    const ScratchFolder scratch;
    {
        Session session(busyExperiment(10), 1, ClockKind::Virtual,
                        RecordingPlan{.file = scratch.path() / "session.slab"});
        (void)session.poll();
    }
    QVERIFY(fs::is_empty(scratch.path()));
}

void TestSessionRecording::editsAreRecordedAndTheJournalRepeatsTheRun_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 10; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestSessionRecording::editsAreRecordedAndTheJournalRepeatsTheRun()
{
    QFETCH(const int, seed);
    Rng random(static_cast<std::uint64_t>(seed), Purpose::Estimate, 0, 0);
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<LogEntry> log;
    Experiment journal;
    {
        Session session(busyExperiment(2000), 1 + seed % 3, ClockKind::Virtual, RecordingPlan{.file = file});
        if (seed % 2 == 0) {
            session.apply(randomChange(random)); // before its first second
        }
        session.setPace(seed % 3 == 0 ? std::optional(2000.0) : std::nullopt);
        session.run();
        for (int i = 0; i < 30; ++i) {
            session.apply(randomChange(random));
            random.below(4) == 0 ? session.pause() : session.run();
            for (std::uint64_t looks = random.below(200); looks > 0; --looks) {
                (void)session.poll();
            }
        }
        session.setPace(std::nullopt);
        for (std::int32_t node = 0; node < 6; ++node) {
            session.apply(Recover{.node = NodeId{node}}); // so that nobody waits for ever
        }
        session.run();
        QVERIFY(until(session, log, isFinished));
        journal = session.journal();
    }
    QCOMPARE(ends(log), std::ptrdiff_t{0});
    const OpenedRun opened = openRun(SessionReader(file), 1);

    QCOMPARE(opened.recorded.damage, std::string());
    QVERIFY(opened.experiment == busyExperiment(2000));
    QVERIFY(opened.journal == journal);
    QCOMPARE(opened.recorded.edits.size(), journal.events.size() - opened.experiment.events.size());
    QCOMPARE(differenceOfRuns(opened.recorded.record, lab::test::run(opened.journal)), std::string());
}

void TestSessionRecording::aLiveRunRepeatsItselfFromItsSession()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    Experiment experiment = busyExperiment(150);
    experiment.cluster.batch_seconds = 0.005;
    experiment.cluster.network = Network{.latency = 0.0005, .bandwidth = 1e6, .server_bandwidth = {}};
    experiment.cluster.server_seconds = 0;
    experiment.cluster.failure_detection_seconds = 0.02;
    experiment.events.clear();
    Rng random(3, Purpose::Estimate, 0, 0);
    std::vector<LogEntry> log;
    {
        Session session(experiment, 0, ClockKind::Live, RecordingPlan{.file = file});
        session.run();
        for (Version version = 10; version <= 60; version += 10) {
            QVERIFY(until(session, log, [&](const Frame& frame) { return frame.version >= version; }));
            session.apply(randomChange(random));
        }
        for (std::int32_t node = 0; node < 6; ++node) {
            session.apply(Recover{.node = NodeId{node}});
        }
        QVERIFY(until(session, log, isFinished));
    }
    const OpenedRun opened = openRun(SessionReader(file), 1);
    RunRecord live = opened.recorded.record;
    QCOMPARE(opened.recorded.damage, std::string());
    QVERIFY(live.last.live.has_value());

    Experiment replay = replayOf(opened.journal, "trace.csv");
    replay.folder = scratch.path();
    (void)scratch.write("trace.csv", traceCsv(live.task_seconds));
    const RunRecord replayed = lab::test::run(replay);

    QCOMPARE(replayed.schedule_fingerprint, live.schedule_fingerprint);
    QCOMPARE(replayed.number_fingerprint, live.number_fingerprint);
    QCOMPARE(lab::test::firstDifference(live, replayed), std::string());
}

void TestSessionRecording::aRunThatIsGivenUpIsThere()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<LogEntry> log;
    Version seen = 0;
    {
        Session session(busyExperiment(1'000'000'000), 1, ClockKind::Virtual, RecordingPlan{.file = file});
        session.run();
        QVERIFY(until(session, log, [&](const Frame& frame) { return (seen = frame.version) > 100; }));
    }
    const RecordedRun read = SessionReader(file).read(1);

    QCOMPARE(read.run.state, std::string("closed"));
    QCOMPARE(read.damage, std::string());
    QVERIFY(read.record.last.version >= seen);
    QCOMPARE(static_cast<Version>(read.record.updates.size()), read.record.last.version);
    QVERIFY(read.record.stop_reason == StopReason::Interrupted);
    QCOMPARE(lab::test::wrongInLedger(read.record), std::string());
    QCOMPARE(std::distance(fs::directory_iterator(scratch.path()), {}), std::ptrdiff_t{1});
}

void TestSessionRecording::whatIsPausedIsInTheFile()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<LogEntry> log;
    Session session(busyExperiment(1'000'000'000), 1, ClockKind::Virtual, RecordingPlan{.file = file});
    for (Version step = 1; step <= 3; ++step) {
        session.step();
        QVERIFY(until(session, log, [&](const Frame& frame) {
            return frame.state == RunState::Paused && frame.version == step;
        }));

        const RecordedRun read = SessionReader(file).read(1); // while the other has it open

        QCOMPARE(read.damage, std::string());
        QCOMPARE(read.run.updates, step);
        QCOMPARE(read.run.state, std::string("paused"));
    }
    session.apply(Slow{.node = NodeId{1}, .factor = 7, .lasting = std::nullopt});
    QVERIFY(until(session, log, [&](const Frame& frame) { return frame.nodes[1].slowdown == 7; }));
    QCOMPARE(SessionReader(file).read(1).edits.size(), std::size_t{1});
}

void TestSessionRecording::aFolderAsFileDoesNotHurtTheRun()
{
    const ScratchFolder scratch;
    for (const fs::path& file :
         {scratch.path(), scratch.path() / "none" / "session.slab", fs::path("/proc/x.slab")}) {
        std::vector<LogEntry> log;
        Session session(busyExperiment(50), 1, ClockKind::Virtual, RecordingPlan{.file = file});

        session.run();

        QVERIFY(until(session, log, isFinished));
        QCOMPARE(ends(log), std::ptrdiff_t{1});
        const auto said = std::ranges::find_if(log, [](const LogEntry& entry) { return ends({entry}) == 1; });
        QVERIFY2(said->text.find(file.string()) != std::string::npos, said->text.c_str());
    }
    QVERIFY(fs::is_empty(scratch.path()));
}

void TestSessionRecording::aFullDiskEndsTheRecordingAndNotTheRun_data()
{
    QTest::addColumn<bool>("is_file_system");
    QTest::newRow("limit on files") << false;
    QTest::newRow("small file system") << true;
}

void TestSessionRecording::aFullDiskEndsTheRecordingAndNotTheRun()
{
    QFETCH(const bool, is_file_system);
    constexpr std::size_t k_room = 3'000'000;
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<LogEntry> log;
    std::optional<SmallDisk> disk;
    std::optional<lab::test::SmallFileSystem> file_system;
    if (is_file_system) {
        file_system.emplace(scratch.path(), k_room);
        if (!file_system->isMounted()) {
            QSKIP("NOT TESTED: mounting a file system takes a right that this test has not");
        }
    } else {
        disk.emplace(k_room);
    }
    Version seen = 0;
    {
        Session session(busyExperiment(1'000'000'000), 1, ClockKind::Virtual, RecordingPlan{.file = file});
        session.run();
        QVERIFY(until(session, log, [&](const Frame&) { return ends(log) > 0; }));
        QVERIFY(until(session, log, [&](const Frame& frame) { return seen++ > 5 && frame.version > 0; }));
        QVERIFY(session.poll().state == RunState::Running);
    }
    QCOMPARE(ends(log), std::ptrdiff_t{1});
    const RecordedRun read = SessionReader(file).read(1);

    QCOMPARE(read.damage, std::string());
    QVERIFY(!read.record.updates.empty());
    QVERIFY(!read.run.isFinished());
    QCOMPARE(lab::test::wrongInLedger(read.record), std::string());
}

void TestSessionRecording::theLargestSizeEndsTheRecordingAndNotTheRun()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<LogEntry> log;
    Session session(busyExperiment(1'000'000'000), 1, ClockKind::Virtual,
                    RecordingPlan{.file = file, .most_bytes = 2 << 20});

    session.run();

    QVERIFY(until(session, log, [&](const Frame&) { return ends(log) > 0; }));
    QVERIFY(log.back().text.find("2 MiB") != std::string::npos);
    const RecordedRun read = SessionReader(file).read(1);
    QCOMPARE(read.run.state, std::string("full"));
    QCOMPARE(read.damage, std::string());
    QVERIFY(fs::file_size(file) >= (2U << 20U));
    QCOMPARE(std::distance(fs::directory_iterator(scratch.path()), {}), std::ptrdiff_t{1});
    QVERIFY(session.poll().state == RunState::Running);
}

QTEST_APPLESS_MAIN(TestSessionRecording)
#include "tst_session_recording.moc"
