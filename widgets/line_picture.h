#pragma once

#include "widgets/line_plot.h"

#include <optional>
#include <vector>

class QPainter;

namespace lab {

/// Axes of a picture of curves.
struct LineAxes {
    QString x_title;
    QString y_title;
    bool is_logarithmic = false; ///< the vertical one
    std::optional<AxisRange> x;  ///< nothing: from 0 to the last point
};

/// Draws curves with their axes by hand, each stretch of a curve as one line: what LinePlot shows on screen, for files.
/// Decimated to two points per unit of width; values that are not finite are gaps with a mark at the upper edge.
void drawCurves(QPainter& painter, const QRectF& area, const std::vector<Curve>& curves, const LineAxes& axes,
                const Theme& theme, const QFont& font);

/// Finite values at or below zero, which a logarithmic axis cannot show.
[[nodiscard]] int notPositive(const std::vector<Curve>& curves);

} // namespace lab
