#pragma once

#include "widgets/run_history.h"

#include <QByteArray>

#include <vector>

namespace lab {

/// A picture as it goes into a file.
struct ChartImage {
    QString name; ///< `loss.svg`
    QByteArray bytes;
};

/// Loss, idle time, staleness and timeline of a run, each as SVG and as PNG, in the light theme and in fixed sizes,
/// whatever the screen. Equal runs give equal bytes. `title` stands in each picture. Needs a QApplication, on any
/// platform; throws nothing, but a picture that cannot be made has no bytes.
[[nodiscard]] std::vector<ChartImage> drawRunCharts(const RunHistory& history, const QString& title);

} // namespace lab
