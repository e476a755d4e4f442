#include "app/document_files.h"
#include "app/headless.h"
#include "app/safe_file.h"
#include "core/record/csv.h"
#include "tests/gui/window_fixture.h"
#include "widgets/message_strip.h"

#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <ctime>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace lab;

namespace {

/// Sixteen nodes of 20 ms a task, four of them slow.
Experiment sixteenNodes()
{
    Experiment experiment = twoGroups();
    experiment.cluster.batch_seconds = 0.02;
    experiment.cluster.nodes.clear();
    experiment.groups.members = {{}, {}};
    for (int i = 0; i < 16; ++i) {
        experiment.cluster.nodes.push_back(
            {.name = "n" + std::to_string(i + 1), .slowdown = i < 12 ? 1.0 : 3.0, .jitter = {}});
        experiment.groups.members[i < 12 ? 0 : 1].push_back(NodeId{i});
    }
    return experiment;
}

} // namespace

/// The switch between the two clocks, and a live run in the window.
class TestWindowLive final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLiveRunShowsAndCanBeSteered();
    void theClockOfARunningRunChangesAtReset();
    void theEventLogSaysWhyNodesAreGrouped();
    void tooManyNodesLeaveTheVirtualClock();
    void aLiveWindowClosesAtAnyMoment();
    void aSavedLiveRunRepeatsItselfUnderTheVirtualClock_data();
    void aSavedLiveRunRepeatsItselfUnderTheVirtualClock();
    void nothingIsSavedOfALiveRunBeforeItsFirstTask();
    void aPausedLiveRunUsesNoProcessor();
};

void TestWindowLive::aLiveRunShowsAndCanBeSteered()
{
    ShownWindow shown(sixteenNodes());
    const auto* speed = shown.window.findChild<QDoubleSpinBox*>(QStringLiteral("speedValue"));
    QVERIFY(speed->isEnabled());

    shown.action("liveThreads")->trigger();

    QVERIFY(shown.action("liveThreads")->isChecked());
    QVERIFY(!shown.action("virtualClock")->isChecked());
    QVERIFY(!speed->isEnabled());
    QVERIFY(!shown.action("faster")->isEnabled());
    shown.runTo(10);
    QVERIFY(shown.now().live.has_value());
    const auto* status = shown.window.findChild<QLabel*>(QStringLiteral("statusLine"));
    QTRY_VERIFY(status->toolTip().contains(QStringLiteral("machine's doing")));

    shown.cluster()->select({NodeId{0}});
    shown.action("fail")->trigger();
    QTRY_VERIFY(shown.now().nodes[0].activity == Activity::Down);
    shown.cluster()->requestMove({NodeId{1}}, GroupId{1});
    QTRY_VERIFY(shown.now().nodes[1].group == GroupId{1});

    shown.action("run")->trigger();
    QTRY_VERIFY(shown.now().state == RunState::Paused);
    const TimePoint paused = shown.now().now;
    shown.action("step")->trigger();
    QTRY_VERIFY(shown.now().state == RunState::Paused && shown.now().now > paused);
}

void TestWindowLive::theClockOfARunningRunChangesAtReset()
{
    ShownWindow shown;
    shown.runTo(1);
    shown.action("liveThreads")->trigger();
    QVERIFY(shown.window.controller().runClock() == ClockKind::Virtual);
    const Version version = shown.now().version;
    QTRY_VERIFY(shown.now().version > version); // it goes on as it was

    shown.action("reset")->trigger();
    QVERIFY(shown.window.controller().runClock() == ClockKind::Live);
    shown.runTo(1);
    QVERIFY(shown.now().live.has_value());
    shown.action("virtualClock")->trigger();
    shown.action("reset")->trigger();
    QVERIFY(shown.window.controller().runClock() == ClockKind::Virtual);
}

void TestWindowLive::theEventLogSaysWhyNodesAreGrouped()
{
    Experiment bySpeed = twoGroups();
    bySpeed.groups = {};
    ShownWindow shown(bySpeed);
    auto* list = shown.window.findChild<QListWidget*>(QStringLiteral("eventList"));
    shown.window.findChild<QDockWidget*>(QStringLiteral("eventLogDock"))->show();

    shown.runTo(30);
    QTRY_VERIFY(!list->findItems(QStringLiteral("median"), Qt::MatchContains).isEmpty());

    const int before = list->count();

    // An entry leads to its moment.
    Q_EMIT list->itemActivated(list->item(0));
    QVERIFY(!shown.window.history().isLive());
    shown.action("reset")->trigger();
    QTRY_VERIFY(list->count() < before); // what is known at the start is there again
}

void TestWindowLive::tooManyNodesLeaveTheVirtualClock()
{
    Experiment many = twoGroups();
    many.strategy.kind = "asp";
    many.groups = {};
    many.cluster.nodes.assign(600, many.cluster.nodes.front());
    for (std::size_t i = 0; i < many.cluster.nodes.size(); ++i) {
        many.cluster.nodes[i].name = "n" + std::to_string(i);
    }
    ShownWindow shown(many);

    shown.action("liveThreads")->trigger();

    QVERIFY(shown.action("virtualClock")->isChecked());
    QVERIFY(shown.window.controller().clock() == ClockKind::Virtual);
    shown.runTo(1);
}

void TestWindowLive::aLiveWindowClosesAtAnyMoment()
{
    for (int i = 0; i < 20; ++i) {
        ShownWindow shown(sixteenNodes());
        shown.action("liveThreads")->trigger();
        shown.action("run")->trigger();
        for (int events = 0; events < i; ++events) {
            QCoreApplication::processEvents();
        }
        QElapsedTimer closing;
        closing.start();
        QVERIFY(shown.window.close());
        shown.window.open(twoGroups(), {}); // its threads are gone
        QVERIFY2(closing.elapsed() < 2000, qPrintable(QString::number(closing.elapsed())));
    }
}

void TestWindowLive::aSavedLiveRunRepeatsItselfUnderTheVirtualClock_data()
{
    QTest::addColumn<bool>("to_the_end");
    QTest::newRow("to its end") << true;
    QTest::newRow("as far as it went") << false;
}

void TestWindowLive::aSavedLiveRunRepeatsItselfUnderTheVirtualClock()
{
    QFETCH(bool, to_the_end);
    Experiment experiment = sixteenNodes();
    experiment.stop.seconds = to_the_end ? 1.5 : 1000;
    ShownWindow shown(experiment);
    shown.action("liveThreads")->trigger();
    RunRecord seen; // what the window was told of the run
    connect(&shown.window.controller(), &RunController::polled, this, [&](const Frame& frame) {
        seen.updates.insert(seen.updates.end(), frame.updates.begin(), frame.updates.end());
        seen.spans.insert(seen.spans.end(), frame.spans.begin(), frame.spans.end());
    });
    shown.runTo(8);
    shown.cluster()->select({NodeId{0}});
    shown.action("fail")->trigger();
    QTRY_VERIFY(shown.now().nodes[0].activity == Activity::Down);
    shown.cluster()->select({NodeId{13}});
    shown.action("slow")->trigger();
    QTRY_VERIFY(shown.now().version > 30);
    if (to_the_end) {
        QTRY_COMPARE(shown.now().state, RunState::Finished);
    } else {
        shown.action("run")->trigger();
        QTRY_COMPARE(shown.now().state, RunState::Paused);
    }

    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("observed.json"));
    RunController& controller = shown.window.controller();
    QVERIFY(shown.window.files().saveReplayTo(path, controller.journal(), controller.liveTrace()));
    QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("observed-trace.csv"))));
    // Saved again, it leaves the first trace alone.
    QVERIFY(shown.window.files().saveReplayTo(path, controller.journal(), controller.liveTrace()));
    QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("observed-trace-2.csv"))));

    RunCommand command;
    command.experiment = path.toStdString();
    command.out = folder.filePath(QStringLiteral("replay")).toStdString();
    command.is_quiet = true;
    std::ostringstream said;
    QVERIFY2(carryOut(command, {said, said, false, {}}, {}) == k_ended, said.str().c_str());

    // Every update at the same nanosecond, by the same group, of the same nodes' gradients, equally stale.
    std::vector<std::string> names;
    for (const NodeSpec& node : experiment.cluster.nodes) {
        names.push_back(node.name);
    }
    const auto written = [&](const char* file) {
        return readWhole(folder.filePath(QStringLiteral("replay/") + QLatin1String(file))).toStdString();
    };
    QVERIFY(seen.updates.size() > 30);
    QVERIFY(written("updates.csv") == updatesCsv(seen, names));
    if (to_the_end) {
        std::ranges::sort(seen.spans, {}, [](const Span& span) { return std::pair(span.node, span.start); });
        QVERIFY(written("timeline.csv") == timelineCsv(seen, names));
    }
}

void TestWindowLive::nothingIsSavedOfALiveRunBeforeItsFirstTask()
{
    ShownWindow shown(sixteenNodes());
    shown.action("liveThreads")->trigger();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("observed.json"));
    RunController& controller = shown.window.controller();

    QVERIFY(!shown.window.files().saveReplayTo(path, controller.journal(), controller.liveTrace()));

    QVERIFY(QDir(folder.path()).isEmpty());
    const auto* strip = shown.window.findChild<MessageStrip*>(QStringLiteral("messageStrip"));
    QVERIFY2(strip->text().startsWith(QStringLiteral("Not saved")), qPrintable(strip->text()));
}

void TestWindowLive::aPausedLiveRunUsesNoProcessor()
{
    ShownWindow shown(sixteenNodes());
    shown.action("liveThreads")->trigger();
    shown.runTo(10);
    shown.action("run")->trigger();
    QTRY_COMPARE(shown.now().state, RunState::Paused);
    const auto timers = shown.window.controller().findChildren<QTimer*>();
    QTRY_VERIFY(std::ranges::none_of(timers, [](const QTimer* timer) { return timer->isActive(); }));

    // Of all threads together; who waits busily uses as much as passes on the wall.
    const std::clock_t used_before = std::clock();
    QElapsedTimer wall;
    wall.start();
    QEventLoop rest;
    QTimer::singleShot(600, &rest, &QEventLoop::quit);
    rest.exec();
    const double used_ms = 1000.0 * static_cast<double>(std::clock() - used_before) / CLOCKS_PER_SEC;

    QVERIFY2(used_ms < 0.1 * static_cast<double>(wall.elapsed()), qPrintable(QString::number(used_ms)));
}

QTEST_MAIN(TestWindowLive)
#include "tst_window_live.moc"
