#include "app/main_window.h"
#include "core/experiment/experiment_json.h"
#include "widgets/cluster_view.h"
#include "widgets/style.h"
#include "widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QTest>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>

using namespace lab;

/// Drives the window as a person does, with the real engine behind it.
class TestMainWindow final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theRunGoesOnWhenRunIsPressedAndRestsWhenPaused();
    void aDraggedNodeJoinsTheOtherGroupWhileTheRunGoesOn();
    void escapeDuringADragChangesNothing();
    void aNodeFailsAndRecoversWithUndo();
    void closingInMidRunIsSafe();

private:
    [[nodiscard]] static Experiment twoGroups();
};

Experiment TestMainWindow::twoGroups()
{
    return parseExperiment(R"({
        "format": "straggler-lab/experiment", "version": 1, "title": "two groups", "seed": 3,
        "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"seconds": 1000},
        "cluster": {"batch_seconds": 0.05, "failure_detection_seconds": 0.1,
                    "nodes": [{"name": "n1"}, {"name": "n2"}, {"name": "n3", "slowdown": 3}, {"name": "n4", "slowdown": 3}]},
        "groups": {"members": [["n1", "n2"], ["n3", "n4"]]},
        "strategy": {"kind": "hybrid"}})",
                           "two-groups.json", {});
}

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

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
