#pragma once

#include "core/cluster/change.h"

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace lab {

/// How much a node's card says; more nodes leave less room for each.
enum class CardSize : std::uint8_t { Full, Compact, Dot };

/// Where everything on the canvas stands, in units of one pixel at the usual text size.
struct ClusterLayout {
    CardSize size = CardSize::Full;
    QRectF server;
    std::vector<QRectF> groups; ///< by group; null for a group without nodes
    std::vector<QRectF> nodes;  ///< by node
    QSizeF extent; ///< of all of it; higher than what was available where there are too many nodes
};

/// Height of the line with a group's name; nothing where boxes are too small for one.
[[nodiscard]] double headerHeight(CardSize size);

/// Arranges the server on top and the groups in rows below it, within `available` if that can be done: with the
/// fullest cards that fit, in as few rows of groups as possible. A pure function.
[[nodiscard]] ClusterLayout layOutCluster(const Partition& groups, std::size_t nodes, QSizeF available);

} // namespace lab
