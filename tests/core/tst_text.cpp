#include "core/base/text.h"

#include <QTest>

#include <clocale>

using namespace lab;

class TestText final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNumberHasAtMostTheDigitsAskedFor_data();
    void aNumberHasAtMostTheDigitsAskedFor();
    void theLocaleHasNoSay();
    void groupsHaveLetters();
};

void TestText::aNumberHasAtMostTheDigitsAskedFor_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 3.0 << 3 << QStringLiteral("3");
    QTest::newRow("a tenth") << 0.1 << 3 << QStringLiteral("0.1");
    QTest::newRow("rounded") << 1.23456 << 3 << QStringLiteral("1.23");
    QTest::newRow("more digits") << 1.23456 << 5 << QStringLiteral("1.2346");
    QTest::newRow("large") << 1234567.0 << 3 << QStringLiteral("1.23e+06");
    QTest::newRow("small") << 0.00001 << 3 << QStringLiteral("1e-05");
    QTest::newRow("negative") << -2.5 << 3 << QStringLiteral("-2.5");
}

void TestText::aNumberHasAtMostTheDigitsAskedFor()
{
    QFETCH(const double, value);
    QFETCH(const int, digits);
    QFETCH(const QString, text);

    QCOMPARE(QString::fromStdString(shortNumber(value, digits)), text);
}

void TestText::theLocaleHasNoSay()
{
    const char* const with_comma = std::setlocale(LC_ALL, "de_DE.UTF-8");
    if (with_comma == nullptr) {
        QSKIP("no locale with a decimal comma is installed");
    }

    const std::string text = shortNumber(0.5);
    std::setlocale(LC_ALL, "C");

    QCOMPARE(QString::fromStdString(text), QStringLiteral("0.5"));
}

void TestText::groupsHaveLetters()
{
    const auto letter = [](std::size_t group) { return QString::fromStdString(letterOf(GroupId{group})); };

    QCOMPARE(letter(0), QStringLiteral("A"));
    QCOMPARE(letter(25), QStringLiteral("Z"));
    QCOMPARE(letter(26), QStringLiteral("AA"));
    QCOMPARE(letter(701), QStringLiteral("ZZ"));
    QCOMPARE(letter(702), QStringLiteral("AAA"));
}

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
