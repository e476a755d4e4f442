#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run.h"
#include "core/experiment/run_recording.h"
#include "core/record/csv.h"
#include "core/record/playback.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/session_fixture.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace lab;
using lab::test::differenceOfRuns;
using lab::test::eventfulExperiment;
using lab::test::recordRun;
using lab::test::ScratchFolder;
using lab::test::sessionProblem;
namespace fs = std::filesystem;

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsReadIsWhatWasRecorded_data();
    void whatIsReadIsWhatWasRecorded();
    void aClosedSessionIsOneFile();
    void severalRunsStandSideBySide();
    void oddNamesWork();
    void timesAreWholeNanoseconds();
    void aRunThatIsNotThereIsNamed();
    void stateAtAnyMomentIsTheRecorders_data();
    void stateAtAnyMomentIsTheRecorders();
    void aSweepOverMomentsEqualsSingleLooks();
    void lastFrameIsGivenFromTheEndOn();
    void aLiveRunKeepsItsTasks();
    void notANumberAndInfinityComeBack();
};

namespace {

void addStrategies()
{
    QTest::addColumn<QByteArray>("kind");
    for (const StrategyInfo& strategy : strategyCatalog()) {
        QTest::newRow(strategy.id.c_str()) << QByteArray::fromStdString(strategy.id);
    }
}

} // namespace

void TestSessionFile::whatIsReadIsWhatWasRecorded_data() { addStrategies(); }

void TestSessionFile::whatIsReadIsWhatWasRecorded()
{
    QFETCH(const QByteArray, kind);
    const ScratchFolder scratch;
    Experiment experiment = eventfulExperiment(kind.toStdString());
    experiment.folder = scratch.path();
    const fs::path file = scratch.path() / "session.slab";

    const RunRecord run = recordRun(experiment, file);
    const SessionReader session(file);
    const OpenedRun opened = openRun(session, 1);

    QCOMPARE(session.runs().size(), std::size_t{1});
    QVERIFY(session.damage().empty());
    QCOMPARE(opened.recorded.damage, std::string());
    QVERIFY(opened.experiment == experiment);
    QVERIFY(opened.journal == experiment);
    QVERIFY(opened.recorded.run.isFinished());
    QCOMPARE(opened.recorded.run.updates, run.last.version);
    QCOMPARE(opened.recorded.run.summary, summaryToJson(summarize(experiment, run, 1.25)));
    QCOMPARE(opened.recorded.run.wall_seconds.value(), 1.25);
    QCOMPARE(differenceOfRuns(opened.recorded.record, run), std::string());
    QVERIFY(!run.updates.empty() && !run.groupings.empty() && !run.slowdowns.empty());
}

void TestSessionFile::aClosedSessionIsOneFile()
{
    const ScratchFolder scratch;

    (void)recordRun(eventfulExperiment("hybrid"), scratch.path() / "session.slab");

    QCOMPARE(std::distance(fs::directory_iterator(scratch.path()), {}), std::ptrdiff_t{1});
}

void TestSessionFile::severalRunsStandSideBySide()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    std::vector<RunRecord> runs;
    std::vector<Experiment> experiments;
    for (const char* kind : {"bsp", "asp", "hybrid"}) {
        experiments.push_back(eventfulExperiment(kind));
        runs.push_back(recordRun(experiments.back(), file));
    }

    const SessionReader session(file);

    QCOMPARE(session.runs().size(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const OpenedRun opened = openRun(session, static_cast<std::int64_t>(i) + 1);
        QVERIFY(opened.experiment.strategy == experiments[i].strategy);
        QCOMPARE(opened.recorded.damage, std::string());
        QCOMPARE(differenceOfRuns(opened.recorded.record, runs[i]), std::string());
    }
}

void TestSessionFile::oddNamesWork()
{
    const ScratchFolder scratch;
    for (const std::string& name :
         {std::string("实验 1.slab"), std::string("a b?mode=ro#x%41.slab"), std::string("'\"`;--.slab"),
          std::string("new\nline.slab"), std::string("\xFF.slab"), std::string("-n.slab"),
          std::string(":memory:"), std::string("file:x?cache=shared")}) {
        const fs::path folder = scratch.path() / ("in " + name);
        fs::create_directory(folder);

        (void)recordRun(eventfulExperiment("asp"), folder / name);

        QCOMPARE(SessionReader(folder / name).runs().size(), std::size_t{1});
        QCOMPARE(std::distance(fs::directory_iterator(folder), {}), std::ptrdiff_t{1});
        QVERIFY(fs::exists(folder / name));
    }
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path());
    (void)recordRun(eventfulExperiment("asp"), ":memory:");
    QCOMPARE(SessionReader(":memory:").runs().size(), std::size_t{1});
    fs::current_path(before);
    QVERIFY(fs::exists(scratch.path() / ":memory:"));
}

void TestSessionFile::timesAreWholeNanoseconds()
{
    // Seconds in a double hold every nanosecond of the first 26 days.
    constexpr std::int64_t k_days_26 = std::int64_t{1} << 51;
    Rng random(1, Purpose::Estimate, 0, 0);
    for (int i = 0; i < 1'000'000; ++i) {
        const auto nanoseconds =
            static_cast<std::int64_t>(random.uniform() * static_cast<double>(k_days_26 >> (i % 50)));
        QCOMPARE(fromSeconds(toSeconds(Duration{nanoseconds})).count(), nanoseconds);
    }
    QCOMPARE(fromSeconds(toSeconds(Duration{k_days_26 - 1})).count(), k_days_26 - 1);
}

void TestSessionFile::aRunThatIsNotThereIsNamed()
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "session.slab";
    (void)recordRun(eventfulExperiment("asp"), file);
    const SessionReader session(file);

    QVERIFY_EXCEPTION_THROWN((void)session.read(2), Error);
    QVERIFY_EXCEPTION_THROWN((void)session.read(0), Error);
}

void TestSessionFile::stateAtAnyMomentIsTheRecorders_data() { addStrategies(); }

void TestSessionFile::stateAtAnyMomentIsTheRecorders()
{
    QFETCH(const QByteArray, kind);
    const Experiment experiment = eventfulExperiment(kind.toStdString());
    const std::vector<Frame> frames = lab::test::framesOf(experiment);
    const RunRecord run = lab::test::run(experiment);
    QVERIFY(frames.size() > 50);

    Playback playback(run);
    for (const Frame& frame : frames) {
        QCOMPARE(lab::test::differenceOfStates(playback.at(frame.now), frame), std::string());
    }
}

void TestSessionFile::aSweepOverMomentsEqualsSingleLooks()
{
    const RunRecord run = lab::test::run(eventfulExperiment("hybrid"));
    Rng random(2, Purpose::Estimate, 0, 0);
    Playback playback(run); // asked in any order
    for (int i = 0; i < 100; ++i) {
        const TimePoint moment{Duration{static_cast<std::int64_t>(
            random.uniform() * static_cast<double>(run.end.time_since_epoch().count()))}};

        const Frame there = playback.at(moment);

        const Frame alone = frameAt(run, moment);
        QCOMPARE(lab::test::differenceOfStates(there, alone), std::string());
        QVERIFY(there.now == moment);
    }
}

void TestSessionFile::lastFrameIsGivenFromTheEndOn()
{
    const RunRecord run = lab::test::run(eventfulExperiment("asp"));

    for (const TimePoint moment : {run.end, run.end + Duration{1}}) {
        const Frame frame = frameAt(run, moment);
        QVERIFY(frame.now == run.end);
        QVERIFY(frame.state == RunState::Finished);
        QCOMPARE(lab::test::differenceOfStates(frame, run.last), std::string());
    }
    const Frame before = frameAt(run, TimePoint{Duration{-5}});
    QVERIFY(before.now == TimePoint{});
    QCOMPARE(before.version, Version{0});
    // Made from the lists alone it is the same, but for what they do not hold.
    Frame rebuilt = Playback(run).rebuilt(run.end);
    for (std::size_t i = 0; i < rebuilt.nodes.size(); ++i) {
        rebuilt.nodes[i].activity = run.last.nodes[i].activity;
        rebuilt.nodes[i].since = run.last.nodes[i].since;
    }
    QCOMPARE(lab::test::differenceOfStates(rebuilt, run.last), std::string());
}

void TestSessionFile::aLiveRunKeepsItsTasks()
{
    const ScratchFolder scratch;
    Experiment experiment = lab::test::smallExperiment(3);
    experiment.cluster.batch_seconds = 0.01;
    experiment.stop.updates = 20;
    const fs::path file = scratch.path() / "session.slab";
    RunRecording recording({.file = file}, experiment, ClockKind::Live, dateAndTime());

    const std::optional<RunRecord> run = runLive(experiment, {}, {.recording = &recording});
    recording.finish(*run, summarize(experiment, *run, 1));

    const RecordedRun read = SessionReader(file).read(1);
    QCOMPARE(read.run.head.clock, std::string("live"));
    QCOMPARE(differenceOfRuns(read.record, *run), std::string());
    QVERIFY(!run->task_seconds.at(0).empty());
}

void TestSessionFile::notANumberAndInfinityComeBack()
{
    const ScratchFolder scratch;
    Experiment experiment = lab::test::smallExperiment(2);
    experiment.model.kind = "linear";
    experiment.training.learning_rate = 1000;
    experiment.evaluate_every_updates = 1;
    const fs::path file = scratch.path() / "session.slab";

    const RunRecord run = recordRun(experiment, file);

    QVERIFY(run.stop_reason == StopReason::Diverged);
    const RecordedRun read = SessionReader(file).read(1);
    QCOMPARE(read.damage, std::string());
    QCOMPARE(differenceOfRuns(read.record, run), std::string());
    QCOMPARE(curveCsv(read.record), curveCsv(run));
}

QTEST_APPLESS_MAIN(TestSessionFile)
#include "tst_session_file.moc"
