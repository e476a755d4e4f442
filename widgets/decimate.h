#pragma once

#include <QList>
#include <QPointF>

namespace lab {

/// At most two points per pixel column, the lowest and the highest in it, in their order: what a line through all
/// points would look like. `points` ascend in x. Points that are not finite end a run of points.
/// Returns the runs: draw each as a line of its own.
[[nodiscard]] QList<QList<QPointF>> decimate(const QList<QPointF>& points, double from, double to,
                                             int columns);

} // namespace lab
