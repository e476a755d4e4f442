#include "core/base/rng.h"
#include "core/experiment/experiment_json.h"
#include "tests/gui/window_fixture.h"
#include "widgets/timeline_view.h"

#include <QApplication>
#include <QDialog>
#include <QMenu>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <vector>

using namespace lab;

namespace {

/// Things that a person may do in any order.
constexpr const char* k_edits[] = {"addNode", "duplicate", "remove",  "group", "ungroup", "slow",
                                   "fail",    "failFor",   "recover", "cut",   "copy",    "paste"};

class Monkey {
public:
    explicit Monkey(std::uint64_t seed) : seed_(seed) { qInfo() << "seed" << seed; }

    [[nodiscard]] int upTo(int count)
    {
        return static_cast<int>(
            Rng(seed_, Purpose::Data, 0, ++calls_).below(static_cast<std::uint64_t>(count)));
    }

private:
    std::uint64_t seed_;
    std::uint64_t calls_ = 0;
};

} // namespace

/// Whatever a person does in whatever order: nothing breaks, and undo leads back exactly.
class TestWindowMonkey final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void undoLeadsBackThroughTwoThousandEdits();
    void undoNeverResetsTheRun();
    void everyEnabledActionInEveryState_data();
    void everyEnabledActionInEveryState();
    void closingAtAnyMomentIsSafe();
};

void TestWindowMonkey::undoLeadsBackThroughTwoThousandEdits()
{
    Monkey monkey(20261130);
    ShownWindow shown;
    shown.action("step")->trigger();
    QTRY_VERIFY(shown.now().version > 0);
    QUndoStack& stack = shown.window.document().undoStack();
    std::vector<Experiment> states{shown.window.document().experiment()};
    int edits = 0;
    while (edits < 2000) {
        std::set<NodeId> some{NodeId{monkey.upTo(4)}};
        some.insert(NodeId{monkey.upTo(4)});
        shown.cluster()->select(some);
        const int before = stack.index();
        const int what = monkey.upTo(static_cast<int>(std::size(k_edits)) + 1);
        const std::size_t nodes = shown.window.document().experiment().cluster.nodes.size();
        if (what == static_cast<int>(std::size(k_edits)) || (nodes > 12 && what < 2)) {
            Experiment after = shown.window.document().experiment();
            after.training.learning_rate = 0.01 * (1 + monkey.upTo(50));
            after.cluster.nodes.front().slowdown = 1 + monkey.upTo(9);
            shown.window.document().edit(QStringLiteral("set"), after, {}, 0);
        } else {
            shown.action(k_edits[what])->trigger();
        }
        ++edits;
        if (stack.index() == before + 1) {
            states.push_back(shown.window.document().experiment());
        } else {
            QCOMPARE(stack.index(), before); // nothing to do: a node that is not down cannot recover
        }
        if (edits % 50 == 0) {
            QApplication::processEvents();
        }
    }
    QVERIFY(states.size() > 500);

    for (std::size_t i = states.size(); i-- > 0;) {
        QVERIFY(shown.window.document().experiment() == states[i]);
        if (i % 97 == 0) {
            const std::string text = experimentToJson(states[i]);
            QVERIFY(parseExperiment(text, "again", states[i].folder) == states[i]);
        }
        stack.undo();
    }
    QVERIFY(!stack.canUndo());
    for (const Experiment& state : states) {
        QVERIFY(shown.window.document().experiment() == state);
        stack.redo();
    }
}

void TestWindowMonkey::undoNeverResetsTheRun()
{
    Monkey monkey(7);
    ShownWindow shown;
    shown.window.controller().setPace(std::nullopt);
    shown.runTo(5);
    Version reached = shown.now().version;
    for (int i = 0; i < 60; ++i) {
        shown.cluster()->select({NodeId{monkey.upTo(4)}});
        const char* edits[] = {"slow", "fail", "recover", "group", "duplicate", "undo", "redo", "undo"};
        shown.action(edits[monkey.upTo(8)])->trigger();
        QApplication::processEvents();
        QVERIFY(shown.now().version >= reached);
        reached = shown.now().version;
    }
    QCOMPARE(shown.window.controller().state(), RunState::Running);

    // With a menu open or a node in the hand, undo waits for another time.
    shown.action("slow")->trigger();
    const int before = shown.window.document().undoStack().index();
    QMenu menu;
    menu.addAction(QStringLiteral("x"));
    menu.popup(QPoint(10, 10));
    shown.action("undo")->trigger();
    QCOMPARE(shown.window.document().undoStack().index(), before);
    menu.close();
}

void TestWindowMonkey::everyEnabledActionInEveryState_data()
{
    QTest::addColumn<QString>("state");
    for (const char* state : {"ready", "running", "paused", "finished", "past", "presenting"}) {
        QTest::newRow(state) << QString::fromLatin1(state);
    }
}

void TestWindowMonkey::everyEnabledActionInEveryState()
{
    QFETCH(QString, state);
    Experiment experiment = twoGroups();
    if (state == QLatin1String("finished")) {
        experiment.stop = {};
        experiment.stop.updates = 5;
    }
    ShownWindow shown(experiment);
    if (state != QLatin1String("ready")) {
        shown.runTo(4);
    }
    if (state == QLatin1String("paused")) {
        shown.action("run")->trigger();
        QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
    } else if (state == QLatin1String("finished")) {
        QTRY_COMPARE(shown.window.controller().state(), RunState::Finished);
    } else if (state == QLatin1String("past")) {
        shown.window.view(atSeconds(0.1));
        QVERIFY(!shown.window.history().isLive());
    } else if (state == QLatin1String("presenting")) {
        shown.action("presentation")->trigger();
    }
    // Questions and choices of files are answered with a no as they come.
    QTimer refusal;
    connect(&refusal, &QTimer::timeout, qApp, [] {
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            dialog->reject();
        }
        if (QWidget* popup = QApplication::activePopupWidget()) {
            popup->close();
        }
    });
    refusal.start(1);
    for (QAction* action : shown.window.findChildren<QAction*>()) {
        const QString name = action->objectName();
        if (name == QLatin1String("close") || name == QLatin1String("quit") || action->menu() != nullptr) {
            continue;
        }
        shown.cluster()->select({NodeId{1}});
        if (action->isEnabled()) {
            action->trigger();
            QApplication::processEvents();
            QVERIFY(shown.window.isVisible());
        }
    }
    QTest::keyClick(shown.cluster(), Qt::Key_Escape);
}

void TestWindowMonkey::closingAtAnyMomentIsSafe()
{
    Monkey monkey(11);
    for (int i = 0; i < 200; ++i) {
        MainWindow window;
        window.open(twoGroups(), {});
        window.show();
        window.controller().setPace(monkey.upTo(2) == 0 ? std::nullopt : std::optional<double>(50));
        window.findChild<QAction*>(QStringLiteral("run"))->trigger();
        const int turns = monkey.upTo(12);
        for (int turn = 0; turn < turns; ++turn) {
            QApplication::processEvents(QEventLoop::AllEvents, 2);
        }
        if (monkey.upTo(3) == 0) {
            window.findChild<QAction*>(QStringLiteral("help"))->trigger();
        }
        QVERIFY(window.close());
    }
}

QTEST_MAIN(TestWindowMonkey)
#include "tst_window_monkey.moc"
