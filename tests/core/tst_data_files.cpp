#include "core/base/error.h"
#include "core/learn/dataset_catalog.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

using namespace lab;

namespace {

QByteArray bigEndian(std::initializer_list<quint32> numbers)
{
    QByteArray bytes;
    for (const quint32 number : numbers) {
        for (const int shift : {24, 16, 8, 0}) {
            bytes.append(static_cast<char>(number >> shift & 0xffU));
        }
    }
    return bytes;
}

/// Three images of 2 x 2 pixels.
QByteArray images() { return bigEndian({0x803, 3, 2, 2}) + QByteArray::fromHex("00ff33000102030405060708"); }
QByteArray labels() { return bigEndian({0x801, 3}) + QByteArray::fromHex("020001"); }

/// Two CIFAR images, all pixels 255 and all 0.
QByteArray cifarBatch() { return char(3) + QByteArray(3072, '\xff') + char(9) + QByteArray(3072, '\0'); }

QByteArray gzipped(const QByteArray& bytes)
{
    QTemporaryDir folder;
    const QByteArray path = QFile::encodeName(folder.filePath(QStringLiteral("x")));
    gzFile file = gzopen(path.constData(), "wb");
    gzwrite(file, bytes.constData(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    QFile packed(QFile::decodeName(path));
    (void)packed.open(QIODevice::ReadOnly);
    return packed.readAll();
}

} // namespace

/// Data sources that are files, through the door by which experiments come in.
class TestDataFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void relativePathsStartAtTheFolder()
    {
        write("sub/x.csv", "1,2,0\n3,4,1\n");

        const Dataset data = load(CsvSource{"sub/x.csv"});

        QCOMPARE(data.rows(), 2U);
        QCOMPARE(data.name, std::string("sub/x.csv"));
        QCOMPARE(loadDataset(CsvSource{path("sub/x.csv")}, "/nowhere", 1).rows(), 2U);
    }

    void gzipIsUnpackedWhateverTheName()
    {
        const QByteArray text = "1,2,0\n3,4,1\n";
        write("one.csv", gzipped(text));
        write("two.csv", gzipped(text) + gzipped("5,6,0\n"));

        QCOMPARE(load(CsvSource{"one.csv"}).rows(), 2U);
        QCOMPARE(load(CsvSource{"two.csv"}).rows(), 3U);
    }

    void unreadableFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("what");
        const QByteArray packed = gzipped("1,2,0\n3,4,1\n");
        QByteArray damaged = packed;
        damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1); // in the checksum
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("empty gzip") << gzipped({}) << "is empty";
        QTest::newRow("gzip cut in its header") << packed.left(5) << "byte 5: the gzip data end early";
        QTest::newRow("gzip cut in its data") << packed.left(packed.size() - 12) << "the gzip data end early";
        QTest::newRow("gzip cut in its checksum")
            << packed.left(packed.size() - 1) << "the gzip data end early";
        QTest::newRow("gzip damaged") << damaged << "damaged gzip data (incorrect data check)";
        QTest::newRow("gzip with a tail") << packed + "tail"
                                          << "damaged gzip data (incorrect header check)";
    }
    void unreadableFilesAreRefused()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, what);
        write("x.csv", content);
        expectRefusal(CsvSource{"x.csv"}, QStringLiteral("x.csv: "), what);
    }

    void whatIsNoFileIsRefused()
    {
        QVERIFY(QDir(folder_->path()).mkdir(QStringLiteral("folder")));

        expectRefusal(CsvSource{"missing.csv"}, QStringLiteral("missing.csv: "),
                      QStringLiteral("no such file; relative paths start at"));
        expectRefusal(LibsvmSource{"missing"}, QStringLiteral("missing: "), QStringLiteral("no such file"));
        expectRefusal(CsvSource{"folder"}, QStringLiteral("folder: "),
                      QStringLiteral("is a folder; name a file"));
        expectRefusal(IdxSource{"folder", "folder"}, QStringLiteral("folder: "),
                      QStringLiteral("is a folder"));
        expectRefusal(CifarSource{"missing"}, QStringLiteral("missing: "), QStringLiteral("no such folder"));
        QVERIFY_THROWS_EXCEPTION(Error, (void)loadDataset(CsvSource{"/dev/null"}, {}, 1));
    }

    void libsvmIsRead()
    {
        write("x", "+1 1:0.5 3:2 # a remark\n\n# nothing here\r\n-1\t2:1e1  \r\n+1 1:-1");

        const Dataset data = load(LibsvmSource{"x"});

        Dataset::Features expected(3, 3);
        expected << 0.5F, 0, 2, 0, 10, 0, -1, 0, 0;
        QCOMPARE(data.x, expected);
        QCOMPARE(data.labels, (std::vector<std::int32_t>{1, 0, 1}));
        QCOMPARE(data.class_names, (std::vector<std::string>{"-1", "1"}));
    }

    void brokenLibsvmIsRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("what");
        QTest::newRow("index 0") << QByteArray("1 1:2\n0 0:1\n") << "x:2: "
                                 << "index 0; indices start at 1";
        QTest::newRow("not sorted") << QByteArray("1 1:2\n0 3:1 2:1\n") << "x:2: "
                                    << "index 2 after 3; sort them";
        QTest::newRow("twice") << QByteArray("1 1:2\n0 3:1 3:1\n") << "x:2: "
                               << "index 3 after 3";
        QTest::newRow("no colon") << QByteArray("1 1:2\n0 3\n") << "x:2: "
                                  << "'3' is not of the form index:value";
        QTest::newRow("query id") << QByteArray("1 qid:2 1:1\n") << "x:1: "
                                  << "'qid:2' is not of the form";
        QTest::newRow("negative index") << QByteArray("1 -1:2\n") << "x:1: "
                                        << "'-1:2' is not of the form";
        QTest::newRow("no value") << QByteArray("1 1:\n") << "x:1: "
                                  << "index 1 is empty";
        QTest::newRow("not a number") << QByteArray("1 1:a\n") << "x:1: "
                                      << "index 1 'a' is not a number";
        QTest::newRow("nan") << QByteArray("1 1:nan\n") << "x:1: "
                             << "'nan' is not a finite number";
        QTest::newRow("label") << QByteArray("1 1:1\nb 1:2\n") << "x:2: "
                               << "the label 'b' is not a number";
        QTest::newRow("two labels") << QByteArray("1,2 1:1\n") << "x:1: "
                                    << "the label '1,2' is not a number";
        QTest::newRow("labels only") << QByteArray("1\n0\n") << "x: "
                                     << "2 rows of 0 features";
        QTest::newRow("remarks only") << QByteArray("# none\n") << "x: "
                                      << "0 rows";
        QTest::newRow("absurd index") << QByteArray("1 1:1\n0 4000000000:1\n") << "x: "
                                      << "2 rows of 4000000000 features";
        QTest::newRow("index beyond 64 bits") << QByteArray("1 99999999999999999999:1\n") << "x:1: "
                                              << "not of the form";
        QTest::newRow("one label") << QByteArray("1 1:1\n1 1:2\n") << "x: "
                                   << "every row has the same label";
    }
    void brokenLibsvmIsRefused()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, place);
        QFETCH(QString, what);
        write("x", content);
        expectRefusal(LibsvmSource{"x"}, place, what);
    }

    void idxIsRead_data()
    {
        QTest::addColumn<bool>("is_packed");
        QTest::newRow("plain") << false;
        QTest::newRow("gzip") << true;
    }
    void idxIsRead()
    {
        QFETCH(bool, is_packed);
        write("i", is_packed ? gzipped(images()) : images());
        write("l", is_packed ? gzipped(labels()) : labels());

        const Dataset data = load(IdxSource{"i", "l"});

        QCOMPARE(data.rows(), 3U);
        QCOMPARE(data.features(), 4U);
        QCOMPARE(data.x(0, 1), 1.0F);
        QCOMPARE(data.x(0, 2), 0.2F);
        QCOMPARE(data.x(2, 3), 8.0F / 255.0F);
        QCOMPARE(data.classes, 3);
        QCOMPARE(data.labels, (std::vector<std::int32_t>{2, 0, 1}));
        QCOMPARE(data.targets, (std::vector<float>{2, 0, 1}));
    }

    void brokenIdxIsRefused_data()
    {
        QTest::addColumn<QByteArray>("image_file");
        QTest::addColumn<QByteArray>("label_file");
        QTest::addColumn<QString>("what");
        const QByteArray pixels = images().mid(16);
        QTest::newRow("no magic") << QByteArray("P5 2 2 255\n....") << labels() << "i: byte 0: no IDX file";
        QTest::newRow("one byte") << QByteArray("x") << labels() << "i: byte 0: no IDX file";
        QTest::newRow("floats") << bigEndian({0xd03, 3, 2, 2}) + pixels << labels()
                                << "i: byte 2: values of type 13";
        QTest::newRow("no dimensions")
            << bigEndian({0x800}) + pixels << labels() << "i: byte 3: 0 dimensions";
        QTest::newRow("header cut") << images().left(10) << labels()
                                    << "i: byte 3: 3 dimensions, which the file has no room";
        QTest::newRow("values cut") << images().chopped(1) << labels()
                                    << "i: byte 12: dimension 2 is 2, but only 11";
        QTest::newRow("values left") << images() + "x" << labels() << "i: byte 28: 1 bytes more";
        QTest::newRow("no images") << bigEndian({0x803, 0, 2, 2}) << labels()
                                   << "i: byte 4: dimension 0 is 0";
        QTest::newRow("absurd size") << bigEndian({0x803, 0xffffffff, 0xffffffff, 0xffffffff}) + pixels
                                     << labels() << "i: byte 4: dimension 0 is 4294967295, but only 12";
        QTest::newRow("swapped") << labels() << images()
                                 << "i: byte 3: one dimension, as labels have; are idx_images";
        QTest::newRow("images twice")
            << images() << images() << "l: byte 3: 3 dimensions where labels have one";
        QTest::newRow("labels missing") << images() << bigEndian({0x801, 2}) + QByteArray::fromHex("0001")
                                        << "l: byte 4: 2 labels for the 3 images";
        QTest::newRow("labels cut") << images() << labels().chopped(1)
                                    << "l: byte 4: dimension 0 is 3, but only 2";
        QTest::newRow("all labels 0")
            << images() << bigEndian({0x801, 3}) + QByteArray(3, '\0') << "l: every label is 0";
        QTest::newRow("gzip cut") << gzipped(images()).chopped(3) << labels() << "i: byte";
    }
    void brokenIdxIsRefused()
    {
        QFETCH(QByteArray, image_file);
        QFETCH(QByteArray, label_file);
        QFETCH(QString, what);
        write("i", image_file);
        write("l", label_file);
        expectRefusal(IdxSource{"i", "l"}, {}, what);
    }

    void cifarIsRead()
    {
        write("data_batch_1.bin", cifarBatch());
        write("data_batch_2.bin", cifarBatch());

        const Dataset data = load(CifarSource{"."});

        QCOMPARE(data.rows(), 4U);
        QCOMPARE(data.features(), 3072U);
        QCOMPARE(data.x(0, 3071), 1.0F);
        QCOMPARE(data.x(3, 0), 0.0F);
        QCOMPARE(data.labels, (std::vector<std::int32_t>{3, 9, 3, 9}));
        QCOMPARE(data.class_names[9], std::string("truck"));
    }

    void brokenCifarIsRefused()
    {
        expectRefusal(CifarSource{"."}, {}, QStringLiteral("data_batch_1.bin: no such file"));
        write("data_batch_1.bin", cifarBatch().chopped(1));
        expectRefusal(CifarSource{"."}, {},
                      QStringLiteral("data_batch_1.bin: byte 3073: an image cut short"));
        QByteArray wrong_label = cifarBatch();
        wrong_label[3073] = 10;
        write("data_batch_1.bin", wrong_label);
        expectRefusal(CifarSource{"."}, {}, QStringLiteral("byte 3073: label 10; CIFAR-10 has 0 to 9"));
    }

private:
    [[nodiscard]] std::string path(const char* name) const
    {
        return folder_->filePath(QString::fromUtf8(name)).toStdString();
    }

    void write(const char* name, const QByteArray& content) const
    {
        const QString file_name = QString::fromStdString(path(name));
        QVERIFY(QDir().mkpath(QFileInfo(file_name).path()));
        QFile file(file_name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

    [[nodiscard]] Dataset load(const DataSource& source) const
    {
        return loadDataset(source, folder_->path().toStdString(), 1);
    }

    /// That loading throws an error that names the place (a file in the folder) and says `what`.
    void expectRefusal(const DataSource& source, const QString& place, const QString& what) const
    {
        try {
            (void)load(source);
            QFAIL("was accepted");
        } catch (const Error& error) {
            const QString said = QString::fromStdString(error.what());
            QVERIFY2(said.startsWith(folder_->filePath(place)) && said.contains(what), qPrintable(said));
        }
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(TestDataFiles)
#include "tst_data_files.moc"
