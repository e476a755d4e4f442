#pragma once

#include "core/record/frame.h"
#include "widgets/span_lane.h"

#include <QString>

#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lab {

/// A moment of a run and how far it had come.
struct Progress {
    TimePoint at;
    Version version = 0;
    std::int64_t samples = 0;
};

/// The past of a run that is known whole: at any moment, and to the last update.
struct WholePast {
    std::function<Frame(TimePoint)> at;
    /// The moment of the last update before this version; nothing at the start.
    std::function<std::optional<TimePoint>(Version)> before;
};

/// What the window knows of a run: every Frame that was polled, joined, in bounded room. Belongs to the GUI thread; views
/// read it when they are told to refresh.
///
/// Views show shown(): the newest frame, or the moment of the past that a person looks at. Of the past there are frames
/// at some moments, about every thousandth of the run; what each node did between them is in the lanes.
class RunHistory {
public:
    /// A new run of nodes with these names; forgets everything.
    void begin(std::vector<QString> names);
    void append(Frame frame);
    /// Of this run there is more than was appended: moments of the past are taken from there from now on.
    void setPast(WholePast past) { whole_ = std::move(past); }

    [[nodiscard]] std::size_t nodeCount() const { return names_.size(); }
    /// Requires a valid id of this run.
    [[nodiscard]] const QString& nameOf(NodeId node) const { return names_[node.index()]; }
    /// The newest state; its fresh lists are empty.
    [[nodiscard]] const Frame& latest() const { return latest_; }
    [[nodiscard]] const std::vector<Evaluation>& curve() const { return curve_; }
    [[nodiscard]] const std::vector<LogEntry>& log() const { return log_; }
    /// Evaluations and log entries that have come; of a very long run fewer of them are kept.
    [[nodiscard]] std::size_t evaluationsSeen() const { return evaluations_seen_; }
    [[nodiscard]] std::size_t logSeen() const { return log_seen_; }
    /// Closed spans of one node in time order. Spans that may still change are in latest().open.
    [[nodiscard]] const SpanLane& lane(NodeId node) const { return lanes_[node.index()]; }
    /// Before this moment neighbouring spans may have been merged; the start where nothing was.
    [[nodiscard]] TimePoint mergedBefore() const;
    /// How far the run had come, at moments about equally far apart.
    [[nodiscard]] const std::vector<Progress>& progress() const { return progress_; }
    /// Updates per second of the run's clock over its latest stretch.
    [[nodiscard]] double updateRate() const;
    /// What a node did between two moments.
    [[nodiscard]] ActivityTimes timesWithin(NodeId node, TimePoint from, TimePoint to) const;

    /// Looks at a moment of the past; nothing: at the newest one.
    void view(std::optional<TimePoint> moment);
    [[nodiscard]] bool isLive() const { return !past_; }
    /// The run as it was at a moment up to now; nothing before the first frame.
    [[nodiscard]] std::optional<Frame> at(TimePoint moment) const;
    [[nodiscard]] const Frame& shown() const { return past_ ? *past_ : latest_; }
    /// The moment of the last update before the one shown; nothing at the start.
    [[nodiscard]] std::optional<TimePoint> momentBefore() const;

private:
    [[nodiscard]] Frame frameAt(TimePoint moment) const;
    void keep(const Frame& frame);

    std::vector<QString> names_;
    Frame latest_;
    std::optional<Frame> past_;
    WholePast whole_; ///< empty: what was appended is all there is
    std::vector<Evaluation> curve_;
    std::vector<LogEntry> log_;
    std::size_t evaluations_seen_ = 0;
    std::size_t log_seen_ = 0;
    std::vector<SpanLane> lanes_;
    std::vector<Frame> kept_; ///< without lists, ascending
    Duration kept_every_{0};
    std::vector<Progress> progress_;
    Duration progress_every_{0};
    std::deque<Progress> recent_;
};

/// Waiting as a share of the time that a node was alive; 0 before anything happened.
[[nodiscard]] double idleShare(const ActivityTimes& times);
/// The same of all nodes together.
[[nodiscard]] double idleShare(const Frame& frame);

/// The node whom the others had waited for longest; invalid where nobody waited for anybody.
[[nodiscard]] NodeId mostWaitedFor(const Frame& frame);

/// The groups that a frame shows: one of all where the strategy has not said how it groups them, or is measuring.
[[nodiscard]] Partition partitionOf(const Frame& frame);

/// `A` … `Z`, `AA`, …: how a group is called on screen.
[[nodiscard]] QString groupLetter(GroupId group);

/// The group of that letter, as a person types it; invalid where it is none.
[[nodiscard]] GroupId groupOfLetter(const QString& text);

} // namespace lab
