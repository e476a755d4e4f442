#include "widgets/chart_image.h"

#include "widgets/chart_legend.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/staleness_chart.h"
#include "widgets/timeline_picture.h"

#include <QBuffer>
#include <QChart>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QImage>
#include <QLegend>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <functional>

namespace lab {

namespace {

constexpr int k_width = 900;
constexpr double k_head = 40; ///< for the title
constexpr double k_side = 16;
constexpr double k_scale = 2; ///< pixels of a PNG per unit

using Draw = std::function<void(QPainter&, const QRectF&)>;

QFont chartFont()
{
    // A list of families, since an SVG is shown with the fonts of whoever looks at it.
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
                      QStringLiteral("sans-serif")});
    font.setPixelSize(12);
    return font;
}

void drawPage(QPainter& painter, QSize size, const QString& title, const Draw& draw)
{
    const Theme& theme = lightTheme();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(0, 0), size), theme.card);
    painter.setFont(fontFor(TextRole::Title, chartFont()));
    painter.setPen(theme.text);
    painter.drawText(QPointF(k_side, 27), title);
    draw(painter, QRectF(k_side, k_head, size.width() - 2 * k_side, size.height() - k_head - 12));
}

QByteArray svgOf(QSize size, const QString& title, const Draw& draw)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(title);
    QPainter painter;
    if (!painter.begin(&generator)) {
        return {};
    }
    drawPage(painter, size, title, draw);
    painter.end();
    return buffer.data();
}

QByteArray pngOf(QSize size, const QString& title, const Draw& draw)
{
    QImage image(size * k_scale, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(k_scale, k_scale);
    drawPage(painter, size, title, draw);
    painter.end();
    QBuffer buffer;
    return buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "PNG") ? buffer.data() : QByteArray();
}

/// Draws a chart that was made for this picture alone: a shown chart lays itself out too late.
void drawChart(QPainter& painter, const QRectF& area, QGraphicsScene& scene, QChart& chart)
{
    chart.resize(area.size());
    chart.layout()->invalidate();
    chart.layout()->activate();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    scene.setSceneRect(QRectF(QPointF(0, 0), area.size()));
    scene.render(&painter, area, scene.sceneRect(), Qt::IgnoreAspectRatio);
}

void drawLoss(QPainter& painter, const QRectF& area, const RunHistory& history)
{
    constexpr double legend_height = 24;
    QGraphicsScene scene;
    auto* chart = new QChart;
    scene.addItem(chart);
    chart->legend()->hide();
    LinePlot plot(chart);
    plot.setTheme(lightTheme(), chartFont());
    plot.setUnit(QStringLiteral("s"));
    plot.setLogarithmic(true);
    chart->resize(area.width(), area.height() - legend_height);
    const auto curves = lossCurves(history.curve(), {}, lightTheme(), LossChart::tr("training"));
    plot.show(curves, 1e-9);
    drawChart(painter, area.adjusted(0, 0, 0, -legend_height), scene, *chart);
    std::vector<ChartLegend::Entry> entries;
    for (const Curve& curve : curves) {
        entries.push_back(
            {curve.name, {}, curve.colour, curve.dash == Qt::SolidLine ? Qt::SolidLine : Qt::DashLine});
    }
    drawLegend(painter, QRectF(area.left(), area.bottom() - legend_height, area.width(), legend_height),
               entries, lightTheme(), chartFont());
}

void drawStaleness(QPainter& painter, const QRectF& area, const RunHistory& history)
{
    QGraphicsScene scene;
    auto* chart = new QChart;
    scene.addItem(chart);
    StalenessPlot plot(chart);
    plot.setTheme(lightTheme(), chartFont());
    plot.show(history.latest().staleness, history.latest().theory.geometric_staleness);
    drawChart(painter, area, scene, *chart);
}

void drawWholeTimeline(QPainter& painter, const QRectF& area, const RunHistory& history)
{
    const double end = std::max(toSeconds(history.latest().now), 1e-9);
    drawTimeline(
        painter,
        layOutTimeline(partitionOf(history.latest()), area, timelineNamesWidth(history, chartFont())),
        history, flagsOf(history.log(), history), {0, end}, lightTheme(), chartFont());
}

} // namespace

std::vector<ChartImage> drawRunCharts(const RunHistory& history, const QString& title)
{
    struct Picture {
        QString name;
        QString title;
        int height;
        Draw draw;
    };
    const auto nodes = static_cast<int>(std::min<std::size_t>(history.nodeCount(), 200));
    const Picture pictures[] = {
        {QStringLiteral("loss"), LossChart::tr("Loss"), 500,
         [&](QPainter& painter, const QRectF& area) { drawLoss(painter, area, history); }},
        {QStringLiteral("idle"), IdleChart::tr("Idle time"), std::max(160, 60 + 24 * nodes),
         [&](QPainter& painter, const QRectF& area) {
             drawIdle(painter, area, idleBars(history.latest(), history), lightTheme(), chartFont());
         }},
        {QStringLiteral("staleness"), StalenessChart::tr("Staleness"), 400,
         [&](QPainter& painter, const QRectF& area) { drawStaleness(painter, area, history); }},
        {QStringLiteral("timeline"), QCoreApplication::translate("lab::TimelineView", "Timeline"),
         std::max(200, 120 + 29 * nodes),
         [&](QPainter& painter, const QRectF& area) { drawWholeTimeline(painter, area, history); }},
    };
    std::vector<ChartImage> images;
    for (const Picture& picture : pictures) {
        const QSize size(k_width, picture.height);
        const QString full =
            title.isEmpty() ? picture.title : QStringLiteral("%1 · %2").arg(picture.title, title);
        images.push_back({picture.name + QStringLiteral(".svg"), svgOf(size, full, picture.draw)});
        images.push_back({picture.name + QStringLiteral(".png"), pngOf(size, full, picture.draw)});
    }
    return images;
}

} // namespace lab
