#include "core/base/error.h"
#include "core/learn/data_formats.h"

#include <QTest>

#include <clocale>

using namespace lab;

namespace {

Dataset parse(const std::string& text, const std::string& label = "last")
{
    return readCsv({"x.csv", text}, label);
}

/// What is said about the text; empty where it is fine.
std::string complaint(const std::string& text, const std::string& label = "last")
{
    try {
        (void)parse(text, label);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

Dataset::Features table(Eigen::Index rows, std::initializer_list<float> values)
{
    return Eigen::Map<const Dataset::Features>(std::data(values), rows,
                                               static_cast<Eigen::Index>(values.size()) / rows);
}

} // namespace

class TestCsvData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersBecomeRowsAndClasses()
    {
        const Dataset data = parse("1,2,7\n3,4,5\n-0.5,+1e2,7\n");

        QCOMPARE(data.x, table(3, {1, 2, 3, 4, -0.5F, 100}));
        QCOMPARE(data.classes, 2);
        QCOMPARE(data.labels, (std::vector<std::int32_t>{1, 0, 1}));
        QCOMPARE(data.targets, (std::vector<float>{1, 0, 1}));
        QCOMPARE(data.class_names, (std::vector<std::string>{"5", "7"}));
    }

    void textsBecomeClassesInAlphabeticalOrder()
    {
        const Dataset data = parse("a,b,kind\n1,2,pear\n3,4,apple\n");

        QCOMPARE(data.labels, (std::vector<std::int32_t>{1, 0}));
        QCOMPARE(data.class_names, (std::vector<std::string>{"apple", "pear"}));
    }

    void fractionsBecomeTargets()
    {
        const Dataset data = parse("1,0.5\n2,1.5\n");

        QCOMPARE(data.classes, 0);
        QVERIFY(data.labels.empty());
        QCOMPARE(data.targets, (std::vector<float>{0.5F, 1.5F}));
    }

    void aHundredWholeNumbersAreClassesAndOneMoreIsARegression()
    {
        std::string text;
        for (int i = 0; i < 100; ++i) {
            text += "1," + std::to_string(10 * i) + "\n";
        }
        QCOMPARE(parse(text).classes, 100);
        text += "1,5\n";
        QCOMPARE(parse(text).classes, 0);
        QCOMPARE(parse(text).targets.back(), 5.0F);
    }

    void labelColumnIsFoundByPlaceAndName_data()
    {
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("column");
        QTest::newRow("first") << "first" << 0;
        QTest::newRow("last") << "last" << 2;
        QTest::newRow("number") << "1" << 1;
        QTest::newRow("name") << "b" << 1;
    }
    void labelColumnIsFoundByPlaceAndName()
    {
        QFETCH(QString, label);
        QFETCH(int, column);

        const Dataset data = parse("a,b,c\n1,2,3\n4,5,6\n", label.toStdString());

        const float values[2][3] = {{1, 2, 3}, {4, 5, 6}};
        Eigen::Index to = 0;
        for (int c = 0; c < 3; ++c) {
            if (c != column) {
                QCOMPARE(data.x(0, to), values[0][c]);
                QCOMPARE(data.x(1, to++), values[1][c]);
            }
        }
        QCOMPARE(data.class_names[0], std::to_string(column + 1));
    }

    void aNumberIsAPlaceThoughItStandsInTheFirstRow()
    {
        QCOMPARE(parse("1,1,1\n2,0,4\n", "1").class_names, (std::vector<std::string>{"0", "1"}));
    }

    void headersAreTold_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("rows");
        QTest::newRow("none") << "1,2,0\n3,4,1\n" << 2;
        QTest::newRow("names") << "a,b,label\n1,2,0\n3,4,1\n" << 2;
        QTest::newRow("numbers as names") << "0,1,label\n1,2,0\n3,4,1\n" << 2;
        QTest::newRow("numbers from 1 as names") << "1,2,label\n1,2,0\n3,4,1\n" << 2;
        QTest::newRow("empty name") << ",a,label\n1,2,0\n3,4,1\n" << 2;
        QTest::newRow("text labels, none") << "1,2,x\n3,4,y\n" << 2;
        QTest::newRow("text labels, names") << "a,b,label\n1,2,x\n3,4,y\n" << 2;
    }
    void headersAreTold()
    {
        QFETCH(QString, text);
        QFETCH(int, rows);
        QCOMPARE(static_cast<int>(parse(text.toStdString()).rows()), rows);
    }

    void theFormatsOfThisWorldAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("CRLF") << QByteArray("a,b,label\r\n1,2,u\r\n3,4,v\r\n");
        QTest::newRow("no last line end") << QByteArray("a,b,label\n1,2,u\n3,4,v");
        QTest::newRow("byte-order mark") << QByteArray("\xef\xbb\xbf"
                                                       "a,b,label\n1,2,u\n3,4,v\n");
        QTest::newRow("empty lines") << QByteArray("\n\na,b,label\n\n1,2,u\r\n\r\n3,4,v\n\n\n");
        QTest::newRow("quotes") << QByteArray("\"a\",b,\"label\"\n\"1\",2,\"u\"\n3,\"4\",\"v\"\n");
        QTest::newRow("spaces") << QByteArray("a,b,label\n 1 ,\t2, u\n3,4,v \n");
    }
    void theFormatsOfThisWorldAreRead()
    {
        QFETCH(QByteArray, text);

        const Dataset data = parse(text.toStdString());

        QCOMPARE(data.x, table(2, {1, 2, 3, 4}));
        QCOMPARE(data.class_names, (std::vector<std::string>{"u", "v"}));
    }

    void quotedFieldsMayHoldAnything()
    {
        const Dataset data = parse("1,\"a, \"\"b\"\"\nc\"\n2,d\n3,d\n");

        QCOMPARE(data.class_names, (std::vector<std::string>{"a, \"b\"\nc", "d"}));
    }

    void theLocaleHasNoSay()
    {
        // Where the machine has no German locale the test proves nothing, and passes.
        (void)std::setlocale(LC_ALL, "de_DE.UTF-8");
        const Dataset data = parse("1.5,0\n2.5,1\n");
        (void)std::setlocale(LC_ALL, "C");

        QCOMPARE(data.x, table(2, {1.5F, 2.5F}));
    }

    void brokenFilesAreRefusedWithPlaceAndRemedy_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* name, const QByteArray& text, const char* place, const char* what,
                            const char* label = "last") {
            QTest::newRow(name) << text << QString::fromUtf8(label) << QString::fromUtf8(place)
                                << QString::fromUtf8(what);
        };
        row("ragged, short", "1,2,0\n3,1\n", "x.csv:2: ", "2 fields where the first line has 3");
        row("ragged, long", "1,2,0\n\n3,4,5,1\n", "x.csv:3: ", "4 fields where the first line has 3");
        row("not a number", "1,2,0\n3,four,1\n", "x.csv:2: ", "column 1 'four' is not a number");
        row("not a number in the first row", "1,two,0\n3,4,1\n",
            "x.csv:1: ", "column 1 'two' is not a number");
        row("trailing garbage", "1,2,0\n3,4x,1\n", "x.csv:2: ", "'4x' is not a number");
        row("decimal comma in quotes", "1,2,0\n3,\"4,5\",1\n", "x.csv:2: ", "'4,5' is not a number");
        row("hexadecimal", "1,2,0\n3,0x4,1\n", "x.csv:2: ", "'0x4' is not a number");
        row("two signs", "1,2,0\n3,+-4,1\n", "x.csv:2: ", "'+-4' is not a number");
        row("nan", "1,2,0\n3,nan,1\n", "x.csv:2: ", "'nan' is not a finite number");
        row("inf", "1,2,0\n-inf,4,1\n", "x.csv:2: ", "column 0 '-inf' is not a finite number");
        row("beyond double", "1,2,0\n3,1e999,1\n", "x.csv:2: ", "outside what a double holds");
        row("beyond float", "1,2,0\n3,1e39,1\n", "x.csv:2: ", "too large for 32 bits");
        row("empty field", "1,2,0\n3,,1\n", "x.csv:2: ", "column 1 is empty; fill in");
        row("empty label", "1,2,0\n3,4,\n", "x.csv:2: ", "column 2 (the label) is empty");
        row("label nan", "1,2,0\n3,4,nan\n", "x.csv:2: ", "'nan' is not a finite number");
        row("text among number labels", "1,2,0\n3,4,b\n", "x.csv:2: ", "column 2 'b' is not a number");
        row("number among text labels", "5,2,a\n3,4,1\n", "x.csv:2: ", "only numbers or only texts");
        row("only empty lines", "\n\r\n\n", "x.csv:1: ", "only empty lines");
        row("header only", "a,b,c\n", "x.csv:1: ", "a header and no rows below it");
        row("one column", "1\n2\n", "x.csv:1: ", "one column only");
        row("semicolons", "1;2;0\n3;4;1\n", "x.csv:1: ", "separate the fields by commas");
        row("one label", "1,2,0\n3,4,0\n", "x.csv: ", "every row has the same label");
        row("open quote", "1,2,0\n3,\"4,1\n5,6,1\n", "x.csv:2: ", "never closed");
        row("text after a quote", "1,2,0\n3,\"4\"5,1\n", "x.csv:2: ", "text after a closing quote");
        row("quote inside", "1,2,0\n3,4\"5,1\n", "x.csv:2: ", "a quote inside an unquoted field");
        row("UTF-16",
            QByteArray("\xff\xfe"
                       "1\0,\0",
                       6),
            "x.csv:1: ", "save it as UTF-8");
        row("unknown label", "a,b,c\n1,2,3\n", "x.csv:1: ", "no label column 'd'; use first, last", "d");
        row("label beyond the columns", "a,b,c\n1,2,3\n", "x.csv:1: ", "a number from 0 to 2", "3");
        row("label twice", "a,a,c\n1,2,3\n", "x.csv:1: ", "2 columns are called 'a'", "a");
        row("line of a quoted line end", "1,\"a\nb\"\n2,c\nx,c\n",
            "x.csv:4: ", "column 0 'x' is not a number");
    }
    void brokenFilesAreRefusedWithPlaceAndRemedy()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, label);
        QFETCH(QString, place);
        QFETCH(QString, what);

        const QString actual = QString::fromStdString(complaint(text.toStdString(), label.toStdString()));

        QVERIFY2(actual.startsWith(place) && actual.contains(what), qPrintable(actual));
    }

    void tooManyNamedClassesAreRefused()
    {
        std::string text;
        for (int i = 0; i < 1001; ++i) {
            text += "1,name" + std::to_string(i) + "\n";
        }
        QVERIFY(complaint(text).find("1001 different texts") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestCsvData)
#include "tst_csv_data.moc"
