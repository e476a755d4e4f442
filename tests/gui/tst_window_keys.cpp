#include "app/action_table.h"
#include "tests/gui/window_fixture.h"
#include "widgets/wheel_guard.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QMenuBar>
#include <QSlider>
#include <QTableView>
#include <QTextBrowser>
#include <QWheelEvent>

#include <algorithm>

using namespace lab;

namespace {

void turnWheel(QWidget& widget)
{
    const QPointF middle = QRectF(widget.rect()).center();
    QWheelEvent event(middle, widget.mapToGlobal(middle), {}, QPoint(0, -240), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

} // namespace

/// Everything goes without a mouse, and no key means two things.
class TestWindowKeys final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noShortcutIsGivenTwice();
    void mnemonicsAreUniqueInEachMenu();
    void theListOfShortcutsHoldsEveryOne();
    void everyActionHasAMenuAndAnExplanation();
    void whateverTakesTheFocusHasAName();
    void tabFollowsTheOrderOfReading();
    void tabGoesFromNodeToNodeAndOn();
    void aNodeMovesByKeyboardAlone();
    void theTableOffersTheSameMove();
    void spaceRunsAndPauses();
    void f6ReachesEveryPanel();
    void theWheelChangesNothingWithoutTheFocus();
};

void TestWindowKeys::initTestCase() { qApp->installEventFilter(new WheelGuard(qApp)); }

void TestWindowKeys::noShortcutIsGivenTwice()
{
    ShownWindow shown;
    QStringList seen;
    for (const QAction* action : shown.window.findChildren<QAction*>()) {
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
            seen << key.toString();
        }
    }
    QVERIFY(seen.size() > 40);
    for (const char* key :
         {"Ctrl+N",       "Ctrl+O", "Ctrl+S",       "Ctrl+Shift+S", "Ctrl+W", "Ctrl+Q",       "Ctrl+Z",
          "Ctrl+Shift+Z", "Ctrl+Y", "Ctrl+X",       "Ctrl+C",       "Ctrl+V", "Del",          "Ctrl+A",
          "Ctrl+D",       "Ctrl+G", "Ctrl+Shift+G", "Ctrl++",       "Ctrl+=", "Ctrl+-",       "Ctrl+0",
          "Ctrl+F",       "F5",     "F10",          "Ctrl+F10",     "Ctrl+R", "Ctrl+Shift+R", "Ctrl+[",
          "Ctrl+\\",      "Ctrl+]", "Ctrl+K",       "Ctrl+Shift+K", "F6",     "Shift+F6",     "F11",
          "Ctrl+Shift+P", "F1",     "Ctrl+F1",      "Shift+F1"}) {
        QVERIFY2(seen.contains(QLatin1String(key)), key);
    }
}

void TestWindowKeys::mnemonicsAreUniqueInEachMenu()
{
    ShownWindow shown;
    QList<QMenu*> menus = shown.window.menuBar()->findChildren<QMenu*>();
    for (const QMenu* menu : menus) {
        QStringList seen;
        for (const QAction* action : menu->actions()) {
            const int at = static_cast<int>(action->text().indexOf(QLatin1Char('&')));
            const QString letter = at < 0 ? QString() : action->text().mid(at + 1, 1).toLower();
            QVERIFY2(letter.isEmpty() || !seen.contains(letter), qPrintable(action->text()));
            seen << letter;
        }
    }
    QVERIFY(menus.size() >= 6);
}

void TestWindowKeys::theListOfShortcutsHoldsEveryOne()
{
    ShownWindow shown;
    shown.action("shortcuts")->trigger();
    const auto* dialog = shown.window.findChild<QDialog*>(QStringLiteral("helpDialog"));
    const QString text = dialog->findChild<QTextBrowser*>()->toPlainText();
    for (const QAction* action : shown.window.findChildren<QAction*>()) {
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(text.contains(key.toString(QKeySequence::NativeText)), qPrintable(key.toString()));
        }
    }
}

void TestWindowKeys::everyActionHasAMenuAndAnExplanation()
{
    for (const ActionRow& row : actionTable()) {
        QVERIFY(*row.menu != '\0');
        QVERIFY2(*row.name == '\0' || *row.help != '\0', row.name);
    }
}

void TestWindowKeys::whateverTakesTheFocusHasAName()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    for (const auto* widget : shown.window.findChildren<QWidget*>()) {
        const bool is_part = widget->objectName().startsWith(QLatin1String("qt_"))
            || qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr
            || qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr
            || qobject_cast<const QAbstractScrollArea*>(widget->parentWidget()) != nullptr
            || qobject_cast<const QMenuBar*>(widget) != nullptr
            || qobject_cast<const QMenu*>(widget) != nullptr;
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || is_part) {
            continue;
        }
        const QVariant text = widget->property("text");
        QVERIFY2(
            !widget->accessibleName().isEmpty() || !text.toString().isEmpty(),
            qPrintable(QStringLiteral("%1 %2 in %3")
                           .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                widget->parentWidget()->objectName()
                                    + QLatin1String(widget->parentWidget()->metaObject()->className()))));
    }
}

void TestWindowKeys::tabFollowsTheOrderOfReading()
{
    ShownWindow shown;
    QStringList order;
    for (QWidget* widget = shown.window.nextInFocusChain(); widget != &shown.window;
         widget = widget->nextInFocusChain()) {
        order << widget->objectName();
    }
    qsizetype before = -1;
    for (const char* name :
         {"runButton", "stepButton", "pinButton", "strategyKind", "learningRate", "slowdown", "failNow",
          "clusterView", "timelineView", "lossLegend", "stalenessChart"}) {
        const qsizetype at = order.indexOf(QLatin1String(name));
        QVERIFY2(at > before,
                 qPrintable(QLatin1String(name) + QLatin1String(" in ")
                            + order.join(QLatin1Char(' ')).simplified()));
        before = at;
    }
}

void TestWindowKeys::tabGoesFromNodeToNodeAndOn()
{
    ShownWindow shown;
    ClusterView* cluster = shown.cluster();
    cluster->setFocus();
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(cluster, Qt::Key_Tab);
        QCOMPARE(cluster->selection(), std::set<NodeId>{NodeId{i}});
    }
    QTest::keyClick(cluster, Qt::Key_Backtab);
    QCOMPARE(cluster->selection(), std::set<NodeId>{NodeId{2}});
    QTest::keyClick(cluster, Qt::Key_Tab);
    QTest::keyClick(cluster, Qt::Key_Tab);
    QVERIFY(!cluster->hasFocus());
}

void TestWindowKeys::aNodeMovesByKeyboardAlone()
{
    ShownWindow shown;
    shown.runTo(3);
    shown.cluster()->setFocus();
    QTest::keyClick(shown.cluster(), Qt::Key_Tab);
    QTest::keyClick(shown.cluster(), Qt::Key_M);
    QMenu* menu = nullptr;
    QTRY_VERIFY((menu = shown.window.findChild<QMenu*>(QStringLiteral("moveMenu"))) != nullptr
                && menu->isVisible());
    QTest::keyClick(menu, Qt::Key_B);

    QTRY_COMPARE(shown.now().nodes[0].group, GroupId{1});
    QTest::keyClick(shown.cluster(), Qt::Key_Return);
    QVERIFY(shown.window.findChild<QWidget*>(QStringLiteral("nodeDock"))
                ->isAncestorOf(shown.window.focusWidget()));
}

void TestWindowKeys::theTableOffersTheSameMove()
{
    ShownWindow shown;
    shown.runTo(3);
    shown.action("find")->trigger();
    auto* table = shown.window.findChild<QTableView*>(QStringLiteral("nodesTable"));
    QTRY_VERIFY(table->isVisible());

    QVERIFY(table->model()->setData(table->model()->index(1, 1), QStringLiteral("B"), Qt::EditRole));

    QTRY_COMPARE(shown.now().nodes[1].group, GroupId{1});
    QCOMPARE(shown.window.document().experiment().groups.members.at(1).size(), std::size_t{3});
}

void TestWindowKeys::spaceRunsAndPauses()
{
    ShownWindow shown;
    shown.cluster()->setFocus();
    QTest::keyClick(shown.cluster(), Qt::Key_Space);
    QTRY_COMPARE(shown.window.controller().state(), RunState::Running);
    auto* timeline = shown.window.findChild<QWidget*>(QStringLiteral("timelineView"));
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Space);
    QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
}

void TestWindowKeys::f6ReachesEveryPanel()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    shown.cluster()->setFocus();
    QStringList visited;
    for (int i = 0; i < 8; ++i) {
        shown.action("nextPanel")->trigger();
        for (const char* name : {"strategyDock", "nodeDock", "timelineDock", "lossDock", "stalenessDock"}) {
            if (shown.window.findChild<QWidget*>(QLatin1String(name))
                    ->isAncestorOf(QApplication::focusWidget())) {
                visited << QLatin1String(name);
            }
        }
    }
    visited.removeDuplicates();
    QVERIFY2(visited.size() == 5, qPrintable(visited.join(QLatin1Char(' '))));
}

void TestWindowKeys::theWheelChangesNothingWithoutTheFocus()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    shown.cluster()->setFocus();
    const Experiment before = shown.window.document().experiment();
    const auto pace = shown.window.controller().pace();
    int editors = 0;
    for (auto* widget : shown.window.findChildren<QWidget*>()) {
        const bool is_editor = qobject_cast<QAbstractSpinBox*>(widget) != nullptr
            || qobject_cast<QSlider*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr;
        if (is_editor && widget->isVisible()) {
            turnWheel(*widget);
            ++editors;
        }
    }

    QVERIFY(editors > 8);
    QVERIFY(shown.window.document().experiment() == before);
    QCOMPARE(shown.window.controller().pace(), pace);
}

QTEST_MAIN(TestWindowKeys)
#include "tst_window_keys.moc"
