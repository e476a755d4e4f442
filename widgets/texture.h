#pragma once

#include "widgets/theme.h"

#include <QLineF>
#include <QList>
#include <QRectF>

class QPainter;

namespace lab {

/// The parallel lines of a hatch inside `area`, cut off at its edges: `rising` from lower left to upper right.
/// The lines of neighbouring areas continue each other. Plain geometry, so that a hatch looks the same on screen, in
/// PNG and in SVG, where neither clipping nor pattern brushes survive.
[[nodiscard]] QList<QLineF> hatchLines(const QRectF& area, double spacing, bool rising);

/// Fills areas with a colour: one by one where there are pixels, which is quicker, else all at once, since a file grows
/// with every change of colour.
void fillRects(QPainter& painter, const QList<QRectF>& areas, const QColor& colour);

/// The same with an activity's colour and texture.
void fillActivity(QPainter& painter, const QList<QRectF>& areas, const ActivityLook& look);

/// The same with round corners; a texture's lines stay inside the straight part.
void fillActivityRounded(QPainter& painter, const QRectF& area, double radius, const ActivityLook& look);

} // namespace lab
