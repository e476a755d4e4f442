#include "tests/gui/window_fixture.h"
#include "widgets/chart_view.h"
#include "widgets/idle_chart.h"
#include "widgets/message_strip.h"
#include "widgets/timeline_view.h"

#include <QAction>
#include <QChart>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

using namespace lab;

namespace {

/// Moves the pointer without a button.
void hover(QWidget& widget, QPointF at)
{
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&widget, &move);
}

/// A run of about three seconds that rests, evaluated often, with all charts in view.
struct RestingRun : ShownWindow {
    explicit RestingRun(Experiment experiment = often()) : ShownWindow(experiment)
    {
        window.findChild<QDockWidget*>(QStringLiteral("throughputDock"))->show();
        window.controller().setPace(20);
        action("run")->trigger();
        QTRY_VERIFY(toSeconds(now().now) > 3);
        action("run")->trigger();
        QTRY_COMPARE(window.controller().state(), RunState::Paused);
        QApplication::processEvents();
    }

    static Experiment often()
    {
        Experiment experiment = twoGroups();
        experiment.evaluate_every_updates = 2;
        return experiment;
    }
    [[nodiscard]] ChartView* chart(const char* name)
    {
        return window.findChild<QWidget*>(QLatin1String(name))->findChild<ChartView*>();
    }
    [[nodiscard]] TimelineView* timeline()
    {
        return window.findChild<TimelineView*>(QStringLiteral("timelineView"));
    }
    [[nodiscard]] QString remarkOf(const char* dock)
    {
        return window.findChild<QWidget*>(QLatin1String(dock))
            ->findChild<QLabel*>(QStringLiteral("cardRemark"))
            ->text();
    }
    [[nodiscard]] double cursor() { return toSeconds(timeline()->cursorMoment().value_or(TimePoint{})); }
};

} // namespace

/// The line that charts and timeline share, flags that lead to their moment, and edits made from the past.
class TestWindowCursor final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pointingAtTheTimelineReadsEveryChart();
    void pointingAtAChartReadsTheOthers_data();
    void pointingAtAChartReadsTheOthers();
    void theArrowKeysGoFromSampleToSample();
    void aFlagLeadsToItsEvent();
    void anEditFromThePastIsMadeNowAndSaysSo();
    void theFailButtonSpeaksOfNow();
};

void TestWindowCursor::pointingAtTheTimelineReadsEveryChart()
{
    RestingRun run;
    TimelineView* timeline = run.timeline();
    const double at = (timeline->window().from + timeline->window().to) / 2;

    hover(*timeline, QPointF(timeline->pixelOf(at), 20));

    QVERIFY(std::abs(run.cursor() - at) < 0.01);
    const QString words = QStringLiteral("%1 s").arg(run.cursor(), 0, 'f', 2);
    for (const char* name : {"lossChart", "throughputChart"}) {
        const auto& readings = run.chart(name)->readings();
        QVERIFY2(readings.size() >= 2, name);
        QCOMPARE(readings.front().text, words);
    }
    QVERIFY2(run.remarkOf("idleDock").contains(words), qPrintable(run.remarkOf("idleDock")));
    const auto* idle = run.window.findChild<IdleChart*>(QStringLiteral("idleChart"));
    QVERIFY(std::abs(toSeconds(idle->bars().front().times.total()) - at) < 0.01);

    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(timeline, &leave);
    QVERIFY(!timeline->cursorMoment().has_value());
    QVERIFY(run.chart("lossChart")->readings().empty());
    QVERIFY(toSeconds(idle->bars().front().times.total()) > at);
}

void TestWindowCursor::pointingAtAChartReadsTheOthers_data()
{
    QTest::addColumn<QString>("chart");
    QTest::addColumn<int>("axis");
    QTest::newRow("loss over time") << "lossChart" << 0;
    QTest::newRow("loss over updates") << "lossChart" << 1;
    QTest::newRow("loss over samples") << "lossChart" << 2;
    QTest::newRow("throughput") << "throughputChart" << 0;
}

void TestWindowCursor::pointingAtAChartReadsTheOthers()
{
    QFETCH(QString, chart);
    QFETCH(int, axis);
    RestingRun run;
    run.window.findChild<QWidget*>(QStringLiteral("lossAxis"))
        ->findChild<QMenu*>()
        ->actions()
        .at(axis)
        ->trigger();
    ChartView* view = run.chart(qPrintable(chart));
    const QRectF plot = view->chart()->plotArea();

    hover(*view->viewport(), QPointF(plot.left() + plot.width() / 3, plot.center().y()));

    QVERIFY(run.cursor() > 0.2 && run.cursor() < 3.5);
    QVERIFY(run.chart("lossChart")->readings().size() >= 2);
    QVERIFY(run.chart("throughputChart")->readings().size() >= 2);
    QVERIFY(run.remarkOf("idleDock").contains(QStringLiteral("share up to")));
}

void TestWindowCursor::theArrowKeysGoFromSampleToSample()
{
    RestingRun run;
    ChartView* view = run.chart("lossChart");
    view->setFocus();
    const auto& curve = run.window.history().curve();
    const auto isAt = [&](std::size_t index) { return run.timeline()->cursorMoment() == curve[index].time; };

    QTest::keyClick(view, Qt::Key_Home);
    QVERIFY(isAt(0));
    QTest::keyClick(view, Qt::Key_Right);
    QTest::keyClick(view, Qt::Key_Right);
    QVERIFY(isAt(2));
    QTest::keyClick(view, Qt::Key_Left);
    QVERIFY(isAt(1));
    QTest::keyClick(view, Qt::Key_End);
    QVERIFY(isAt(curve.size() - 1));
    ChartView* staleness = run.chart("stalenessChart");
    staleness->setFocus(); // the line goes with the focus, and comes back with the next key
    QVERIFY(!run.timeline()->cursorMoment().has_value());
    QTest::keyClick(staleness, Qt::Key_Home);
    QVERIFY(isAt(0));
}

void TestWindowCursor::aFlagLeadsToItsEvent()
{
    Experiment experiment = RestingRun::often();
    experiment.events = {{atSeconds(2), Fail{NodeId{3}, std::nullopt}}};
    RestingRun run(experiment);
    TimelineView* timeline = run.timeline();
    timeline->showAll();
    const QPoint beside(static_cast<int>(timeline->pixelOf(2)) + 3, 20);

    hover(*timeline, beside);
    QCOMPARE(timeline->cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseClick(timeline, Qt::LeftButton, {}, beside);

    QVERIFY(run.window.history().shown().now == atSeconds(2));
    QVERIFY(run.window.history().shown().nodes[3].activity == Activity::Down);
    hover(*timeline, beside + QPoint(-40, 0));
    QVERIFY(timeline->cursor().shape() != Qt::PointingHandCursor);
}

void TestWindowCursor::anEditFromThePastIsMadeNowAndSaysSo()
{
    RestingRun run;
    run.cluster()->select({NodeId{0}});
    run.window.view(atSeconds(1));
    QVERIFY(!run.window.history().isLive());

    run.action("fail")->trigger();

    QVERIFY(run.window.history().isLive());
    const auto* strip = run.window.findChild<MessageStrip*>(QStringLiteral("messageStrip"));
    QVERIFY2(strip->text().contains(QStringLiteral("as it is now")), qPrintable(strip->text()));
    QTRY_VERIFY(run.now().nodes[0].activity == Activity::Down);

    run.window.view(atSeconds(1));
    run.window.document().undoStack().undo();
    QVERIFY(run.window.history().isLive());
    QTRY_VERIFY(run.now().nodes[0].activity != Activity::Down);
}

void TestWindowCursor::theFailButtonSpeaksOfNow()
{
    RestingRun run;
    run.cluster()->select({NodeId{0}});
    run.action("fail")->trigger();
    QTRY_VERIFY(run.now().nodes[0].activity == Activity::Down);

    run.window.view(atSeconds(1)); // it was alive then

    const auto* button = run.window.findChild<QPushButton*>(QStringLiteral("failNow"));
    QCOMPARE(button->text(), QStringLiteral("Recover"));
}

QTEST_MAIN(TestWindowCursor)
#include "tst_window_cursor.moc"
