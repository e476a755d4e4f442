#pragma once

#include "widgets/loss_curves.h"
#include "widgets/picture.h"
#include "widgets/timeline_picture.h"

#include <optional>

namespace lab {

enum class PictureKind : std::uint8_t { Loss, Idle, Staleness, Throughput, Timeline, Cluster };
inline constexpr PictureKind k_picture_kinds[] = {PictureKind::Loss,      PictureKind::Idle,
                                                  PictureKind::Staleness, PictureKind::Throughput,
                                                  PictureKind::Timeline,  PictureKind::Cluster};

/// What pictures of a run are drawn from. Outlives them.
struct PictureSource {
    const RunHistory& history;
    QString title;  ///< of the run; stands in every picture
    QString model;  ///< what the server trains
    LossState loss; ///< of the loss chart; its `until` counts for nothing
};

/// This kind can be of a stretch of the run: losses, idle time, throughput and timeline can. The other two are of a
/// moment.
[[nodiscard]] bool takesStretch(PictureKind kind);

/// The points of the throughput picture: samples per second at moments of the run, or of a stretch of it.
[[nodiscard]] QList<QPointF> throughputShown(const RunHistory& history,
                                             const std::optional<TimeWindow>& stretch);

/// A picture of the whole run, or of a stretch of its time; of its newest moment where it is of one, but the cluster,
/// which is as the history shows it. Its size is the usual one, which grows with the number of nodes.
[[nodiscard]] Picture pictureOf(PictureKind kind, const PictureSource& source,
                                const std::optional<TimeWindow>& stretch = std::nullopt);

} // namespace lab
