#include "tests/gui/window_fixture.h"
#include "widgets/counted.h"
#include "widgets/elided_label.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTranslator>

#include <cmath>

using namespace lab;

namespace {

/// Every text as a language has it that needs 40 % more letters.
class Longer final : public QTranslator {
public:
    [[nodiscard]] QString translate(const char*, const char* text, const char*, int) const override
    {
        const QString source = QString::fromUtf8(text);
        const auto more = static_cast<qsizetype>(std::ceil(0.4 * static_cast<double>(source.size())));
        return source + QString(more, QLatin1Char('o'));
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

QString plain(QString text) { return text.remove(QLatin1Char('&')); }

/// What a visible widget should show and cannot; empty where all of it can be read.
QString cutOff(const QWidget& widget)
{
    const auto needs = [&](const QString& text, int room) {
        const int width = widget.fontMetrics().horizontalAdvance(text);
        return width > room ? QStringLiteral("%1 needs %2 of %3").arg(text).arg(width).arg(room) : QString();
    };
    if (qobject_cast<const ElidedLabel*>(&widget) != nullptr) {
        return {}; // gives way by design, and says all of it in its tool tip
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->wordWrap()) {
            return label->heightForWidth(label->width()) > label->height() + 1 ? label->text() : QString();
        }
        return needs(label->text(), label->contentsRect().width());
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        return needs(plain(button->text()), button->width() - 4);
    }
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        option.editable = false;
        const QRect field =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        return needs(box->currentText(), field.width());
    }
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) {
        return needs(line->text(), line->width());
    }
    return {};
}

/// The part of the window that a widget may fill: what scrolls need only be as wide as what it scrolls in.
QRect roomOf(const QWidget& widget)
{
    for (const QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget()) {
        if (const auto* scroll = qobject_cast<const QScrollArea*>(parent)) {
            const QWidget* viewport = scroll->viewport();
            const QPoint at = viewport->mapTo(viewport->window(), QPoint(0, 0));
            return {at.x(), -10'000, viewport->width(), 20'000};
        }
    }
    return widget.window()->rect();
}

} // namespace

/// What stands on the screen: in the right number, and whole in a language with longer words.
class TestWindowWords final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCountAndItsWordAgree();
    void nothingIsSaidOfOneAsOfMany();
    void longerWordsAreWhole_data();
    void longerWordsAreWhole();
};

void TestWindowWords::aCountAndItsWordAgree()
{
    const auto nodes = [](qint64 count) {
        return counted(count, QStringLiteral("1 node"), QStringLiteral("%1 nodes"));
    };
    QCOMPARE(nodes(0), QStringLiteral("0 nodes"));
    QCOMPARE(nodes(1), QStringLiteral("1 node"));
    QCOMPARE(nodes(2), QStringLiteral("2 nodes"));
}

void TestWindowWords::nothingIsSaidOfOneAsOfMany()
{
    Experiment one = twoGroups();
    one.cluster.nodes.resize(1);
    one.groups = {};
    one.strategy.kind = "bsp";
    one.training.batch = 1;
    one.stop.updates = 1;
    ShownWindow shown(one);
    shown.cluster()->select({NodeId{0}});
    shown.action("run")->trigger();
    QTRY_COMPARE(shown.window.controller().state(), RunState::Finished);
    QCOMPARE(shown.now().version, Version{1});

    const QRegularExpression wrong(QStringLiteral("(?<![\\d.,])1 [a-z]+s\\b|\\(s\\)|%n"));
    int texts = 0;
    for (const QWidget* widget : shown.window.findChildren<QWidget*>()) {
        for (const char* name : {"text", "toolTip", "accessibleName", "accessibleDescription"}) {
            const QString text = widget->property(name).toString();
            QVERIFY2(!wrong.match(text).hasMatch(), qPrintable(text));
            texts += text.isEmpty() ? 0 : 1;
        }
    }
    QVERIFY(texts > 50);
    const auto* status = shown.window.findChild<QLabel*>(QStringLiteral("statusLine"));
    QVERIFY2(status->text().contains(QStringLiteral("1 update · 1 sample")), qPrintable(status->text()));
}

void TestWindowWords::longerWordsAreWhole_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("smallest") << QSize(1024, 700);
    QTest::newRow("usual") << QSize(1440, 900);
}

void TestWindowWords::longerWordsAreWhole()
{
    QFETCH(QSize, size);
    Longer longer;
    QCoreApplication::installTranslator(&longer);
    {
        Experiment experiment = loadExperiment(LAB_SOURCE_DIR "/experiments/unbalanced.json");
        experiment.strategy.kind = "hybrid_coded";
        experiment.stop.seconds = 1e8; // never before it is paused
        ShownWindow shown(experiment);
        shown.window.resize(size);
        shown.cluster()->select({NodeId{0}});
        shown.window.controller().setPace(std::nullopt);
        shown.runTo(60);
        shown.action("run")->trigger();
        QTRY_COMPARE(shown.window.controller().state(), RunState::Paused);
        QApplication::processEvents();

        QCOMPARE(shown.window.size(), size);
        QStringList cut;
        for (const QWidget* widget : shown.window.findChildren<QWidget*>()) {
            if (!widget->isVisible()) {
                continue;
            }
            if (const QString what = cutOff(*widget); !what.isEmpty()) {
                cut << QStringLiteral("%1: %2").arg(widget->objectName(), what);
            }
            const bool has_text = !widget->property("text").toString().isEmpty();
            const QRect place(widget->mapTo(widget->window(), QPoint(0, 0)), widget->size());
            if (has_text && !roomOf(*widget).contains(place)) {
                cut << QStringLiteral("%1 %2 reaches out of its panel")
                           .arg(widget->objectName(), widget->property("text").toString());
            }
        }
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    }
    QCoreApplication::removeTranslator(&longer);
}

QTEST_MAIN(TestWindowWords)
#include "tst_window_words.moc"
