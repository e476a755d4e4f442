#include "widgets/run_pictures.h"

#include <QFile>
#include <QFontDatabase>
#include <QImage>
#include <QLocale>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace lab;

namespace {

const QStringList k_names{QStringLiteral("n1"), QStringLiteral("<&>\"x\""), QStringLiteral("实验"),
                          QStringLiteral("a-node-with-a-long-name")};
const QString k_title = QStringLiteral("Slow & <steady> 慢");

/// Three seconds of four nodes in two groups, one of which has failed.
RunHistory shortRun()
{
    RunHistory history;
    history.begin({k_names.begin(), k_names.end()});
    history.append(Frame{});
    Frame frame;
    frame.now = atSeconds(3);
    frame.version = 3;
    frame.samples = 192;
    frame.nodes.resize(4);
    frame.groups = {{{NodeId{0}, NodeId{1}}, 0, 3, {}}, {{NodeId{2}, NodeId{3}}, 0, 3, {}}};
    for (int i = 0; i < 3; ++i) {
        frame.evaluations.push_back({atSeconds(i), i, 64 * i, 2.0 / (i + 1), 2.2 / (i + 1), 0.5});
        frame.spans.push_back({NodeId{0}, Activity::Computing, atSeconds(i), atSeconds(i + 0.8)});
        frame.spans.push_back({NodeId{0}, Activity::Waiting, atSeconds(i + 0.8), atSeconds(i + 1)});
        for (int node = 1; node < 4; ++node) {
            frame.spans.push_back({NodeId{node}, Activity::Computing, atSeconds(i), atSeconds(i + 1)});
        }
    }
    frame.log = {{atSeconds(1), LogEntry::Kind::Fail, NodeId{2}, "it fails"}};
    for (std::size_t i = 0; i < 4; ++i) {
        NodeFrame& node = frame.nodes[i];
        node.group = GroupId{static_cast<int>(i / 2)};
        node.times[Activity::Computing] = fromSeconds(i == 0 ? 2.4 : 3);
        node.times[Activity::Waiting] = fromSeconds(i == 0 ? 0.6 : 0);
    }
    frame.nodes[2].activity = Activity::Down;
    frame.staleness.add(0);
    frame.staleness.add(1);
    frame.theory.geometric_staleness = 0.5;
    history.append(frame);
    return history;
}

/// All `<text>` of an SVG, one after the other; empty where it is no XML.
QString textOf(const QByteArray& svg)
{
    QXmlStreamReader reader(svg);
    QStringList texts;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
            texts << reader.readElementText(QXmlStreamReader::IncludeChildElements);
        }
    }
    if (reader.hasError()) {
        qWarning() << reader.errorString() << "in line" << reader.lineNumber();
        return {};
    }
    return texts.join(QString()); // a text of two scripts is two elements
}

/// What pdftotext finds in it; nothing where there is no such program.
std::optional<QString> pdfText(const QByteArray& pdf)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.pdf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size()) {
        return std::nullopt;
    }
    file.close();
    const QString out = folder.filePath(QStringLiteral("a.txt"));
    const QString command =
        QStringLiteral("pdftotext -enc UTF-8 '%1' '%2' 2>/dev/null").arg(file.fileName(), out);
    QFile text(out);
    if (std::system(qPrintable(command)) != 0 || !text.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    return QString::fromUtf8(text.readAll());
}

bool hasChinese() { return !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty(); }

QStringList labelsOf(PictureKind kind)
{
    QStringList labels{k_title};
    switch (kind) {
    case PictureKind::Loss:
        return labels << QStringLiteral("training") << QStringLiteral("validation") << QStringLiteral("0.667")
                      << QStringLiteral("time of the run, s") << QStringLiteral("loss, logarithmic");
    case PictureKind::Idle:
        return labels << k_names << QStringLiteral("20 %") << QStringLiteral("down")
                      << QStringLiteral("waiting");
    case PictureKind::Staleness:
        return labels << QStringLiteral("50 %") << QStringLiteral("theory")
                      << QStringLiteral("versions behind");
    case PictureKind::Throughput:
        return labels << QStringLiteral("samples per second") << QStringLiteral("time of the run, s");
    case PictureKind::Timeline:
        return labels << k_names << QStringLiteral("A") << QStringLiteral("B") << QStringLiteral("2.0 s")
                      << QStringLiteral("实验 fails") << QStringLiteral("computing");
    case PictureKind::Cluster:
        return labels << k_names << QStringLiteral("Parameter server") << QStringLiteral("SOFTMAX on blobs")
                      << QStringLiteral("Group A") << QStringLiteral("at 3.00 s");
    }
    return labels;
}

} // namespace

/// Pictures that go into files say what the screen says, as text, for every reader.
class TestPictures final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLabelIsTextInTheSvg_data();
    void everyLabelIsTextInTheSvg();
    void everyLabelIsInThePdf_data();
    void everyLabelIsInThePdf();
    void aPdfPageIsAsLargeAsItsPicture();
    void anSvgNamesFontsThatReadersHave();
    void aPngSaysWhereItComesFrom();
    void equalRunsGiveEqualBytes();
    void numbersAreTheSameInEveryCountry();
    void aLongRunMakesASmallDrawing();
    void noNumberThatIsNotFiniteIsDrawn();
    void whatIsLeftOutIsSaid();
    void aStretchOfTheRunIsDrawnAlone();
    void theThemeIsTheOneAskedFor();
    void everyPictureIsOfUse();
    void aPictureTooLargeIsNotMade();

private:
    static void addKinds()
    {
        QTest::addColumn<int>("kind");
        for (const PictureKind kind : k_picture_kinds) {
            QTest::addRow("%d", static_cast<int>(kind)) << static_cast<int>(kind);
        }
    }
};

void TestPictures::everyLabelIsTextInTheSvg_data() { addKinds(); }

void TestPictures::everyLabelIsTextInTheSvg()
{
    QFETCH(int, kind);
    const RunHistory history = shortRun();
    const PictureSource source{history, k_title, QStringLiteral("SOFTMAX on blobs"), {}};
    const Picture picture = pictureOf(static_cast<PictureKind>(kind), source);

    const QString text = textOf(fileOf({&picture, 1}, PictureFormat::Svg, {}));

    for (const QString& label : labelsOf(static_cast<PictureKind>(kind))) {
        QVERIFY2(text.contains(label), qPrintable(label + QStringLiteral(" is not in\n") + text));
    }
}

void TestPictures::everyLabelIsInThePdf_data() { addKinds(); }

void TestPictures::everyLabelIsInThePdf()
{
    QFETCH(int, kind);
    const RunHistory history = shortRun();
    const PictureSource source{history, k_title, QStringLiteral("SOFTMAX on blobs"), {}};
    const Picture picture = pictureOf(static_cast<PictureKind>(kind), source);

    const QByteArray pdf = fileOf({&picture, 1}, PictureFormat::Pdf, {});

    QVERIFY(pdf.startsWith("%PDF-") && pdf.contains("%%EOF"));
    QVERIFY(pdf.contains("/FontFile") && pdf.contains("/ToUnicode"));
    const std::optional<QString> text = pdfText(pdf);
    if (!text) {
        QSKIP("NOT TESTED: there is no pdftotext here");
    }
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}+"));
    for (QString label : labelsOf(static_cast<PictureKind>(kind))) {
        if (!hasChinese()) {
            label.remove(chinese);
        }
        QVERIFY2(text->contains(label.trimmed()), qPrintable(label + QStringLiteral(" is not in\n") + *text));
    }
    if (!hasChinese()) {
        qWarning("NOT TESTED: no font here has Chinese letters");
    }
}

void TestPictures::aPdfPageIsAsLargeAsItsPicture()
{
    const RunHistory history = shortRun();
    const PictureSource source{history, k_title, {}, {}};
    std::vector<Picture> pages{pictureOf(PictureKind::Loss, source),
                               pictureOf(PictureKind::Staleness, source)};

    const QByteArray pdf = fileOf(pages, PictureFormat::Pdf, {});

    static const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"));
    QList<QSizeF> sizes;
    auto found = box.globalMatch(QString::fromLatin1(pdf));
    while (found.hasNext()) {
        const auto match = found.next();
        sizes << QSizeF(match.captured(1).toDouble(), match.captured(2).toDouble());
    }
    QCOMPARE(sizes, (QList<QSizeF>{pages[0].size, pages[1].size}));
}

void TestPictures::anSvgNamesFontsThatReadersHave()
{
    const RunHistory history = shortRun();
    for (const PictureKind kind : k_picture_kinds) {
        const Picture picture = pictureOf(kind, {history, k_title, {}, {}});
        const QByteArray svg = fileOf({&picture, 1}, PictureFormat::Svg, {});

        QCOMPARE(svg.count("font-family="), svg.count("sans-serif\""));
        QVERIFY(svg.contains("viewBox=\"0 0 900 "));
        QVERIFY(svg.contains("width=\"238.125mm\"")); // 900 at 96 dots per inch, whatever the screen has
    }
}

void TestPictures::aPngSaysWhereItComesFrom()
{
    const RunHistory history = shortRun();
    const Picture picture = pictureOf(PictureKind::Loss, {history, k_title, {}, {}});
    PictureStyle style;
    style.scale = 3;
    style.provenance = {{QStringLiteral("Software"), QStringLiteral("Straggler Lab 1.2.3")},
                        {QStringLiteral("Title"), k_title},
                        {QStringLiteral("Seed"), QStringLiteral("18446744073709551615")}};

    const QByteArray png = fileOf({&picture, 1}, PictureFormat::Png, style);

    const QImage image = QImage::fromData(png, "PNG");
    QCOMPARE(image.size(), picture.size * 3);
    for (const auto& [key, value] : style.provenance) {
        QCOMPARE(image.text(key), value);
    }
    QVERIFY(png.contains("tEXtSoftware"));
    QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 3 * 96);
}

void TestPictures::equalRunsGiveEqualBytes()
{
    for (const PictureKind kind : k_picture_kinds) {
        for (const PictureFormat format : {PictureFormat::Svg, PictureFormat::Png}) {
            const RunHistory history = shortRun();
            const RunHistory other = shortRun();
            const Picture picture = pictureOf(kind, {history, k_title, {}, {}});
            const Picture again = pictureOf(kind, {other, k_title, {}, {}});

            QCOMPARE(fileOf({&picture, 1}, format, {}), fileOf({&again, 1}, format, {}));
        }
    }
}

void TestPictures::numbersAreTheSameInEveryCountry()
{
    RunHistory history = shortRun();
    Frame frame = history.latest();
    frame.version = 1'234'567;
    frame.samples = 9'876'543'210;
    history.append(frame);
    const auto all = [&] {
        QList<QByteArray> files;
        for (const PictureKind kind : k_picture_kinds) {
            const Picture picture = pictureOf(kind, {history, k_title, {}, {}});
            files << fileOf({&picture, 1}, PictureFormat::Svg, {});
        }
        return files;
    };
    const QList<QByteArray> plain = all();

    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QList<QByteArray> german = all();
    const bool stays_german = QLocale().decimalPoint() == QLatin1String(",");
    QLocale::setDefault(QLocale::system());

    QVERIFY(stays_german);
    QVERIFY(german == plain);
}

void TestPictures::aLongRunMakesASmallDrawing()
{
    RunHistory history;
    history.begin(std::vector<QString>(16, QStringLiteral("n")));
    Frame frame;
    frame.now = atSeconds(10'000);
    frame.nodes.resize(16);
    for (int i = 0; i < 10'000; ++i) {
        frame.evaluations.push_back({atSeconds(i), i, i, 2 + std::sin(i), 3 + std::sin(i), 0.5});
        for (int node = 0; node < 16; ++node) {
            frame.spans.push_back({NodeId{node}, Activity::Computing, atSeconds(i), atSeconds(i + 0.7)});
            frame.spans.push_back({NodeId{node}, Activity::Waiting, atSeconds(i + 0.7), atSeconds(i + 1)});
        }
    }
    history.append(frame);

    for (const PictureKind kind : k_picture_kinds) {
        const Picture picture = pictureOf(kind, {history, k_title, {}, {}});
        const QByteArray svg = fileOf({&picture, 1}, PictureFormat::Svg, {});
        const QByteArray pdf = fileOf({&picture, 1}, PictureFormat::Pdf, {});

        qInfo("%s: SVG %lld KB, PDF %lld KB, %lld polylines", qPrintable(picture.name),
              static_cast<long long>(svg.size() / 1000), static_cast<long long>(pdf.size() / 1000),
              static_cast<long long>(svg.count("<polyline")));
        QVERIFY(svg.size() < 2'000'000 && pdf.size() < 500'000);
        QVERIFY(kind != PictureKind::Loss || svg.count("<polyline") < 40);
    }
}

void TestPictures::noNumberThatIsNotFiniteIsDrawn()
{
    RunHistory history = shortRun();
    Frame frame = history.latest();
    const double infinity = std::numeric_limits<double>::infinity();
    frame.now = atSeconds(9);
    for (const double loss : {1e300, infinity, -infinity, std::nan(""), 0.0, -3.0, 5e-324}) {
        frame.evaluations.push_back({atSeconds(4), 4, 4, loss, loss, loss});
    }
    history.append(frame);
    for (const bool is_logarithmic : {false, true}) {
        LossState loss;
        loss.is_logarithmic = is_logarithmic;
        const Picture picture = pictureOf(PictureKind::Loss, {history, {}, {}, loss});

        const QByteArray svg = fileOf({&picture, 1}, PictureFormat::Svg, {}).toLower();

        QVERIFY(!svg.contains("nan") && !svg.contains("inf"));
        QVERIFY(textOf(svg).contains(QStringLiteral("not finite")));
        QCOMPARE(picture.note.contains(QStringLiteral("log scale")), is_logarithmic);
    }
}

void TestPictures::whatIsLeftOutIsSaid()
{
    RunHistory history;
    history.begin({QStringLiteral("n1")});
    Frame frame;
    frame.nodes.resize(1);
    for (int i = 0; i < 50'000; ++i) {
        frame.spans.push_back({NodeId{0}, i % 2 == 0 ? Activity::Computing : Activity::Waiting,
                               TimePoint{Duration{1'000'000LL * i}},
                               TimePoint{Duration{1'000'000LL * (i + 1)}}});
    }
    frame.now = atSeconds(50);
    frame.evaluations.resize(9'000);
    history.append(frame);
    const PictureSource source{history, {}, {}, {}};

    const QString merged = pictureOf(PictureKind::Timeline, source).note;
    const QString recent =
        pictureOf(PictureKind::Timeline, source, TimeWindow{toSeconds(history.mergedBefore()), 50}).note;

    QVERIFY2(merged.contains(QStringLiteral("merged")), qPrintable(merged));
    QVERIFY2(!recent.contains(QStringLiteral("merged")), qPrintable(recent));
    QVERIFY(pictureOf(PictureKind::Loss, source).note.contains(QStringLiteral("of 9000 evaluations")));
}

void TestPictures::aStretchOfTheRunIsDrawnAlone()
{
    const RunHistory history = shortRun();
    const PictureSource source{history, {}, {}, {}};

    const Picture loss = pictureOf(PictureKind::Loss, source, TimeWindow{0.5, 1.5});
    const Picture idle = pictureOf(PictureKind::Idle, source, TimeWindow{0.8, 1});

    const QString text = textOf(fileOf({&loss, 1}, PictureFormat::Svg, {}));
    QVERIFY(text.contains(QStringLiteral("1.000"))); // the loss at 1 s is the last one
    QVERIFY(loss.note.startsWith(QStringLiteral("0.50–1.50 s")));
    QVERIFY(textOf(fileOf({&idle, 1}, PictureFormat::Svg, {})).contains(QStringLiteral("100 %")));
    QVERIFY(!takesStretch(PictureKind::Staleness));
}

void TestPictures::theThemeIsTheOneAskedFor()
{
    const RunHistory history = shortRun();
    for (const PictureKind kind : k_picture_kinds) {
        const Picture picture = pictureOf(kind, {history, k_title, {}, {}});
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            PictureStyle style;
            style.theme = theme;
            QCOMPARE(imageOf({&picture, 1}, style).pixelColor(2, 2), theme->card);
        }
    }
}

void TestPictures::everyPictureIsOfUse()
{
    RunHistory nothing;
    nothing.begin({QStringLiteral("n1")});
    Frame frame;
    frame.nodes.resize(1);
    nothing.append(frame);
    for (const PictureKind kind : k_picture_kinds) { // before anything has happened, too
        const Picture picture = pictureOf(kind, {nothing, {}, {}, {}});
        for (const PictureFormat format : k_picture_formats) {
            QVERIFY(!fileOf({&picture, 1}, format, {}).isEmpty());
        }
    }
}

void TestPictures::aPictureTooLargeIsNotMade()
{
    const RunHistory history = shortRun();
    Picture picture = pictureOf(PictureKind::Loss, {history, {}, {}, {}});
    picture.size = {8000, 8000};
    PictureStyle style;

    QVERIFY(fileOf({&picture, 1}, PictureFormat::Png, style).isEmpty());
    QVERIFY(!fileOf({&picture, 1}, PictureFormat::Svg, style).isEmpty());
}

QTEST_MAIN(TestPictures)
#include "tst_pictures.moc"
