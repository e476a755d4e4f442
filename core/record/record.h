#pragma once

#include "core/base/ids.h"
#include "core/base/partition.h"
#include "core/base/time.h"
#include "core/cluster/change.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// What a node does at a moment (contract, section 1).
enum class Activity : std::uint8_t { Computing, Wasted, Communicating, Waiting, Down };
inline constexpr std::size_t k_activities = 5;

/// The word for it in files and on screen: `computing`, `wasted`, …
[[nodiscard]] const char* activityName(Activity activity);

/// How long a node did what. Sums to the time recorded, exactly.
struct ActivityTimes {
    std::array<Duration, k_activities> of{};

    [[nodiscard]] Duration& operator[](Activity activity) { return of[static_cast<std::size_t>(activity)]; }
    [[nodiscard]] Duration operator[](Activity activity) const
    {
        return of[static_cast<std::size_t>(activity)];
    }
    [[nodiscard]] Duration total() const
    {
        Duration sum{0};
        for (const Duration one : of) {
            sum += one;
        }
        return sum;
    }
    friend bool operator==(const ActivityTimes&, const ActivityTimes&) = default;
};

/// A stretch of a node's time. A computing span covers one task; whether it was wasted is known when its gradient
/// is used or thrown away.
struct Span {
    NodeId node;
    Activity activity = Activity::Waiting;
    TimePoint start;
    TimePoint end;
    /// Waiting: the node whose message, failure or return ended it; invalid: no other node's did.
    NodeId released_by{};
    friend bool operator==(const Span&, const Span&) = default;
};

/// One gradient that was used.
struct UsedGradient {
    NodeId node;
    std::int64_t staleness = 0;
    friend bool operator==(const UsedGradient&, const UsedGradient&) = default;
};

/// One row of updates.csv.
struct UpdateRecord {
    Version update = 0;
    TimePoint time;
    GroupId group;
    std::vector<NodeId> nodes; ///< whose gradients are in it, each once
    std::int64_t samples = 0;
    double staleness_mean = 0;
    std::int64_t staleness_max = 0;
    double weight = 1;
    double decode_error = 0;               ///< 0 where the gradient is exact
    std::vector<UsedGradient> gradients{}; ///< all that are in it, in node order
    friend bool operator==(const UpdateRecord&, const UpdateRecord&) = default;
};

/// Who belongs together from a moment on.
struct GroupingRecord {
    TimePoint time;
    Version update = 0; ///< updates that had been applied by then: two things of one moment have an order
    Partition groups;
    std::vector<int> tolerance; ///< for each group, stragglers that its code rides out
    bool is_measuring = false;  ///< speeds are being measured; the groups stand only until that is done
    friend bool operator==(const GroupingRecord&, const GroupingRecord&) = default;
};

/// How many times as long a node's tasks take from a moment on.
struct SlowdownRecord {
    TimePoint time;
    NodeId node;
    double slowdown = 1;
    friend bool operator==(const SlowdownRecord&, const SlowdownRecord&) = default;
};

/// One row of curve.csv. Not-a-number where there is no such figure.
struct Evaluation {
    TimePoint time;
    Version update = 0;
    std::int64_t samples = 0;
    double train_loss = 0;
    double validation_loss = 0;
    double validation_accuracy = 0; ///< 0 … 1; not-a-number for regression
};

/// Something that happened and that a person would want to read about.
struct LogEntry {
    enum class Kind : std::uint8_t { Slow, Fail, Detected, Recover, Move, Regroup, Switch, Note, Stop };
    static constexpr std::size_t k_kinds = 9;
    TimePoint time;
    Kind kind = Kind::Note;
    NodeId node; ///< invalid where it is about no single node
    std::string text;
    friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

/// The word for it in files: `slow`, `fail`, …
[[nodiscard]] const char* logKindName(LogEntry::Kind kind);

/// Why a run ended. Interrupted: it was not brought to its end, and its record goes as far as it was written.
enum class StopReason : std::uint8_t { Seconds, Updates, Samples, Loss, Diverged, Stalled, Interrupted };
inline constexpr std::size_t k_stop_reasons = 7;
[[nodiscard]] const char* stopReasonName(StopReason reason); ///< as in summary.json

/// Counts of applied gradients by staleness.
class StalenessHistogram {
public:
    void add(std::int64_t staleness);
    [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; } ///< index = staleness
    [[nodiscard]] std::int64_t total() const { return total_; }
    [[nodiscard]] double mean() const { return total_ == 0 ? 0 : sum_ / static_cast<double>(total_); }
    [[nodiscard]] std::int64_t max() const { return max_; }

private:
    std::vector<std::int64_t> counts_;
    std::int64_t total_ = 0;
    std::int64_t max_ = 0;
    double sum_ = 0;
};

} // namespace lab
