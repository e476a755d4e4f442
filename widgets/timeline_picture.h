#pragma once

#include "widgets/run_history.h"
#include "widgets/theme.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace lab {

/// The stretch of the run's clock that a timeline shows, in seconds.
struct TimeWindow {
    double from = 0;
    double to = 6;

    [[nodiscard]] double length() const { return to - from; }
    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;
};

/// Where the lanes of a timeline stand.
struct TimelineLayout {
    struct Lane {
        NodeId node;
        QRectF bar;
    };
    struct Head {
        GroupId group;
        QPointF middle;  ///< of its letter: left, and half its height
        double rule = 0; ///< y of the line below its lanes
    };
    QRectF plot; ///< all lanes, without names
    std::vector<Lane> lanes;
    std::vector<Head> heads;
    bool has_names = true; ///< lanes are high enough for the nodes' names
};

/// A flag on the time axis.
struct TimelineFlag {
    TimePoint at;
    QString text;
};

/// Where a flag stands.
struct FlagPlace {
    std::size_t flag = 0; ///< its place in the list
    double x = 0;
    QRectF label; ///< null where it would run into the one before it
};

/// Lanes by group, then by node, in `area`, with the names at its left side.
[[nodiscard]] TimelineLayout layOutTimeline(const Partition& groups, const QRectF& area, double names_width);

/// Room for the nodes' names, left of the lanes: what the longest one needs, within that many letters.
[[nodiscard]] double timelineNamesWidth(const RunHistory& history, const QFont& font, int most_letters = 8);

/// Events of a log that deserve a flag, worded with the nodes' names.
[[nodiscard]] std::vector<TimelineFlag> flagsOf(const std::vector<LogEntry>& log, const RunHistory& history);

/// Draws which look means what, in one row, as many as fit. The same on screen and in files.
void drawActivityLegend(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font);
/// Places the flags that are in view, from left to right.
[[nodiscard]] std::vector<FlagPlace> placeFlags(const QRectF& plot, const std::vector<TimelineFlag>& flags,
                                                TimeWindow window, const QFont& font);

/// Draws lanes, names, axis and flags. The same on screen and in files.
void drawTimeline(QPainter& painter, const TimelineLayout& layout, const RunHistory& history,
                  const std::vector<TimelineFlag>& flags, TimeWindow window, const Theme& theme,
                  const QFont& font);

} // namespace lab
