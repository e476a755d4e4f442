#pragma once

#include "core/record/frame.h"

#include <QString>

#include <deque>
#include <span>
#include <vector>

namespace lab {

/// What the window knows of a run: every Frame that was polled, joined. Belongs to the GUI thread; views read it when
/// they are told to refresh.
class RunHistory {
public:
    /// A new run of nodes with these names; forgets everything.
    void begin(std::vector<QString> names);
    void append(Frame frame);

    [[nodiscard]] std::size_t nodeCount() const { return names_.size(); }
    /// Requires a valid id of this run.
    [[nodiscard]] const QString& nameOf(NodeId node) const { return names_[node.index()]; }
    /// The newest state; its fresh lists are empty.
    [[nodiscard]] const Frame& latest() const { return latest_; }
    [[nodiscard]] const std::vector<Evaluation>& curve() const { return curve_; }
    [[nodiscard]] const std::vector<LogEntry>& log() const { return log_; }
    /// Closed spans of one node in time order. Spans that may still change are in latest().open.
    [[nodiscard]] std::span<const Span> lane(NodeId node) const { return lanes_[node.index()]; }
    /// Updates per second of the run's clock over its latest stretch.
    [[nodiscard]] double updateRate() const;
    /// Waiting time of all nodes as a share of the time that they were alive.
    [[nodiscard]] double idleShare() const;

private:
    struct Progress {
        TimePoint at;
        Version version;
    };

    std::vector<QString> names_;
    Frame latest_;
    std::vector<Evaluation> curve_;
    std::vector<LogEntry> log_;
    std::vector<std::vector<Span>> lanes_;
    std::deque<Progress> recent_;
};

/// Waiting as a share of the time that a node was alive; 0 before anything happened.
[[nodiscard]] double idleShare(const ActivityTimes& times);

/// The groups of a frame; one group of all where the strategy has not said how it groups them.
[[nodiscard]] Partition partitionOf(const Frame& frame);

/// `A` … `Z`, `AA`, …: how a group is called on screen.
[[nodiscard]] QString groupLetter(GroupId group);

} // namespace lab
