#include "tests/gui/window_fixture.h"
#include "widgets/chart_image.h"

#include <QApplication>
#include <QImage>

using namespace lab;

/// Run once for each scale of the screen, which the environment sets before the program starts.
class TestHiDpi final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClickOnTheMiddleOfACardSelectsIt();
    void picturesHaveTheSameSizeOnEveryScreen();
};

void TestHiDpi::aClickOnTheMiddleOfACardSelectsIt()
{
    ShownWindow shown;
    QCOMPARE(shown.window.devicePixelRatioF(),
             qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble());
    for (int i = 0; i < 4; ++i) {
        QTest::mouseClick(shown.cluster()->viewport(), Qt::LeftButton, {},
                          shown.cluster()->cardOf(NodeId{i}).center());
        QCOMPARE(shown.cluster()->selection(), std::set<NodeId>{NodeId{i}});
    }
    const QImage picture = shown.window.grab().toImage();
    QCOMPARE(picture.width(), qRound(shown.window.width() * shown.window.devicePixelRatioF()));
}

void TestHiDpi::picturesHaveTheSameSizeOnEveryScreen()
{
    ShownWindow shown;
    shown.runTo(3);

    for (const ChartImage& image : drawRunCharts(shown.window.history(), QStringLiteral("x"))) {
        if (image.name == QStringLiteral("loss.png")) {
            QCOMPARE(QImage::fromData(image.bytes, "PNG").size(), QSize(1800, 1000));
        }
    }
}

QTEST_MAIN(TestHiDpi)
#include "tst_hidpi.moc"
