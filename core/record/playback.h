#pragma once

#include "core/record/run_record.h"

#include <cstddef>
#include <vector>

namespace lab {

/// The state of a recorded run at any of its moments: what each node did and had done, who belonged together, which
/// updates were made of which gradients, all in exact integers and as the recorder had it.
///
/// With one difference, which is what is known afterwards: work that was to be thrown away is wasted from its start on,
/// and a node's `due` is when its activity really ended. Messages on their way, the server's utilisation, the latest
/// task's time and figures of a live run are not of any moment but the last.
class Playback {
public:
    /// `run` must outlive this. Its spans are ordered by node, then by start.
    explicit Playback(const RunRecord& run);

    /// The state after everything that happened up to `moment`; from the run's end on its last frame. The fresh lists
    /// are empty. Costs what happened since the moment that was asked for before, where this one is later; else what
    /// happened since the start.
    [[nodiscard]] Frame at(TimePoint moment);
    /// The same, at the end too, made from the lists alone.
    [[nodiscard]] Frame rebuilt(TimePoint moment);

private:
    struct NodeBook {
        std::size_t span = 0; ///< the first that has not ended
        std::size_t spans_end = 0;
        ActivityTimes times; ///< of the spans that have ended
        Duration cost_others{0};
        GroupId group;
        double slowdown = 1;
        std::int64_t gradients = 0;
        std::int64_t staleness_sum = 0;
        std::int64_t staleness_last = 0;
        std::int64_t staleness_max = 0;
    };

    void toStart();
    void apply(const UpdateRecord& update);
    void apply(const GroupingRecord& grouping);
    void applyUpTo(TimePoint moment);
    /// The spans of a node that have ended by then.
    void endSpans(NodeBook& book, TimePoint moment);
    [[nodiscard]] NodeFrame nodeAt(const NodeBook& book, TimePoint moment) const;

    const RunRecord& run_;
    TimePoint reached_;
    std::vector<NodeBook> nodes_;
    std::vector<GroupFrame> groups_;
    bool is_measuring_ = false;
    StalenessHistogram staleness_;
    std::int64_t samples_ = 0;
    Version version_ = 0;
    std::size_t updates_ = 0;
    std::size_t groupings_ = 0;
    std::size_t slowdowns_ = 0;
};

/// Playback::at(), for one moment.
[[nodiscard]] Frame frameAt(const RunRecord& run, TimePoint moment);

} // namespace lab
