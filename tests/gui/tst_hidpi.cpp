#include "tests/gui/window_fixture.h"
#include "widgets/run_pictures.h"

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

    for (const PictureKind kind : k_picture_kinds) {
        const Picture picture = pictureOf(kind, {shown.window.history(), QStringLiteral("x"), {}, {}});
        QCOMPARE(imageOf({&picture, 1}, {}).size(), 2 * picture.size);
        QVERIFY(fileOf({&picture, 1}, PictureFormat::Svg, {}).contains("width=\"238.125mm\""));
    }
}

QTEST_MAIN(TestHiDpi)
#include "tst_hidpi.moc"
