#include "tests/gui/window_fixture.h"
#include "widgets/notes_view.h"

#include <QDockWidget>
#include <QMenu>
#include <QSignalSpy>

using namespace lab;

namespace {

Experiment withNotes(const char* notes)
{
    Experiment experiment = twoGroups();
    experiment.notes = notes;
    return experiment;
}

} // namespace

/// What an experiment says of itself, beside its run.
class TestWindowNotes final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void notesAreShownAsMarkdownBesideTheRun();
    void withoutNotesThereIsNoPanel();
    void whoClosesThePanelIsLeftInPeace();
    void onlyWebLinksAreFollowed();
    void everyShippedExperimentHasSomethingToSay();
};

void TestWindowNotes::notesAreShownAsMarkdownBesideTheRun()
{
    ShownWindow shown(withNotes("**Look at** the idle times.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"));
    const auto* view = shown.window.findChild<NotesView*>(QStringLiteral("notes"));
    QVERIFY(view->isVisible());
    QVERIFY2(view->toPlainText().startsWith(QStringLiteral("Look at the idle times.")),
             qPrintable(view->toPlainText()));
    QVERIFY(!view->toPlainText().contains(QLatin1Char('|')));

    shown.runTo(1);
    QVERIFY(view->isVisible());
    const auto* dock = shown.window.findChild<QDockWidget*>(QStringLiteral("notesDock"));
    const auto* node = shown.window.findChild<QDockWidget*>(QStringLiteral("nodeDock"));
    QCOMPARE(dock->x(), node->x());
    QVERIFY(dock->y() > node->y());
}

void TestWindowNotes::withoutNotesThereIsNoPanel()
{
    ShownWindow shown;
    const auto* dock = shown.window.findChild<QDockWidget*>(QStringLiteral("notesDock"));
    QVERIFY(!dock->isVisible());
    QVERIFY(!dock->toggleViewAction()->isEnabled());

    shown.window.open(withNotes("Something."), {});
    QVERIFY(dock->isVisible());
    shown.window.open(twoGroups(), {});
    QVERIFY(!dock->isVisible());
}

void TestWindowNotes::whoClosesThePanelIsLeftInPeace()
{
    ShownWindow shown(withNotes("One."));
    const auto* dock = shown.window.findChild<QDockWidget*>(QStringLiteral("notesDock"));
    dock->toggleViewAction()->trigger();
    QVERIFY(!dock->isVisible());

    shown.window.open(twoGroups(), {});
    shown.window.open(withNotes("Two."), {});
    QVERIFY(!dock->isVisible());
    dock->toggleViewAction()->trigger();
    QVERIFY(dock->isVisible());
}

void TestWindowNotes::onlyWebLinksAreFollowed()
{
    ShownWindow shown(withNotes("[paper](https://example.org/paper) ![](file:///etc/hostname)"));
    auto* view = shown.window.findChild<NotesView*>(QStringLiteral("notes"));
    view->disconnect(&shown.window); // no browser opens in a test
    const QSignalSpy followed(view, &NotesView::linkFollowed);

    Q_EMIT view->anchorClicked(QUrl(QStringLiteral("file:///etc/hostname")));
    QCOMPARE(followed.count(), 0);
    Q_EMIT view->anchorClicked(QUrl(QStringLiteral("https://example.org/paper")));
    QCOMPARE(followed.count(), 1);
    QVERIFY(view->loadResource(QTextDocument::ImageResource, QUrl(QStringLiteral("file:///etc/hostname")))
                .isNull());
}

void TestWindowNotes::everyShippedExperimentHasSomethingToSay()
{
    ShownWindow shown;
    const auto* view = shown.window.findChild<NotesView*>(QStringLiteral("notes"));
    for (QAction* example : shown.window.findChild<QMenu*>(QStringLiteral("examplesMenu"))->actions()) {
        example->trigger();
        QVERIFY2(view->isVisible() && !view->toPlainText().contains(QStringLiteral("**")),
                 qPrintable(example->text()));
    }
}

QTEST_MAIN(TestWindowNotes)
#include "tst_window_notes.moc"
