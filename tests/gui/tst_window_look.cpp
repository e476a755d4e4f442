#include "tests/gui/window_fixture.h"
#include "widgets/card_dock.h"
#include "widgets/loss_chart.h"
#include "widgets/style.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QChartView>
#include <QDockWidget>
#include <QMenuBar>
#include <QScrollArea>
#include <QToolButton>
#include <QWindow>

#include <algorithm>
#include <cmath>

using namespace lab;

namespace {

double channel(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

/// Relative luminance (WCAG 2.1).
double luminance(const QColor& colour)
{
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF())
        + 0.0722 * channel(colour.blueF());
}

double contrast(const QColor& one, const QColor& other)
{
    const double a = luminance(one) + 0.05;
    const double b = luminance(other) + 0.05;
    return std::max(a, b) / std::min(a, b);
}

/// Whether all of a widget can be seen in its window.
bool isWhole(const QWidget& widget)
{
    const QRect place(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size());
    return widget.isVisible() && widget.window()->rect().contains(place)
        && widget.visibleRegion().boundingRect().size() == widget.size();
}

} // namespace

/// Readable in both themes, at every size of text, and as it was after a presentation.
class TestWindowLook final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textAndGraphicsStandOut_data();
    void textAndGraphicsStandOut();
    void theThemeFollowsThePaletteAndTheChoice();
    void primaryControlsAreWhole_data();
    void primaryControlsAreWhole();
    void presentationIsUndoneExactly();
    void aPresentersPointerHasARing();
    void columnsKeepTheirSharesOfTheWindow();
    void veryLargeTextNeedsNoSidewaysScrolling_data();
    void veryLargeTextNeedsNoSidewaysScrolling();
    void panelsHideMoveAndComeBack();
    void anUnusableMeasurementIsSaid();
};

void TestWindowLook::textAndGraphicsStandOut_data()
{
    QTest::addColumn<bool>("is_dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestWindowLook::textAndGraphicsStandOut()
{
    QFETCH(bool, is_dark);
    const Theme& theme = is_dark ? darkTheme() : lightTheme();
    const auto check = [](const char* what, const QColor& one, const QColor& other, double least) {
        const double found = contrast(one, other);
        QVERIFY2(found >= least, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(found)));
    };
    constexpr double text = 4.5;
    constexpr double graphics = 3;

    check("text", theme.text, theme.card, text);
    check("text in fields", theme.text, theme.well, text);
    check("muted", theme.muted, theme.card, text);
    check("muted in groups", theme.muted, theme.inset, text);
    check("accent text", theme.accent_text, theme.card, text);
    check("accent text on its ground", theme.accent_text, theme.accent_soft, text);
    check("primary button", theme.on_accent, theme.accent, is_dark ? 4.0 : text); // 600 weight
    check("event text", theme.event_text, theme.card, text);
    check("badge", theme.badge_text, theme.badge, text);
    check("accent", theme.accent, theme.card, graphics);
    check("event", theme.event, theme.card, graphics);
    check("staleness", theme.staleness, theme.card, graphics);
    for (std::size_t i = 0; i < k_activities; ++i) {
        check(activityName(static_cast<Activity>(i)), theme.activity[i].text, theme.card, text);
    }
    for (const QColor& series : theme.series) {
        check("series", series, theme.card, graphics);
    }
}

void TestWindowLook::theThemeFollowsThePaletteAndTheChoice()
{
    ShownWindow shown;
    const auto ground = [&] {
        return shown.window.grab().toImage().pixelColor(4, shown.window.height() / 2);
    };
    QCOMPARE(ground(), lightTheme().window);

    shown.window.appearance().setTheme(ThemeChoice::Dark);
    QCOMPARE(ground(), darkTheme().window);
    auto* chart = shown.window.findChild<QChartView*>();
    const QImage picture = chart->grab().toImage();
    QVERIFY(picture.pixelColor(picture.width() / 2, 2).lightness() < 80); // Qt leaves charts white
    shown.window.appearance().setTheme(ThemeChoice::System);
    QCOMPARE(ground(), lightTheme().window);

    QApplication::setPalette(paletteOf(darkTheme()));
    QTRY_COMPARE(ground(), darkTheme().window);
    QApplication::setPalette(paletteOf(lightTheme()));
    QTRY_COMPARE(ground(), lightTheme().window);
}

void TestWindowLook::primaryControlsAreWhole_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("text");
    QTest::newRow("smallest") << QSize(1024, 700) << 100;
    QTest::newRow("laptop") << QSize(1366, 768) << 100;
    QTest::newRow("usual") << QSize(1440, 900) << 100;
    QTest::newRow("larger text") << QSize(1440, 900) << 150;
    QTest::newRow("twice the text") << QSize(1440, 900) << 200;
    QTest::newRow("smallest, twice the text") << QSize(1024, 700) << 200;
}

void TestWindowLook::primaryControlsAreWhole()
{
    QFETCH(QSize, size);
    QFETCH(int, text);
    ShownWindow shown;
    shown.window.appearance().setTextSize(text);
    shown.window.resize(size);
    QApplication::processEvents();
    shown.cluster()->select({NodeId{0}});
    QApplication::processEvents();

    QCOMPARE(shown.window.size(), size);
    for (const char* name :
         {"runButton", "stepButton", "resetButton", "pinButton", "clock", "lossAxis", "lossScale",
          "lossSmoothing", "lossLegend", "clusterView", "timelineView", "statusLine"}) {
        const auto* widget = shown.window.findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(widget != nullptr && isWhole(*widget), name);
    }
    if (text == 100) { // larger text scrolls
        QVERIFY(isWhole(*shown.window.findChild<QWidget*>(QStringLiteral("strategyKind"))));
    }
    for (const auto* dock : shown.window.findChildren<QDockWidget*>()) {
        if (dock->isVisible()) {
            const QRect place(dock->mapTo(&shown.window, QPoint(0, 0)), dock->size());
            QVERIFY2(shown.window.rect().contains(place), qPrintable(dock->objectName()));
        }
    }
    for (const auto* button : shown.window.findChildren<QToolButton*>()) {
        if (button->isVisible() && !button->text().isEmpty()) {
            QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()),
                     qPrintable(button->text()));
        }
    }
}

void TestWindowLook::presentationIsUndoneExactly()
{
    ShownWindow shown;
    shown.window.appearance().setTheme(ThemeChoice::Dark);
    shown.window.findChild<QDockWidget*>(QStringLiteral("idleDock"))->hide();
    QApplication::processEvents();
    const auto state = [&] {
        QStringList words;
        for (const auto* dock : shown.window.findChildren<QDockWidget*>()) {
            words << QStringLiteral("%1 %2 %3x%4")
                         .arg(dock->objectName())
                         .arg(dock->isVisible())
                         .arg(dock->isVisible() ? dock->width() : 0)
                         .arg(dock->isVisible() ? dock->height() : 0);
        }
        return words;
    };
    const QStringList before = state();
    const Qt::WindowStates window_before = shown.window.windowState();

    shown.action("presentation")->trigger();
    QVERIFY(shown.window.isPresenting() && shown.window.isFullScreen());
    QVERIFY(!shown.window.menuBar()->isVisible());
    QVERIFY(!shown.window.findChild<QDockWidget*>(QStringLiteral("strategyDock"))->isVisible());
    QCOMPARE(shown.window.appearance().textSize(), 150);
    QApplication::processEvents();
    QTest::keyClick(shown.cluster(), Qt::Key_Escape);

    QVERIFY(!shown.window.isPresenting());
    QVERIFY(shown.window.windowState() == window_before);
    QCOMPARE(shown.window.appearance().textSize(), 100);
    QVERIFY(shown.window.appearance().theme() == ThemeChoice::Dark);
    QVERIFY(shown.window.menuBar()->isVisible());
    QTRY_COMPARE(state(), before);
}

void TestWindowLook::aPresentersPointerHasARing()
{
    ShownWindow shown;
    const auto ring = [&] { return shown.window.findChild<QWidget*>(QStringLiteral("cursorRing")); };
    QVERIFY(ring() == nullptr);
    shown.action("presentation")->trigger();
    QApplication::processEvents();
    QVERIFY(ring() != nullptr);
    for (const QPoint at : {QPoint(300, 300), QPoint(700, 200)}) {
        QTest::mouseMove(shown.window.windowHandle(), at);
        QTRY_VERIFY((ring()->geometry().center() - at).manhattanLength() <= 2);
    }
    // It is in nobody's way.
    QVERIFY(shown.window.childAt(700, 200) != ring());
    QTest::keyClick(shown.cluster(), Qt::Key_Escape);
    QVERIFY(ring() == nullptr);
}

void TestWindowLook::columnsKeepTheirSharesOfTheWindow()
{
    ShownWindow shown;
    const auto width = [&](const char* name) {
        return shown.window.findChild<QWidget*>(QLatin1String(name))->width();
    };
    const auto settle = [&](QSize size) {
        shown.window.resize(size);
        QApplication::processEvents();
        QApplication::processEvents();
    };
    settle({1440, 900});
    const int left = width("strategyDock");
    const int right = width("lossDock");
    const int height = shown.window.findChild<QWidget*>(QStringLiteral("timelineDock"))->height();

    settle({1024, 700});

    const double shrinks = (1024.0 - 24) / (1440 - 24);
    QVERIFY2(std::abs(width("lossDock") - right * shrinks) <= 3,
             qPrintable(QString::number(width("lossDock"))));
    QVERIFY2(width("strategyDock") <= left, qPrintable(QString::number(width("strategyDock"))));
    QVERIFY(shown.cluster()->width() > 390);

    settle({1440, 900});

    QVERIFY(std::abs(width("lossDock") - right) <= 1);
    QVERIFY(std::abs(width("strategyDock") - left) <= 1);
    QVERIFY(std::abs(shown.window.findChild<QWidget*>(QStringLiteral("timelineDock"))->height() - height)
            <= 1);
}

void TestWindowLook::veryLargeTextNeedsNoSidewaysScrolling_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1440, 900);
    QTest::newRow("smallest") << QSize(1024, 700);
}

void TestWindowLook::veryLargeTextNeedsNoSidewaysScrolling()
{
    QFETCH(QSize, size);
    Experiment experiment = loadExperiment(LAB_SOURCE_DIR "/experiments/unbalanced.json");
    experiment.strategy.kind = "hybrid_coded";
    ShownWindow shown(experiment);
    shown.window.appearance().setTextSize(200);
    shown.window.resize(size);
    shown.cluster()->select({NodeId{0}});
    QApplication::processEvents();
    QApplication::processEvents();

    QCOMPARE(shown.window.size(), size);
    for (const char* name : {"strategyDock", "nodeDock"}) {
        const auto* scroll = shown.window.findChild<QWidget*>(QLatin1String(name))->findChild<QScrollArea*>();
        QVERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
                 qPrintable(QStringLiteral("%1: %2 in %3")
                                .arg(QLatin1String(name))
                                .arg(scroll->widget()->minimumSizeHint().width())
                                .arg(scroll->viewport()->width())));
    }
}

void TestWindowLook::panelsHideMoveAndComeBack()
{
    ShownWindow shown;
    auto* timeline = shown.window.findChild<QDockWidget*>(QStringLiteral("timelineDock"));
    auto* loss = shown.window.findChild<QDockWidget*>(QStringLiteral("lossDock"));
    timeline->toggleViewAction()->trigger();
    loss->setFloating(true);
    QVERIFY(!timeline->isVisible());

    shown.action("resetLayout")->trigger();

    QVERIFY(timeline->isVisible());
    QVERIFY(!loss->isFloating());
}

void TestWindowLook::anUnusableMeasurementIsSaid()
{
    ShownWindow shown(loadExperiment(LAB_SOURCE_DIR "/experiments/unbalanced.json"));

    QVERIFY(shown.now().is_measuring);
    QCOMPARE(partitionOf(shown.now()).size(), std::size_t{1});
    QVERIFY(shown.cluster()->boxOf(GroupId{1}).isNull());
}

QTEST_MAIN(TestWindowLook)
#include "tst_window_look.moc"
