#include "widgets/axis_range.h"
#include "widgets/chart_image.h"
#include "widgets/decimate.h"
#include "widgets/line_plot.h"

#include <QChart>
#include <QImage>
#include <QTest>

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
    void decimationKeepsTheExtremes();
    void gapsStayGaps();
    void lossesThatAreNotFiniteLeaveTheRestVisible();
    void picturesHaveTheirTitleAsTextAndAreRepeatable();
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

void TestCharts::picturesHaveTheirTitleAsTextAndAreRepeatable()
{
    const RunHistory history = shortRun();

    const auto images = drawRunCharts(history, QStringLiteral("Slow & steady"));
    const auto again = drawRunCharts(history, QStringLiteral("Slow & steady"));

    QCOMPARE(images.size(), std::size_t{8});
    for (std::size_t i = 0; i < images.size(); ++i) {
        QVERIFY(!images[i].bytes.isEmpty());
        QCOMPARE(images[i].bytes, again[i].bytes);
        if (images[i].name.endsWith(QStringLiteral(".svg"))) {
            QVERIFY(images[i].bytes.contains("Slow &amp; steady"));
            QVERIFY(images[i].bytes.contains("</svg>"));
        } else {
            QVERIFY(!QImage::fromData(images[i].bytes, "PNG").isNull());
        }
    }
}

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
