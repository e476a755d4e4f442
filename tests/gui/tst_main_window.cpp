#include "tests/gui/window_fixture.h"
#include "widgets/idle_chart.h"
#include "widgets/staleness_chart.h"
#include "widgets/style.h"
#include "widgets/timeline_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

using namespace lab;

/// Drives the window as a person does, with the real engine behind it.
class TestMainWindow final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPanelThatAppearsShowsTheRunThatRests();
    void initTestCase();
    void theRunGoesOnWhenRunIsPressedAndRestsWhenPaused();
    void aDraggedNodeJoinsTheOtherGroupWhileTheRunGoesOn();
    void escapeDuringADragChangesNothing();
    void aNodeFailsAndRecoversWithUndo();
    void closingInMidRunIsSafe();
    void aStepIsOneUpdateWhateverTheSpeed();
    void resetGivesTheSameAsAFreshStart();
    void anEditBeforeTheRunNeedsNoReset();
    void anEditDuringTheRunWaitsForReset();
    void aDropOnEmptySpaceMakesANewGroup();
    void aMoveIsRecordedInTheRun();
    void severalNodesAreEditedAsOneStep();
    void nodesComeAndGo();
    void aPlannedFailureHappens();
    void thePastIsLookedAtWhileTheRunGoesOn();
    void aStretchOfTimeFiltersIdleTime();
    void aLossThatIsNotFiniteIsSaid();
    void hiddenItRests();
};

void TestMainWindow::initTestCase() { applyTheme(*qApp, lightTheme()); }

void TestMainWindow::theRunGoesOnWhenRunIsPressedAndRestsWhenPaused()
{
    MainWindow window;
    window.open(twoGroups(), {});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QCOMPARE(window.controller().state(), RunState::Ready);

    auto* run = window.findChild<QAction*>(QStringLiteral("run"));
    run->trigger();
    QTRY_VERIFY(window.history().latest().version > 3);
    run->trigger();
    QTRY_COMPARE(window.controller().state(), RunState::Paused);

    const auto timers = window.controller().findChildren<QTimer*>();
    QTRY_VERIFY(std::ranges::none_of(timers, [](const QTimer* timer) { return timer->isActive(); }));
}

void TestMainWindow::aDraggedNodeJoinsTheOtherGroupWhileTheRunGoesOn()
{
    MainWindow window;
    window.open(twoGroups(), {});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.findChild<QAction*>(QStringLiteral("run"))->trigger();
    QTRY_VERIFY(window.history().latest().version > 3);
    auto* cluster = window.findChild<ClusterView*>(QStringLiteral("clusterView"));
    const QPoint from = cluster->cardOf(NodeId{0}).center();
    const QPoint to = cluster->boxOf(GroupId{1}).center();

    QTest::mousePress(cluster->viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(cluster->viewport(), (from + to) / 2);
    QTest::mouseMove(cluster->viewport(), to);
    QTest::mouseRelease(cluster->viewport(), Qt::LeftButton, {}, to);

    QTRY_COMPARE(window.history().latest().nodes[0].group, GroupId{1});
    QCOMPARE(window.controller().state(), RunState::Running);
    QCOMPARE(window.document().experiment().groups.members,
             (Partition{{NodeId{1}}, {NodeId{0}, NodeId{2}, NodeId{3}}}));

    window.document().undoStack().undo();
    QTRY_COMPARE(window.history().latest().nodes[0].group, GroupId{0});
    QCOMPARE(window.document().experiment(), twoGroups());
    QCOMPARE(window.controller().state(), RunState::Running);
}

void TestMainWindow::escapeDuringADragChangesNothing()
{
    MainWindow window;
    window.open(twoGroups(), {});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    auto* cluster = window.findChild<ClusterView*>(QStringLiteral("clusterView"));
    cluster->setFocus();
    window.findChild<QAction*>(QStringLiteral("step"))->trigger();
    QTRY_COMPARE(window.controller().state(), RunState::Paused);
    const QRect before = cluster->cardOf(NodeId{0});
    const QPoint to = cluster->boxOf(GroupId{1}).center();

    QTest::mousePress(cluster->viewport(), Qt::LeftButton, {}, before.center());
    QTest::mouseMove(cluster->viewport(), to);
    QVERIFY(cluster->cardOf(NodeId{0}) != before);
    QTest::keyClick(cluster, Qt::Key_Escape);
    QTest::mouseRelease(cluster->viewport(), Qt::LeftButton, {}, to);

    QCOMPARE(cluster->cardOf(NodeId{0}), before);
    QVERIFY(!window.document().undoStack().canUndo());
}

void TestMainWindow::aNodeFailsAndRecoversWithUndo()
{
    MainWindow window;
    window.open(twoGroups(), {});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.findChild<QAction*>(QStringLiteral("run"))->trigger();
    QTRY_VERIFY(window.history().latest().version > 1);
    window.findChild<ClusterView*>(QStringLiteral("clusterView"))->select({NodeId{1}});

    window.findChild<QAction*>(QStringLiteral("fail"))->trigger();
    QTRY_COMPARE(window.history().latest().nodes[1].activity, Activity::Down);
    window.document().undoStack().undo();
    QTRY_VERIFY(window.history().latest().nodes[1].activity != Activity::Down);
}

void TestMainWindow::closingInMidRunIsSafe()
{
    for (int i = 0; i < 5; ++i) {
        MainWindow window;
        window.open(twoGroups(), {});
        window.show();
        window.controller().setPace(std::nullopt);
        window.findChild<QAction*>(QStringLiteral("run"))->trigger();
        QTRY_VERIFY(window.history().latest().version > i);
        window.close();
    }
}

void TestMainWindow::aStepIsOneUpdateWhateverTheSpeed()
{
    ShownWindow shown;
    Version version = 0;
    for (const std::optional<double> pace :
         {std::optional<double>(0.1), std::optional<double>(100), std::optional<double>()}) {
        shown.window.controller().setPace(pace);
        for (int i = 0; i < 3; ++i) {
            shown.action("step")->trigger();
            QTRY_COMPARE(shown.now().version, version + 1);
            QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
            QCOMPARE(shown.now().version, ++version);
        }
    }
}

void TestMainWindow::resetGivesTheSameAsAFreshStart()
{
    ShownWindow shown;
    const auto firstSteps = [&] {
        for (int i = 1; i <= 5; ++i) {
            shown.action("step")->trigger();
            QTRY_COMPARE(shown.now().version, Version{i});
            QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
        }
    };
    firstSteps();
    const TimePoint then = shown.now().now;
    shown.action("resetAll")->trigger();
    QCOMPARE(shown.now().version, Version{0});
    QVERIFY(shown.now().now == TimePoint{});
    QVERIFY(shown.window.history().log().empty());
    QCOMPARE(shown.window.history().curve().size(), std::size_t{1});

    firstSteps();

    QVERIFY(shown.now().now == then);
}

void TestMainWindow::anEditBeforeTheRunNeedsNoReset()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    shown.action("duplicate")->trigger();
    QTRY_COMPARE(shown.now().nodes.size(), std::size_t{5});
    shown.window.document().undoStack().undo();
    QTRY_COMPARE(shown.now().nodes.size(), std::size_t{4});
    shown.action("duplicate")->trigger();

    shown.action("run")->trigger(); // at once, before the window has caught up

    QTRY_VERIFY(shown.now().version > 0);
    QCOMPARE(shown.now().nodes.size(), std::size_t{5});
}

void TestMainWindow::anEditDuringTheRunWaitsForReset()
{
    ShownWindow shown;
    shown.runTo(3);
    auto* kind = shown.window.findChild<QComboBox*>(QStringLiteral("strategyKind"));
    kind->setCurrentIndex(0);
    Q_EMIT kind->activated(0);

    QCOMPARE(shown.window.document().experiment().strategy.kind, std::string("bsp"));
    QCOMPARE(shown.window.controller().experiment().strategy.kind, std::string("hybrid"));
    QVERIFY(shown.window.findChild<QWidget*>(QStringLiteral("applyAtReset"))->isVisibleTo(&shown.window));
    const Version before = shown.now().version;
    shown.window.document().undoStack().undo();
    QVERIFY(shown.now().version >= before);
    shown.window.document().undoStack().redo();
    shown.action("reset")->trigger();
    QCOMPARE(shown.window.controller().experiment().strategy.kind, std::string("bsp"));
    QCOMPARE(shown.now().version, Version{0});
}

void TestMainWindow::aDropOnEmptySpaceMakesANewGroup()
{
    ShownWindow shown;
    shown.runTo(3);
    ClusterView* cluster = shown.cluster();
    const QPoint from = cluster->cardOf(NodeId{0}).center();
    const QPoint to(12, 12);

    QTest::mousePress(cluster->viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(cluster->viewport(), (from + to) / 2);
    QTest::mouseMove(cluster->viewport(), to);
    QTest::mouseRelease(cluster->viewport(), Qt::LeftButton, {}, to);

    QTRY_COMPARE(shown.now().nodes[0].group, GroupId{2});
    QCOMPARE(shown.window.document().experiment().groups.members.size(), std::size_t{3});
}

void TestMainWindow::aMoveIsRecordedInTheRun()
{
    ShownWindow shown;
    shown.runTo(3);
    shown.cluster()->select({NodeId{0}, NodeId{1}});
    shown.cluster()->requestMove({NodeId{0}}, GroupId{1});
    QTRY_COMPARE(shown.now().nodes[0].group, GroupId{1});

    const auto& log = shown.window.history().log();
    QVERIFY(
        std::ranges::any_of(log, [](const LogEntry& entry) { return entry.kind == LogEntry::Kind::Move; }));
    const Experiment journal = shown.window.controller().journal();
    QCOMPARE(journal.events.size(), std::size_t{1});
    QVERIFY((std::get<Move>(journal.events.front().change) == Move{NodeId{0}, GroupId{1}}));
}

void TestMainWindow::severalNodesAreEditedAsOneStep()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}, NodeId{2}});
    auto* row = shown.window.findChild<QWidget*>(QStringLiteral("slowdown"));
    auto* box = row->findChild<QDoubleSpinBox*>();
    QVERIFY(box->text().contains(QStringLiteral("mixed")));

    box->setFocus();
    box->setValue(8);

    const auto& nodes = shown.window.document().experiment().cluster.nodes;
    QCOMPARE(nodes[0].slowdown, 8.0);
    QCOMPARE(nodes[1].slowdown, 1.0);
    QCOMPARE(nodes[2].slowdown, 8.0);
    QVERIFY(!box->text().contains(QStringLiteral("mixed")));
    QCOMPARE(shown.window.document().undoStack().count(), 1);
    shown.window.document().undoStack().undo();
    QVERIFY(shown.window.document().experiment() == twoGroups());
}

void TestMainWindow::nodesComeAndGo()
{
    ShownWindow shown;
    shown.runTo(2);
    shown.cluster()->select({NodeId{2}});
    shown.action("duplicate")->trigger();
    shown.action("remove")->trigger();
    const Experiment& wanted = shown.window.document().experiment();
    QCOMPARE(wanted.cluster.nodes.size(), std::size_t{4});
    QCOMPARE(wanted.cluster.nodes.back().name, std::string("n5"));
    QCOMPARE(wanted.cluster.nodes.back().slowdown, 3.0);
    QVERIFY((wanted.groups.members == Partition{{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{3}}}));
    QCOMPARE(shown.now().nodes.size(), std::size_t{4}); // the run goes on with those that it has

    shown.action("reset")->trigger();

    QCOMPARE(shown.window.history().nameOf(NodeId{3}), QStringLiteral("n5"));
    shown.action("selectAll")->trigger();
    shown.action("remove")->trigger(); // one must stay
    QCOMPARE(shown.window.document().experiment().cluster.nodes.size(), std::size_t{4});
}

void TestMainWindow::aPlannedFailureHappens()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{1}});
    auto* at = shown.window.findChild<QDoubleSpinBox*>(QStringLiteral("failsAt"));
    auto* back = shown.window.findChild<QDoubleSpinBox*>(QStringLiteral("backAfter"));
    at->setValue(0.5);
    back->setValue(1);
    QCOMPARE(shown.window.document().experiment().events.size(), std::size_t{1});

    shown.window.controller().setPace(4);
    shown.action("run")->trigger();

    QTRY_COMPARE(shown.now().nodes[1].activity, Activity::Down);
    QTRY_VERIFY(shown.now().nodes[1].activity != Activity::Down);
    QVERIFY(toSeconds(shown.now().now) >= 1.5);
}

void TestMainWindow::thePastIsLookedAtWhileTheRunGoesOn()
{
    ShownWindow shown;
    shown.window.controller().setPace(10);
    shown.action("run")->trigger();
    QTRY_VERIFY(toSeconds(shown.now().now) > 2);
    auto* timeline = shown.window.findChild<TimelineView*>(QStringLiteral("timelineView"));
    const QPoint click(static_cast<int>(timeline->pixelOf(timeline->window().from + 0.6)), 20);

    QTest::mouseClick(timeline, Qt::LeftButton, {}, click);

    QVERIFY(!shown.window.history().isLive());
    const TimePoint moment = shown.window.history().shown().now;
    const auto* clock = shown.window.findChild<QLabel*>(QStringLiteral("clock"));
    QVERIFY2(clock->text().startsWith(QStringLiteral("viewing t =")), qPrintable(clock->text()));
    QVERIFY(shown.window.findChild<QWidget*>(QStringLiteral("liveButton"))->isVisible());
    const Version reached = shown.now().version;
    QTRY_VERIFY(shown.now().version > reached);
    QVERIFY(shown.window.history().shown().now == moment);
    const int edits = shown.window.document().undoStack().count();
    shown.cluster()->requestMove({NodeId{0}}, GroupId{1}); // not in the past
    QCOMPARE(shown.window.document().undoStack().count(), edits);
    shown.action("live")->trigger();
    QVERIFY(shown.window.history().isLive());
    QVERIFY(timeline->follows());
}

void TestMainWindow::aStretchOfTimeFiltersIdleTime()
{
    ShownWindow shown;
    shown.window.controller().setPace(10);
    shown.action("run")->trigger();
    QTRY_VERIFY(toSeconds(shown.now().now) > 2);
    shown.action("run")->trigger();
    QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
    auto* timeline = shown.window.findChild<TimelineView*>(QStringLiteral("timelineView"));
    const auto* idle = shown.window.findChild<IdleChart*>(QStringLiteral("idleChart"));
    const int left = static_cast<int>(timeline->pixelOf(0.5));
    const int right = static_cast<int>(timeline->pixelOf(1.5));

    QTest::mousePress(timeline, Qt::LeftButton, Qt::ShiftModifier, QPoint(left, 30));
    QMouseEvent move(QEvent::MouseMove, QPointF(right, 30), timeline->mapToGlobal(QPointF(right, 30)),
                     Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(timeline, &move);
    QTest::mouseRelease(timeline, Qt::LeftButton, Qt::ShiftModifier, QPoint(right, 30));

    QVERIFY(timeline->selection().has_value());
    QVERIFY(std::abs(timeline->selection()->length() - 1) < 0.1);
    QVERIFY(timeline->chip()->isVisible());
    QVERIFY(std::abs(toSeconds(idle->bars().front().times.total()) - timeline->selection()->length()) < 1e-6);
    QEvent leave(
        QEvent::Leave); // the pointer goes to the chip; in the timeline it would read the moment under it
    QApplication::sendEvent(timeline, &leave);
    timeline->chip()->click();
    QVERIFY(!timeline->selection().has_value());
    QVERIFY(toSeconds(idle->bars().front().times.total()) > 1.9);
}

void TestMainWindow::aLossThatIsNotFiniteIsSaid()
{
    Experiment experiment = twoGroups();
    experiment.model.kind = "linear";
    experiment.training.learning_rate = 100;
    experiment.evaluate_every_updates = 1;
    ShownWindow shown(experiment);
    shown.window.controller().setPace(std::nullopt);
    shown.action("run")->trigger();

    QTRY_COMPARE(shown.window.controller().state(), RunState::Finished);

    const auto* status = shown.window.findChild<QLabel*>(QStringLiteral("statusLine"));
    QVERIFY2(status->text().startsWith(QStringLiteral("Diverged at update")), qPrintable(status->text()));
    QVERIFY(shown.window.findChild<QLabel*>(QStringLiteral("lossNote"))->isVisible());
    QVERIFY(shown.window.history().curve().size() > 1);
}

void TestMainWindow::hiddenItRests()
{
    ShownWindow shown;
    shown.runTo(2);
    shown.action("run")->trigger();
    QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
    shown.window.hide();

    const auto timers = shown.window.findChildren<QTimer*>();
    QVERIFY(std::ranges::none_of(timers, [](const QTimer* timer) { return timer->isActive(); }));
}

void TestMainWindow::aPanelThatAppearsShowsTheRunThatRests()
{
    MainWindow window;
    window.open(twoGroups(), {});
    window.controller().step(); // before anybody sees it
    QTRY_COMPARE(window.controller().state(), RunState::Paused);
    QTRY_VERIFY(window.history().latest().version == 1);
    auto* chart = window.findChild<StalenessChart*>();
    QString remark;
    connect(chart, &StalenessChart::remarkChanged, this, [&](const QString& text) { remark = text; });

    window.show();
    QTRY_VERIFY(remark.contains(QStringLiteral("mean")));

    auto* dock = window.findChild<QDockWidget*>(QStringLiteral("stalenessDock"));
    dock->hide();
    window.controller().step();
    QTRY_VERIFY(window.history().latest().version == 2);
    remark.clear();
    dock->show();
    QTRY_VERIFY(remark.contains(QStringLiteral("mean")));
    window.document().open(window.document().experiment(), {});
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
