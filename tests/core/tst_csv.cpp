#include "core/record/csv.h"

#include <QElapsedTimer>
#include <QTest>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace lab;

namespace {

constexpr double k_no_number = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> k_names{"n1", "a,b", "say \"x\"", " 实验"};

TimePoint atNanoseconds(std::int64_t count) { return TimePoint{Duration{count}}; }

RunRecord runWithSpan(Span span)
{
    RunRecord run;
    run.spans = {span};
    return run;
}

} // namespace

class TestCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curveHasARowPerEvaluation();
    void updatesNameTheNodesUsed();
    void nodesHaveTheirLedger();
    void timelineHasARowPerSpan();
    void anEmptyRunHasHeadersOnly();
    void timesReadBackToTheSameDouble_data();
    void timesReadBackToTheSameDouble();
    void aDotWhateverTheLocale();
    void aMillionRowsInASecond();
};

void TestCsv::curveHasARowPerEvaluation()
{
    RunRecord run;
    run.curve = {{atNanoseconds(0), 0, 0, 2.5, 1.0 / 3, 0.5},
                 {atNanoseconds(1'500'000'000), 10, 320, k_no_number, std::numeric_limits<double>::infinity(),
                  k_no_number}};

    QCOMPARE(curveCsv(run),
             std::string("time,update,samples,train_loss,validation_loss,validation_accuracy\n"
                         "0,0,0,2.5,0.3333333333333333,0.5\n"
                         "1.5,10,320,,inf,\n"));
}

void TestCsv::updatesNameTheNodesUsed()
{
    RunRecord run;
    run.updates = {{1, atNanoseconds(100'000'000), GroupId{0}, {NodeId{0}, NodeId{3}}, 64, 0, 0, 1, 0},
                   {2, atNanoseconds(123'456'789), GroupId{12}, {NodeId{1}, NodeId{2}}, 64, 1.5, 2, 0.25, 0},
                   {3, atNanoseconds(200'000'000), GroupId{}, {}, 0, k_no_number, 0, 1, 0}};

    QCOMPARE(updatesCsv(run, k_names),
             std::string("update,time,group,nodes,samples,staleness_mean,staleness_max,weight\n"
                         "1,0.1,0,n1; 实验,64,0,0,1\n"
                         "2,0.123456789,12,\"a,b;say \"\"x\"\"\",64,1.5,2,0.25\n"
                         "3,0.2,,,0,,0,1\n"));
}

void TestCsv::nodesHaveTheirLedger()
{
    RunRecord run;
    run.last.nodes.resize(2);
    NodeFrame& node = run.last.nodes[0];
    node.group = GroupId{1};
    node.times.of = {Duration{1}, Duration{2'000'000'000}, Duration{0}, Duration{300'000'000},
                     Duration{4'000'000'000}};
    node.gradients = 3;
    node.staleness_mean = 0.5;
    node.staleness_max = 1;

    QCOMPARE(
        nodesCsv(run, std::vector<std::string>{"n1", " x"}),
        std::string(
            "node,group,computing,wasted,communicating,waiting,down,gradients,staleness_mean,staleness_max\n"
            "n1,1,1e-09,2,0,0.3,4,3,0.5,1\n"
            "\" x\",,0,0,0,0,0,0,,0\n"));
}

void TestCsv::timelineHasARowPerSpan()
{
    RunRecord run;
    run.spans = {{NodeId{0}, Activity::Computing, atNanoseconds(0), atNanoseconds(10)},
                 {NodeId{1}, Activity::Down, atNanoseconds(10), atNanoseconds(20)}};

    QCOMPARE(timelineCsv(run, k_names),
             std::string("node,start,end,state\n"
                         "n1,0,1e-08,computing\n"
                         "\"a,b\",1e-08,2e-08,down\n"));
}

void TestCsv::anEmptyRunHasHeadersOnly()
{
    const RunRecord run;

    QCOMPARE(curveCsv(run),
             std::string("time,update,samples,train_loss,validation_loss,validation_accuracy\n"));
    QCOMPARE(timelineCsv(run, {}), std::string("node,start,end,state\n"));
}

void TestCsv::timesReadBackToTheSameDouble_data()
{
    QTest::addColumn<qint64>("count");
    for (const qint64 count :
         {0LL, 1LL, 999'999'999LL, 1'000'000'000LL, 123'456'789'012'345LL, (1LL << 53) + 1, 1LL << 62}) {
        QTest::addRow("%lld", count) << count;
    }
}

void TestCsv::timesReadBackToTheSameDouble()
{
    QFETCH(qint64, count);
    const double seconds = toSeconds(Duration{count});

    const std::string csv =
        timelineCsv(runWithSpan({NodeId{0}, Activity::Waiting, atNanoseconds(count), {}}), k_names);
    const std::string text = QByteArray::fromStdString(csv).split('\n').at(1).split(',').at(1).toStdString();

    QCOMPARE(std::strtod(text.c_str(), nullptr), seconds);
    // Never longer than the exact decimal number of nanoseconds.
    const std::string exact = QByteArray::number(count / 1'000'000'000).toStdString() + '.'
        + QByteArray::number(count % 1'000'000'000).rightJustified(9, '0').toStdString();
    QVERIFY(text.size() <= exact.size());
}

void TestCsv::aDotWhateverTheLocale()
{
    const char* set = nullptr;
    for (const char* name : {"de_DE.UTF-8", "cs_CZ.UTF-8", "fr_FR.UTF-8"}) {
        set = set != nullptr ? set : std::setlocale(LC_ALL, name);
    }
    if (set == nullptr) {
        QSKIP("no locale with a decimal comma is installed");
    }
    RunRecord run;
    run.curve = {{atNanoseconds(1), 1234567, 1234567, 0.5, 0.25, 0.125}};
    const std::string csv = curveCsv(run);
    std::setlocale(LC_ALL, "C");

    QCOMPARE(csv, curveCsv(run));
}

void TestCsv::aMillionRowsInASecond()
{
    RunRecord run;
    for (std::int64_t i = 0; i < 1'000'000; ++i) {
        run.updates.push_back(
            {i, atNanoseconds(i * 1'234'567), GroupId{1}, {NodeId{0}, NodeId{1}}, 64, 1.0 / 3, 2, 0.1, 0});
    }
    QElapsedTimer timer;
    timer.start();

    const std::string csv = updatesCsv(run, k_names);

    qInfo("%lld ms for %zu bytes", static_cast<long long>(timer.elapsed()), csv.size());
    QVERIFY(timer.elapsed() < 20'000); // an order of magnitude, since other work may share the machine
    QCOMPARE(QByteArray::fromStdString(csv).count('\n'), 1'000'001);
}

QTEST_APPLESS_MAIN(TestCsv)
#include "tst_csv.moc"
