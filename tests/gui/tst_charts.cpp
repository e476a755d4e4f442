#include "widgets/axis_range.h"
#include "widgets/chart_legend.h"
#include "widgets/decimate.h"
#include "widgets/line_plot.h"
#include "widgets/loss_chart.h"
#include "widgets/smoothing.h"
#include "widgets/staleness_chart.h"

#include <QChart>
#include <QImage>
#include <QLineSeries>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QValueAxis>
#include <QXYSeries>

#include <algorithm>

#include <cmath>
#include <limits>

using namespace lab;

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

RunHistory shortRun()
{
    RunHistory history;
    history.begin({QStringLiteral("n1"), QStringLiteral("n<2>")});
    Frame frame;
    frame.now = atSeconds(3);
    frame.nodes.resize(2);
    frame.groups = {{{NodeId{0}, NodeId{1}}, 0, 3, {}}};
    for (int i = 0; i < 3; ++i) {
        frame.evaluations.push_back({atSeconds(i), i, 64 * i, 2.0 / (i + 1), 2.2 / (i + 1), 0.5});
        frame.spans.push_back({NodeId{0}, Activity::Computing, atSeconds(i), atSeconds(i + 0.8)});
        frame.spans.push_back({NodeId{0}, Activity::Waiting, atSeconds(i + 0.8), atSeconds(i + 1)});
        frame.spans.push_back({NodeId{1}, Activity::Computing, atSeconds(i), atSeconds(i + 1)});
    }
    frame.nodes[0].times[Activity::Computing] = fromSeconds(2.4);
    frame.nodes[0].times[Activity::Waiting] = fromSeconds(0.6);
    frame.nodes[1].times[Activity::Computing] = fromSeconds(3);
    frame.staleness.add(0);
    frame.staleness.add(1);
    history.append(frame);
    return history;
}

} // namespace

class TestCharts final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rangesAreFiniteAndOrdered_data();
    void rangesAreFiniteAndOrdered();
    void everyAxisHasTicks();
    void ticksSayWhatTheyAre();
    void decimationKeepsTheExtremes();
    void gapsStayGaps();
    void lossesThatAreNotFiniteLeaveTheRestVisible();
    void nothingThatIsNotFiniteReachesTheChart_data();
    void nothingThatIsNotFiniteReachesTheChart();
    void aMillionPointsBecomeAtMostTwoPerPixel();
    void aConstantStaysThatConstantWhenSmoothed_data();
    void aConstantStaysThatConstantWhenSmoothed();
    void smoothingStaysWithinItsInput();
    void hidingACurveChangesNoOther();
    void pinnedRunsStayAndCanBeTakenAway();
    void theorysLineStandsOverTheBars();
};

void TestCharts::rangesAreFiniteAndOrdered_data()
{
    QTest::addColumn<double>("one");
    QTest::addColumn<double>("other");
    QTest::newRow("nothing finite") << k_nan << k_infinity;
    QTest::newRow("constant") << 5.0 << 5.0;
    QTest::newRow("zero") << 0.0 << 0.0;
    QTest::newRow("huge") << -1e308 << 1e308;
    QTest::newRow("denormal") << 5e-324 << 1e-320;
    QTest::newRow("reversed") << 3.0 << -2.0;
}

void TestCharts::rangesAreFiniteAndOrdered()
{
    QFETCH(double, one);
    QFETCH(double, other);

    const AxisRange range = safeRange(one, other);

    QVERIFY(std::isfinite(range.from) && std::isfinite(range.to) && std::isfinite(range.to - range.from));
    QVERIFY(range.from < range.to);
    QVERIFY(!linearTicks(range, 5).empty());
}

void TestCharts::everyAxisHasTicks()
{
    for (const AxisRange range : {AxisRange{-0.7, -0.05}, AxisRange{-0.96, -0.02}, AxisRange{-1.3, -0.7},
                                  AxisRange{-8, 3}, AxisRange{0.2, 0.39}, AxisRange{-300, 300}}) {
        const auto ticks = logarithmicTicks(range, 5);

        QVERIFY(ticks.size() >= 2 && ticks.size() <= 12);
    }
}

void TestCharts::ticksSayWhatTheyAre()
{
    const AxisRange ranges[] = {{0, 4000}, {0, 300'000}, {0, 5e6}, {0, 1e-3}, {0.2, 0.25}, {99'000, 101'000}};
    for (const AxisRange range : ranges) {
        for (const double tick : linearTicks(range, 5)) {
            const double said = tickText(tick).toDouble();
            QVERIFY2(std::abs(said - tick) <= 1e-9 * (range.to - range.from), qPrintable(tickText(tick)));
        }
    }
    QCOMPARE(tickText(2000), QStringLiteral("2000"));
    QCOMPARE(tickText(3 * 0.1), QStringLiteral("0.3"));
}

void TestCharts::decimationKeepsTheExtremes()
{
    QList<QPointF> points;
    for (int i = 0; i < 100000; ++i) {
        points.emplaceBack(i, i == 70001 ? 9.0 : i == 70002 ? -9.0 : std::sin(i * 0.01));
    }

    const auto runs = decimate(points, 0, 100000, 300);

    QCOMPARE(runs.size(), 1);
    QVERIFY(runs[0].size() <= 2 * 301);
    QVERIFY(runs[0].contains(QPointF(70001, 9)));
    QVERIFY(runs[0].contains(QPointF(70002, -9)));
    QVERIFY(std::ranges::is_sorted(runs[0], {}, [](const QPointF& p) { return p.x(); }));
}

void TestCharts::gapsStayGaps()
{
    const QList<QPointF> points{{0, 1}, {1, 2}, {2, k_nan}, {3, k_infinity}, {4, 3}, {5, 4}};

    const auto runs = decimate(points, 0, 6, 100);

    QCOMPARE(runs, (QList<QList<QPointF>>{{{0, 1}, {1, 2}}, {{4, 3}, {5, 4}}}));
}

void TestCharts::lossesThatAreNotFiniteLeaveTheRestVisible()
{
    QChart chart;
    LinePlot plot(&chart);
    plot.setLogarithmic(true);
    chart.resize(400, 300);

    plot.show(
        {{QStringLiteral("a"), {{0, 2}, {1, 1}, {2, 0}, {3, -1}, {4, k_nan}, {5, 1e300}, {6, 0.5}}, Qt::red}},
        1);

    QCOMPARE(plot.hiddenPoints(), 2);
}

void TestCharts::nothingThatIsNotFiniteReachesTheChart_data()
{
    QTest::addColumn<QList<double>>("values");
    QTest::newRow("nothing") << QList<double>{};
    QTest::newRow("one point") << QList<double>{3};
    QTest::newRow("constant") << QList<double>{2, 2, 2};
    QTest::newRow("all NaN") << QList<double>{k_nan, k_nan};
    QTest::newRow("infinite") << QList<double>{1, k_infinity, -k_infinity, 2};
    QTest::newRow("huge") << QList<double>{1e308, -1e308, 1};
    QTest::newRow("denormal") << QList<double>{5e-324, 1e-310};
    QTest::newRow("diverges") << QList<double>{2, 1, 1e300, k_nan};
}

void TestCharts::nothingThatIsNotFiniteReachesTheChart()
{
    QFETCH(QList<double>, values);
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    for (const bool is_logarithmic : {false, true}) {
        QChart chart;
        chart.resize(400, 300);
        LinePlot plot(&chart);
        plot.setLogarithmic(is_logarithmic);
        Curve curve{QStringLiteral("a"), {}, Qt::red};
        for (qsizetype i = 0; i < values.size(); ++i) {
            curve.points.emplaceBack(i, values[i]);
        }

        plot.show({curve}, 1);

        for (const QAbstractAxis* axis : chart.axes()) {
            const auto* one = qobject_cast<const QValueAxis*>(axis);
            QVERIFY(std::isfinite(one->min()) && std::isfinite(one->max()) && one->min() < one->max());
        }
        for (const QAbstractSeries* series : chart.series()) {
            for (const QPointF& point : qobject_cast<const QXYSeries*>(series)->points()) {
                QVERIFY(std::isfinite(point.x()) && std::isfinite(point.y()));
            }
        }
        const bool is_broken =
            std::ranges::any_of(values, [](double value) { return !std::isfinite(value); });
        QCOMPARE(plot.brokenCurves(), is_broken ? 1 : 0);
    }
}

void TestCharts::aMillionPointsBecomeAtMostTwoPerPixel()
{
    QChart chart;
    chart.resize(400, 300);
    LinePlot plot(&chart);
    Curve curve{QStringLiteral("a"), {}, Qt::red};
    for (int i = 0; i < 1'000'000; ++i) {
        curve.points.emplaceBack(i, std::sin(i * 0.001));
    }

    plot.show({curve}, 1);

    qsizetype points = 0;
    for (const QAbstractSeries* series : chart.series()) {
        points += qobject_cast<const QXYSeries*>(series)->count();
    }
    QVERIFY2(points <= 2 * 402, qPrintable(QString::number(points)));
}

void TestCharts::aConstantStaysThatConstantWhenSmoothed_data()
{
    QTest::addColumn<double>("value");
    for (const double value : {1e-4, 1e-300, 1e300, 0.0, -3.3, 5e-324}) {
        QTest::addRow("%g", value) << value;
    }
}

void TestCharts::aConstantStaysThatConstantWhenSmoothed()
{
    QFETCH(double, value);
    for (const double weight : {0.0, 0.6, 0.9, 0.99}) {
        QList<QPointF> points;
        for (int i = 0; i < 500; ++i) {
            points.emplaceBack(i, i % 7 == 3 ? k_nan : value);
        }

        const QList<QPointF> out = smoothed(points, weight);

        QCOMPARE(out.size(), points.size());
        for (int i = 0; i < 500; ++i) {
            QVERIFY(i % 7 == 3 ? std::isnan(out[i].y()) : out[i].y() == value);
        }
    }
}

void TestCharts::smoothingStaysWithinItsInput()
{
    QList<QPointF> points;
    for (int i = 0; i < 1000; ++i) {
        points.emplaceBack(i, i % 2 == 0 ? 1e308 : -1e308 + i);
    }
    double low = points.front().y();
    double high = low;

    const QList<QPointF> out = smoothed(points, 0.9);

    for (int i = 0; i < 1000; ++i) {
        low = std::min(low, points[i].y());
        high = std::max(high, points[i].y());
        QVERIFY(out[i].y() >= low && out[i].y() <= high);
    }
}

void TestCharts::hidingACurveChangesNoOther()
{
    const RunHistory history = shortRun();
    LossChart chart;
    chart.resize(460, 300);
    chart.show();
    chart.begin(QStringLiteral("BSP"));
    chart.refresh(history);
    const auto before = chart.legend().entries();

    QTest::mouseClick(&chart.legend(), Qt::LeftButton, {}, chart.legend().placeOf(1).center().toPoint());

    const auto after = chart.legend().entries();
    QVERIFY(after[1].is_hidden && !before[1].is_hidden);
    QCOMPARE(after[0].value, before[0].value);
    QTest::mouseClick(&chart.legend(), Qt::LeftButton, {}, chart.legend().placeOf(1).center().toPoint());
    QVERIFY(chart.legend().entries() == before);
}

void TestCharts::pinnedRunsStayAndCanBeTakenAway()
{
    const RunHistory history = shortRun();
    LossChart chart;
    chart.resize(460, 300);
    chart.show();
    chart.begin(QStringLiteral("BSP"));
    chart.refresh(history);

    chart.setPinned({{QStringLiteral("BSP"), history.curve()}, {QStringLiteral("BSP 2"), history.curve()}});
    chart.begin(QStringLiteral("ASP"));
    chart.refresh(history);

    const auto entries = chart.legend().entries();
    QCOMPARE(entries.size(), std::size_t{4});
    QCOMPARE(entries[2].name, QStringLiteral("BSP"));
    QCOMPARE(entries[3].name, QStringLiteral("BSP 2"));
    QVERIFY(!entries[2].value.isEmpty() && entries[2].can_go);
    const QSignalSpy unpinned(&chart, &LossChart::unpinned);
    chart.legend().setFocus();
    QTest::keyClick(&chart.legend(), Qt::Key_Left); // the last one
    QTest::keyClick(&chart.legend(), Qt::Key_Delete);
    QCOMPARE(unpinned.count(), 1);
    QCOMPARE(unpinned[0][0].toString(), QStringLiteral("BSP 2"));
}

void TestCharts::theorysLineStandsOverTheBars()
{
    QChart chart;
    StalenessPlot plot(&chart);
    StalenessHistogram histogram;
    for (int i = 0; i < 100; ++i) {
        histogram.add(i % 3);
    }

    plot.show(histogram, 0.25);

    // P(k) = p (1 - p)^k of 100 gradients
    QCOMPARE(plot.theoryLine().at(0), QPointF(0, 25));
    QCOMPARE(plot.theoryLine().at(1), QPointF(1, 18.75));
    QVERIFY(plot.theoryLine().isVisible());
    plot.show(histogram);
    QVERIFY(!plot.theoryLine().isVisible());
}

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
