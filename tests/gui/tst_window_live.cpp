#include "tests/gui/window_fixture.h"

#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

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
        QVERIFY(shown.window.close());
    }
}

QTEST_MAIN(TestWindowLive)
#include "tst_window_live.moc"
