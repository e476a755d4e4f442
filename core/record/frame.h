#pragma once

#include "core/record/record.h"
#include "core/strategy/prediction.h"

#include <optional>
#include <string>
#include <vector>

namespace lab {

/// Where a run is in its life.
enum class RunState : std::uint8_t { Ready, Running, Paused, Finished, Failed };

/// One node as it is at the frame's time.
struct NodeFrame {
    Activity activity =
        Activity::Waiting; ///< Computing also while it is not yet known whether the work is used
    GroupId group;
    double slowdown = 1;             ///< in force now
    TimePoint since;                 ///< when this activity began
    std::optional<TimePoint> due;    ///< when what it does now will end, where that is known
    ActivityTimes times;             ///< up to the frame's time, the open activity included
    Duration cost_others{0};         ///< how long others had waited when it released them
    std::int64_t gradients = 0;      ///< that were used
    double staleness_mean = 0;       ///< of those
    std::int64_t staleness_last = 0; ///< of the latest of those
    std::int64_t staleness_max = 0;
    std::optional<Duration> task_time; ///< pure compute time of its latest finished task
};

/// One group as it is at the frame's time.
struct GroupFrame {
    std::vector<NodeId> members;
    int tolerance = 0;        ///< stragglers that its code rides out
    std::int64_t updates = 0; ///< by this group since it was formed
    TimePoint formed;         ///< when updates began to be counted
};

/// A message on its way.
struct TransferFrame {
    NodeId node;
    bool up = false; ///< to the server
    TimePoint start;
    TimePoint end;
};

/// How much of a live run's figures is not the emulated cluster's doing but the machine's that emulates it.
struct LiveFigures {
    double machine_share = 0; ///< of the time that finished tasks took, what was beyond the emulated, 0 … 1
    Duration gradient{0};     ///< what one gradient really takes here: no emulated task can be shorter
    int most_computing = 0;   ///< gradients that were in the works at one moment
    int cores = 0;            ///< that computed them

    friend bool operator==(const LiveFigures&, const LiveFigures&) = default;
};

/// What the window receives at one tick. State is the newest; lists under "fresh" hold what came since the last tick,
/// in time order, each entry delivered exactly once.
struct Frame {
    RunState state = RunState::Ready;
    TimePoint now;
    Version version = 0;
    std::int64_t samples = 0;
    std::vector<NodeFrame> nodes;
    std::vector<GroupFrame> groups;
    bool is_measuring = false; ///< speeds are being measured; the groups stand only until that is done
    std::vector<TransferFrame> transfers;
    std::vector<Span>
        open; ///< spans that may still change: the current ones, and work not yet used or thrown away
    StalenessHistogram staleness;
    double server_utilisation = 0;   ///< busy share of the server so far, 0 … 1
    std::optional<LiveFigures> live; ///< live runs only
    Prediction theory;               ///< of the cluster as it is now; in a run's record: of the whole run
    std::optional<StopReason> stop_reason;
    std::string message; ///< why it failed, or who waits for whom

    // fresh
    std::vector<Evaluation> evaluations;
    std::vector<UpdateRecord> updates;
    std::vector<Span> spans;
    std::vector<LogEntry> log;
    std::vector<GroupingRecord> groupings;
    std::vector<SlowdownRecord> slowdowns;

    /// Leaves the state alone.
    void clearFresh()
    {
        evaluations.clear();
        updates.clear();
        spans.clear();
        log.clear();
        groupings.clear();
        slowdowns.clear();
    }
};

} // namespace lab
