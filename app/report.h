#pragma once

#include "core/experiment/summary.h"

#include <QByteArray>

#include <span>

namespace lab {

/// A run on a page that stands by itself, as HTML in UTF-8: its figures with what theory says beside them, pictures,
/// nodes, events, every setting that is not the default, and what made it. No scripts, nothing from elsewhere; light, and
/// printed on A4. `pictures` are SVG files, which become part of the page. Figures are rounded for the eye; the `value` of
/// their `data` elements has every digit.
[[nodiscard]] QByteArray reportHtml(const Experiment& experiment, const RunRecord& run,
                                    const Summary& summary, std::span<const QByteArray> pictures);

} // namespace lab
