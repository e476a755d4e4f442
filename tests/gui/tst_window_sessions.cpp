#include "app/document_files.h"
#include "app/recording.h"
#include "app/safe_file.h"
#include "core/base/rng.h"
#include "core/record/database.h"
#include "tests/gui/answer.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/session_fixture.h"
#include "tests/support/small_disk.h"
#include "widgets/timeline_view.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lab;
using lab::test::differenceOfStates;
using lab::test::eventfulExperiment;
using lab::test::SmallDisk;

extern char** environ;

namespace {

constexpr std::uint64_t k_seed = 16;
constexpr int k_kills = 6; ///< LAB_KILLS in the environment: so many instead

Experiment shortExperiment(std::int64_t updates = 300)
{
    Experiment experiment = eventfulExperiment("hybrid");
    experiment.title = "eventful";
    experiment.stop = {.seconds = {}, .updates = updates, .samples = {}, .loss = {}};
    return experiment;
}

QString messageIn(const MainWindow& window)
{
    const auto* label = window.findChild<QLabel*>(QStringLiteral("message"));
    return label->isVisible() ? label->text() : QString();
}

QString statusIn(const MainWindow& window)
{
    return window.findChild<QLabel*>(QStringLiteral("statusLine"))->text();
}

/// Files in a folder, those that begin with a dot too.
QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
}

/// A window whose runs are recorded, in a folder of its own.
struct RecordingWindow {
    QTemporaryDir folder;
    ShownWindow shown;

    explicit RecordingWindow(const Experiment& experiment = shortExperiment())
    {
        shown.window.recordInto(folder.path());
        shown.window.open(experiment, {});
        shown.window.controller().setPace(std::nullopt);
    }
    void runToItsEnd()
    {
        shown.action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown.window.controller().state(), RunState::Finished, 60'000);
        QVERIFY(!messageIn(shown.window).contains(QStringLiteral("no longer recorded")));
    }
};

/// Something happens to the run at this moment, so that frames of it may show the one side or the other.
bool isMomentOfChange(const RunRecord& run, TimePoint moment)
{
    return std::ranges::any_of(run.updates, [moment](const UpdateRecord& one) { return one.time == moment; })
        || std::ranges::any_of(
               run.spans, [moment](const Span& one) { return one.start == moment || one.end == moment; });
}

const OpenedRun& runIn(ShownWindow& shown) { return *shown.window.controller().recorded(); }

} // namespace

/// What a person watched is in a file, and from there on screen again.
class TestWindowSessions final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nothingIsRecordedUnlessItIsAskedFor();
    void aReopenedRunIsTheOneThatWasWatched();
    void aReopenedRunScrubsAsItWasWatched();
    void stepBackGoesFromUpdateToUpdate();
    void aReopenedRunRunsAgain();
    void runsOfOneWindowAreInOneSession();
    void runsAfterAnOpenedSessionAreAddedToIt();
    void theRunThatGoesOnIsSavedAsFarAsItIs();
    void aDroppedSessionOpens();
    void aLiveRunReopensAsOne();
    void targetsThatCannotBeFilesAreRefused_data();
    void targetsThatCannotBeFilesAreRefused();
    void aSymbolicLinkStaysOne();
    void aSessionThatIsRecordedElsewhereIsNotOverwritten();
    void aFullDiskLeavesTheOldFile();
    void aFullDiskEndsTheRecordingAndSaysSo();
    void whatIsNoSessionIsSaidAndChangesNothing_data();
    void whatIsNoSessionIsSaidAndChangesNothing();
    void aDamagedSessionOpensAsFarAsItIsSound();
    void closingAtAnyMomentLeavesNothingBehind();
    void aKilledProgramIsOfferedAtTheNextStart();
    void whatWasOfferedGoesOnlyWhenItIsDiscarded();
};

void TestWindowSessions::initTestCase() { QDir(Recording::usualFolder()).removeRecursively(); }

void TestWindowSessions::nothingIsRecordedUnlessItIsAskedFor()
{
    ShownWindow shown;
    shown.runTo(3);

    shown.action("saveSession")->trigger(); // which has nothing to ask

    QVERIFY(messageIn(shown.window).contains(QStringLiteral("no session to save")));
    QVERIFY(!QFileInfo::exists(Recording::usualFolder()));
}

void TestWindowSessions::aReopenedRunIsTheOneThatWasWatched()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("实验 会话 #1 50%.slab"));
    RecordingWindow watched;
    watched.runToItsEnd();
    QVERIFY(watched.shown.window.saveSessionTo(path));
    QCOMPARE(filesIn(folder.path()), QStringList{QFileInfo(path).fileName()});

    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));

    const RunHistory& was = watched.shown.window.history();
    const RunHistory& is = again.window.history();
    QCOMPARE(again.window.files().recent().front(), path);
    QCOMPARE(again.window.controller().state(), RunState::Finished);
    QVERIFY(statusIn(again.window).startsWith(QStringLiteral("Recorded: finished, all updates are made")));
    QCOMPARE(QString::fromStdString(differenceOfStates(is.latest(), was.latest())), QString());
    QCOMPARE(is.curve().size(), was.curve().size());
    QCOMPARE(is.curve().back().train_loss, was.curve().back().train_loss);
    QVERIFY(is.log() == was.log());
    for (std::size_t i = 0; i < was.nodeCount(); ++i) {
        QCOMPARE(is.nameOf(NodeId{i}), was.nameOf(NodeId{i}));
        QVERIFY(std::ranges::equal(is.lane(NodeId{i}).spans(), was.lane(NodeId{i}).spans()));
    }
    QVERIFY(again.window.document().experiment() == watched.shown.window.controller().journal());
    QVERIFY(!again.window.document().isModified());
    QVERIFY(!again.action("run")->isEnabled() && !again.action("step")->isEnabled());
    QVERIFY(again.window.findChild<TimelineView*>()->window().to >= toSeconds(is.latest().now) * 0.99);
}

void TestWindowSessions::aReopenedRunScrubsAsItWasWatched()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(shortExperiment(2000));
    watched.shown.window.controller().setPace(60.0);
    std::vector<Frame> seen;
    connect(&watched.shown.window.controller(), &RunController::polled, this,
            [&seen](const Frame& frame) { seen.push_back(frame); });
    watched.runToItsEnd();
    QVERIFY(watched.shown.window.saveSessionTo(path));
    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));
    const RunRecord& record = runIn(again).recorded.record;

    qInfo("seed %llu", static_cast<unsigned long long>(k_seed));
    int compared = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Frame& frame = seen[Rng(k_seed, Purpose::Data, 0, i).below(seen.size())];
        if (isMomentOfChange(record, frame.now)) {
            continue;
        }
        again.window.view(frame.now); // back and forth
        const Frame& shown = again.window.history().shown();
        QCOMPARE(shown.now, frame.now);
        const std::string difference = differenceOfStates(shown, frame);
        QVERIFY2(difference.empty(), difference.c_str());
        ++compared;
    }
    QVERIFY2(compared > 50, qPrintable(QString::number(compared)));

    // Between the frames that were seen, too, what each node did is what the one who watched can look back at.
    for (std::uint64_t i = 0; i < 200; ++i) {
        const TimePoint moment{Duration{static_cast<std::int64_t>(
            Rng(k_seed, Purpose::Data, 1, i)
                .below(static_cast<std::uint64_t>(record.end.time_since_epoch().count())))}};
        watched.shown.window.view(moment);
        again.window.view(moment);
        const Frame& was = watched.shown.window.history().shown();
        const Frame& is = again.window.history().shown();
        for (std::size_t node = 0; node < is.nodes.size(); ++node) {
            QCOMPARE(is.nodes[node].times.total(), was.nodes[node].times.total());
            QCOMPARE(is.nodes[node].times[Activity::Waiting], was.nodes[node].times[Activity::Waiting]);
        }
    }
}

void TestWindowSessions::stepBackGoesFromUpdateToUpdate()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(shortExperiment(40));
    watched.runToItsEnd();
    QVERIFY(watched.shown.window.saveSessionTo(path));
    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));

    Version version = again.window.history().shown().version;
    QCOMPARE(version, Version{40});
    while (version > 0) {
        again.action("stepBack")->trigger();
        QVERIFY(again.window.history().shown().version < version);
        QVERIFY(again.window.history().shown().version >= version - 2);
        version = again.window.history().shown().version;
    }
    again.action("stepBack")->trigger();
    QCOMPARE(again.window.history().shown().version, Version{0});
    again.action("live")->trigger();
    QVERIFY(again.window.history().isLive());
}

void TestWindowSessions::aReopenedRunRunsAgain()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(shortExperiment(2000));
    watched.shown.window.controller().setPace(60.0);
    watched.shown.runTo(100);
    watched.shown.cluster()->select({NodeId{1}});
    watched.shown.action("slow")->trigger();
    watched.shown.window.controller().setPace(std::nullopt);
    QTRY_COMPARE_WITH_TIMEOUT(watched.shown.window.controller().state(), RunState::Finished, 60'000);
    QVERIFY(watched.shown.window.saveSessionTo(path));
    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));
    QCOMPARE(runIn(again).recorded.edits.size(), std::size_t{1});

    again.action("reset")->trigger();
    QVERIFY(again.window.controller().recorded() == nullptr);
    QVERIFY(statusIn(again.window).startsWith(QStringLiteral("Ready")));
    again.window.controller().setPace(std::nullopt);
    again.action("run")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(again.window.controller().state(), RunState::Finished, 60'000);

    QCOMPARE(QString::fromStdString(differenceOfStates(again.now(), watched.shown.now())), QString());
    QCOMPARE(again.window.history().curve().back().train_loss,
             watched.shown.window.history().curve().back().train_loss);
}

void TestWindowSessions::runsOfOneWindowAreInOneSession()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(shortExperiment(50));
    watched.runToItsEnd();
    watched.shown.action("reset")->trigger();
    watched.shown.runTo(20);
    watched.shown.window.open(shortExperiment(60), {});
    watched.runToItsEnd();
    QVERIFY(watched.shown.window.saveSessionTo(path));
    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));
    QCOMPARE(again.now().version, Version{60});
    QVERIFY(messageIn(again.window).contains(QStringLiteral("run 3 of 3")));

    auto* menu = again.window.findChild<QMenu*>(QStringLiteral("sessionRunsMenu"));
    Q_EMIT menu->aboutToShow();
    QCOMPARE(menu->actions().size(), 3);
    QVERIFY(menu->actions()[2]->isChecked() && !menu->actions()[0]->isChecked());
    menu->actions()[0]->trigger();

    QCOMPARE(again.now().version, Version{50});
    QCOMPARE(again.window.document().experiment().stop.updates, std::optional<std::int64_t>(50));
}

void TestWindowSessions::runsAfterAnOpenedSessionAreAddedToIt()
{
    const QTemporaryDir folder;
    const QString first = folder.filePath(QStringLiteral("first.slab"));
    const QString second = folder.filePath(QStringLiteral("second.slab"));
    {
        RecordingWindow watched(shortExperiment(50));
        watched.runToItsEnd();
        QVERIFY(watched.shown.window.saveSessionTo(first));
    }
    const QByteArray before = readWhole(first);
    RecordingWindow again;
    QVERIFY(again.shown.window.files().open(first));
    QVERIFY(again.shown.window.saveSessionTo(second)); // a copy
    QCOMPARE(openSession(second).runs.size(), std::size_t{1});
    again.shown.action("reset")->trigger();
    again.runToItsEnd();
    QVERIFY(again.shown.window.saveSessionTo(second));

    QCOMPARE(readWhole(first), before);
    const OpenedSession both = openSession(second);
    QCOMPARE(both.remark, QString());
    QCOMPARE(both.runs.size(), std::size_t{2});
    QCOMPARE(openSession(second, 1).remark, QString());
    QVERIFY(both.runs[0].isFinished() && both.runs[1].isFinished());
    QCOMPARE(test::differenceOfRuns(openSession(second, 1).run->recorded.record, both.run->recorded.record),
             std::string());
}

void TestWindowSessions::theRunThatGoesOnIsSavedAsFarAsItIs()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(twoGroups());
    watched.shown.window.controller().setPace(50.0);
    watched.shown.runTo(20);
    watched.shown.action("run")->trigger();
    QTRY_COMPARE(watched.shown.window.controller().state(), RunState::Paused);
    const Version seen = watched.shown.now().version;

    QVERIFY(watched.shown.window.saveSessionTo(path));
    watched.shown.runTo(seen + 20);
    QVERIFY(watched.shown.window.saveSessionTo(path));

    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));
    QVERIFY(again.now().version >= seen);
    QVERIFY(messageIn(again.window).startsWith(QStringLiteral("This run is recorded"))); // no damage
    QVERIFY(statusIn(again.window).startsWith(QStringLiteral("Recorded: ")));
    QCOMPARE(again.window.controller().state(), RunState::Finished);
}

void TestWindowSessions::aDroppedSessionOpens()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("会话 %41.slab"));
    test::recordRun(shortExperiment(30), path.toStdString());
    ShownWindow shown;

    QVERIFY(dropFile(shown.window, path));

    QVERIFY2(shown.now().version == 30, qPrintable(messageIn(shown.window)));
    QVERIFY(shown.window.controller().recorded() != nullptr);
}

void TestWindowSessions::aLiveRunReopensAsOne()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    Experiment experiment = twoGroups();
    experiment.cluster.batch_seconds = 0.005;
    experiment.stop = {.seconds = {}, .updates = 40, .samples = {}, .loss = {}};
    RecordingWindow watched(experiment);
    watched.shown.action("liveThreads")->trigger();
    watched.runToItsEnd();
    QVERIFY(watched.shown.window.saveSessionTo(path));

    ShownWindow again;
    QVERIFY2(again.window.files().open(path), qPrintable(messageIn(again.window)));

    QCOMPARE(again.window.controller().runClock(), ClockKind::Live);
    QVERIFY(again.action("liveThreads")->isChecked());
    QVERIFY(again.now().live.has_value());
    QCOMPARE(again.window.controller().liveTrace().task_seconds,
             watched.shown.window.controller().liveTrace().task_seconds);
    QVERIFY(again.window.files().saveReplayTo(folder.filePath(QStringLiteral("replay.json")),
                                              again.window.controller().journal(),
                                              again.window.controller().liveTrace()));
}

void TestWindowSessions::targetsThatCannotBeFilesAreRefused_data()
{
    QTest::addColumn<QString>("target");
    QTest::newRow("folder") << QStringLiteral(".");
    QTest::newRow("no parent") << QStringLiteral("none/a.slab");
    QTest::newRow("a file as a folder") << QStringLiteral("file/a.slab");
    QTest::newRow("device") << QStringLiteral("/dev/null");
    QTest::newRow("proc") << QStringLiteral("/proc/a.slab");
}

void TestWindowSessions::targetsThatCannotBeFilesAreRefused()
{
    QFETCH(const QString, target);
    const QTemporaryDir folder;
    writeWhole(folder.filePath(QStringLiteral("file")), "x");
    const QString path = QDir(folder.path()).absoluteFilePath(target);
    RecordingWindow watched(shortExperiment(20));
    watched.runToItsEnd();

    QVERIFY(!watched.shown.window.saveSessionTo(path));

    QVERIFY2(messageIn(watched.shown.window).startsWith(QStringLiteral("Not saved. ") + path),
             qPrintable(messageIn(watched.shown.window)));
    QCOMPARE(filesIn(folder.path()), QStringList{QStringLiteral("file")});
}

void TestWindowSessions::aSymbolicLinkStaysOne()
{
    const QTemporaryDir folder;
    const QString target = folder.filePath(QStringLiteral("target.slab"));
    const QString link = folder.filePath(QStringLiteral("link.slab"));
    writeWhole(target, "old");
    QVERIFY(QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(QFile::link(QStringLiteral("target.slab"), link));
    RecordingWindow watched(shortExperiment(20));
    watched.runToItsEnd();

    QVERIFY(watched.shown.window.saveSessionTo(link));

    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(!QFileInfo(target).isSymLink());
    QCOMPARE(openSession(target).runs.size(), std::size_t{1});
    QVERIFY(!(QFileInfo(target).permissions() & QFile::ReadOther));
}

void TestWindowSessions::aSessionThatIsRecordedElsewhereIsNotOverwritten()
{
    const QTemporaryDir folder;
    RecordingWindow other(twoGroups());
    other.shown.runTo(5);
    RecordingWindow watched(shortExperiment(20));
    watched.runToItsEnd();
    const QString theirs = other.folder.filePath(filesIn(other.folder.path()).front());
    const QString own = watched.folder.filePath(filesIn(watched.folder.path()).front());

    QVERIFY(!watched.shown.window.saveSessionTo(theirs));
    QVERIFY(messageIn(watched.shown.window).contains(QStringLiteral("being recorded")));
    QVERIFY(!watched.shown.window.saveSessionTo(own));
    QVERIFY(messageIn(watched.shown.window).contains(QStringLiteral("the session itself")));

    QCOMPARE(test::sessionProblem(theirs.toStdString()), std::string());
}

void TestWindowSessions::aFullDiskLeavesTheOldFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    writeWhole(path, "good");
    RecordingWindow watched(shortExperiment(3000));
    watched.runToItsEnd();

    {
        const SmallDisk disk(100'000);
        QVERIFY(!watched.shown.window.saveSessionTo(path));
    }

    QVERIFY2(messageIn(watched.shown.window).startsWith(QStringLiteral("Not saved. ") + path),
             qPrintable(messageIn(watched.shown.window)));
    QCOMPARE(readWhole(path), QByteArray("good"));
    QCOMPARE(filesIn(folder.path()), QStringList{QStringLiteral("a.slab")});
    QVERIFY(watched.shown.window.saveSessionTo(path)); // and now there is room
    QCOMPARE(openSession(path).remark, QString());
}

void TestWindowSessions::aFullDiskEndsTheRecordingAndSaysSo()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    RecordingWindow watched(shortExperiment(1'000'000'000));
    Version reached = 0;
    {
        const SmallDisk disk(2'000'000);
        watched.shown.action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            messageIn(watched.shown.window).startsWith(QStringLiteral("The run is no longer recorded: ")),
            60'000);
        reached = watched.shown.now().version;
        QTRY_VERIFY(watched.shown.now().version > reached + 100);
    }
    QCOMPARE(watched.shown.window.controller().state(), RunState::Running);

    QVERIFY(watched.shown.window.saveSessionTo(path));
    const OpenedSession session = openSession(path);
    QCOMPARE(session.remark, QString());
    QVERIFY(session.run->recorded.record.last.version > 0);
}

void TestWindowSessions::whatIsNoSessionIsSaidAndChangesNothing_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("a.slab")).toStdString();
    test::recordRun(shortExperiment(20), path);
    const QByteArray good = readWhole(QString::fromStdString(path));
    QByteArray future = good;
    future[63] = 99;
    QByteArray foreign = good;
    foreign[68] = 'X';
    QTest::newRow("empty") << QByteArray() << QStringLiteral("is empty");
    QTest::newRow("a few bytes") << good.left(50) << QStringLiteral("is cut off");
    QTest::newRow("the first page") << good.left(4096) << QStringLiteral("is damaged");
    QTest::newRow("text") << QByteArray("hello") << QStringLiteral("is no session");
    QTest::newRow("future") << future << QStringLiteral("format 99");
    QTest::newRow("foreign") << foreign << QStringLiteral("another program");
}

void TestWindowSessions::whatIsNoSessionIsSaidAndChangesNothing()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, said);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    writeWhole(path, bytes);
    ShownWindow shown;
    const Experiment before = shown.window.document().experiment();

    QVERIFY(!shown.window.files().open(path));

    QVERIFY2(messageIn(shown.window).contains(said), qPrintable(messageIn(shown.window)));
    QVERIFY(shown.window.document().experiment() == before);
    QVERIFY(shown.window.files().recent().isEmpty());
    QCOMPARE(readWhole(path), bytes);
    QCOMPARE(filesIn(folder.path()), QStringList{QStringLiteral("a.slab")});
}

void TestWindowSessions::aDamagedSessionOpensAsFarAsItIsSound()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    test::recordRun(shortExperiment(3000), path.toStdString());
    const QByteArray good = readWhole(path);
    constexpr int k_page = 4096;
    int opened = 0;
    for (int place = 1; place <= 12; ++place) {
        QByteArray bytes = good;
        const auto page = good.size() / k_page * place / 13 * k_page;
        bytes.replace(page, k_page, QByteArray(k_page, '\0'));
        writeWhole(path, bytes);
        ShownWindow shown;

        const bool is_open = shown.window.files().open(path);

        const bool is_said = messageIn(shown.window).contains(QStringLiteral("damaged"));
        QVERIFY2(is_said || test::sessionProblem(path.toStdString()).empty(),
                 qPrintable(messageIn(shown.window)));
        if (is_open && is_said) {
            ++opened;
            for (int i = 0; i < 20; ++i) {
                shown.window.view(TimePoint{shown.now().now.time_since_epoch() / 20 * i});
            }
        }
        QCOMPARE(readWhole(path), bytes);
        QCOMPARE(filesIn(folder.path()), QStringList{QStringLiteral("a.slab")});
    }
    QVERIFY(opened > 0);
}

void TestWindowSessions::closingAtAnyMomentLeavesNothingBehind()
{
    qInfo("seed %llu", static_cast<unsigned long long>(k_seed));
    const QTemporaryDir folder;
    for (std::uint64_t i = 0; i < 60; ++i) {
        Rng random(k_seed, Purpose::Data, 2, i);
        MainWindow window;
        window.recordInto(folder.path());
        window.open(twoGroups(), {});
        window.show();
        window.controller().setPace(random.below(2) == 0 ? std::nullopt : std::optional<double>(50));
        window.findChild<QAction*>(QStringLiteral("run"))->trigger();
        for (std::uint64_t turns = random.below(12); turns > 0; --turns) {
            QApplication::processEvents(QEventLoop::AllEvents, 2);
        }
        if (random.below(3) == 0) {
            window.findChild<QAction*>(QStringLiteral("reset"))->trigger();
            window.findChild<QAction*>(QStringLiteral("run"))->trigger();
        }
        QVERIFY(window.close());
    }
    QCOMPARE(filesIn(folder.path()), QStringList{});
}

namespace {

/// The program with its window, which runs at once, until it is killed.
class Program {
public:
    explicit Program(const QString& experiment)
    {
        const QByteArray file = QFile::encodeName(experiment);
        const char* argv[] = {LAB_PROGRAM, "--start", file.constData(), nullptr};
        ::posix_spawn(&pid_, LAB_PROGRAM, nullptr, nullptr, const_cast<char**>(argv), environ);
    }
    ~Program() { kill(); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void kill()
    {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(std::exchange(pid_, 0), nullptr, 0);
        }
    }

private:
    pid_t pid_ = 0;
};

QStringList recordings()
{
    return QDir(Recording::usualFolder()).entryList({QStringLiteral("*.slab")}, QDir::Files);
}

bool holdsRun(const QString& recording)
{
    const QFileInfo file(QDir(Recording::usualFolder()), recording);
    return file.size() > 0 && !SessionReader(file.filePath().toStdString()).runs().empty();
}

/// Records with the program and kills it so long after its first commit.
void killAfter(int milliseconds)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("实验 1.json"));
    Experiment experiment = twoGroups();
    experiment.title = "killed";
    writeWhole(file, QByteArray::fromStdString(experimentToJson(experiment)));
    const qsizetype before = recordings().size();
    Program program(file);
    QTRY_VERIFY_WITH_TIMEOUT(recordings().size() > before, 60'000);
    ::poll(nullptr, 0, milliseconds);
    program.kill();
}

} // namespace

void TestWindowSessions::aKilledProgramIsOfferedAtTheNextStart()
{
    const char* wanted = std::getenv("LAB_KILLS");
    const int kills = wanted != nullptr ? std::max(std::atoi(wanted), 1) : k_kills;
    qInfo("seed %llu, %d kills", static_cast<unsigned long long>(k_seed), kills);
    QDir(Recording::usualFolder()).removeRecursively();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.slab"));
    int shown_runs = 0;
    for (int i = 0; i < kills; ++i) {
        killAfter(static_cast<int>(Rng(k_seed, Purpose::Data, 3, static_cast<std::uint64_t>(i)).below(2500)));
        QCOMPARE(recordings().size(), 1);
        {
            ShownWindow next;
            next.window.remember();
            if (!holdsRun(recordings().front())) { // killed before the run had begun
                next.window.offerRecovery();
                QCOMPARE(recordings().size(), 0);
                continue;
            }
            answer(QStringLiteral("Open"));
            next.window.offerRecovery();

            QVERIFY(statusIn(next.window).startsWith(QStringLiteral("Recorded: cut off, the program ended")));
            QCOMPARE(next.window.document().experiment().title, std::string("killed"));
            QCOMPARE(runIn(next).recorded.damage, std::string());
            ++shown_runs;
            next.window.controller().setPace(std::nullopt);
            next.action("reset")->trigger();
            next.runTo(5); // a second run of the same session
            QVERIFY(next.window.saveSessionTo(path));
        }
        QCOMPARE(recordings().size(), 0); // it is where it was saved
        QCOMPARE(test::sessionProblem(path.toStdString()), std::string());
        QCOMPARE(openSession(path).runs.size(), std::size_t{2});
    }
    QVERIFY(shown_runs > 0);
}

void TestWindowSessions::whatWasOfferedGoesOnlyWhenItIsDiscarded()
{
    QDir(Recording::usualFolder()).removeRecursively();
    killAfter(1200);
    for (const char* choice : {"Keep it for later", "Open", "Open"}) { // which is not saved
        ShownWindow next;
        next.window.remember();
        answer(QString::fromLatin1(choice));
        next.window.offerRecovery();
        QCOMPARE(next.window.controller().recorded() != nullptr, *choice == 'O');
    }
    QCOMPARE(recordings().size(), 1);
    {
        ShownWindow next;
        next.window.remember();
        answer(QStringLiteral("Discard the recording"));
        next.window.offerRecovery();
    }
    QCOMPARE(recordings().size(), 0);
    QCOMPARE(filesIn(Recording::usualFolder()), QStringList{});
    ShownWindow next;
    next.window.remember();
    next.window.offerRecovery(); // and nobody asks
}

QTEST_MAIN(TestWindowSessions)
#include "tst_window_sessions.moc"
