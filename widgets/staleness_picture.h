#pragma once

#include "widgets/staleness_chart.h"

class QPainter;

namespace lab {

/// Draws the histogram with each bar's share of all gradients, and the law over it, by hand: what StalenessPlot shows on
/// screen, for files.
void drawStaleness(QPainter& painter, const QRectF& area, const StalenessBars& bars, const Theme& theme,
                   const QFont& font);

} // namespace lab
