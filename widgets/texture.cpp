#include "widgets/texture.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_spacing = 8.5; ///< of one line from the next, along the x axis

/// A line pen that does not spill far over the edges of a narrow slice.
QPen linePen(const ActivityLook& look)
{
    const double width = look.texture == Texture::Hatch ? 2.4
        : look.texture == Texture::BackHatch            ? 1.6
                                                        : 1.0;
    return {look.ink, width, Qt::SolidLine, Qt::FlatCap};
}

void drawLines(QPainter& painter, const QList<QRectF>& areas, const ActivityLook& look)
{
    if (look.texture == Texture::Solid) {
        return;
    }
    QList<QLineF> lines;
    for (const QRectF& area : areas) {
        if (look.texture != Texture::BackHatch) {
            lines << hatchLines(area, k_spacing, true);
        }
        if (look.texture != Texture::Hatch) {
            lines << hatchLines(area, k_spacing, false);
        }
    }
    painter.setPen(linePen(look));
    painter.drawLines(lines);
}

} // namespace

QList<QLineF> hatchLines(const QRectF& area, double spacing, bool rising)
{
    QList<QLineF> lines;
    if (area.isEmpty() || !(spacing > 0)) {
        return lines;
    }
    // Along a rising line x + y is constant, along a falling one x - y; both families are anchored at the origin.
    const double low = rising ? area.left() + area.top() : area.left() - area.bottom();
    const double high = rising ? area.right() + area.bottom() : area.right() - area.top();
    for (double c = std::ceil(low / spacing) * spacing; c < high; c += spacing) {
        if (rising) {
            const double left = std::max(area.left(), c - area.bottom());
            const double right = std::min(area.right(), c - area.top());
            lines.emplaceBack(left, c - left, right, c - right);
        } else {
            const double left = std::max(area.left(), c + area.top());
            const double right = std::min(area.right(), c + area.bottom());
            lines.emplaceBack(left, left - c, right, right - c);
        }
    }
    return lines;
}

void fillRects(QPainter& painter, const QList<QRectF>& areas, const QColor& colour)
{
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        for (const QRectF& area : areas) {
            painter.fillRect(area, colour);
        }
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(areas);
}

void fillActivity(QPainter& painter, const QList<QRectF>& areas, const ActivityLook& look)
{
    fillRects(painter, areas, look.texture == Texture::Solid ? look.ink : look.ground);
    drawLines(painter, areas, look);
}

void fillActivityRounded(QPainter& painter, const QRectF& area, double radius, const ActivityLook& look)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.texture == Texture::Solid ? look.ink : look.ground);
    const double r = std::min({radius, area.width() / 2, area.height() / 2});
    painter.drawRoundedRect(area, r, r);
    drawLines(painter, {area.adjusted(r / 2, 0, -r / 2, 0)}, look);
    painter.setBrush(Qt::NoBrush);
}

} // namespace lab
