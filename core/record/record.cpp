#include "core/record/record.h"

#include "core/base/error.h"

#include <algorithm>

namespace lab {

const char* activityName(Activity activity)
{
    static constexpr std::array<const char*, k_activities> names{"computing", "wasted", "communicating",
                                                                 "waiting", "down"};
    return names[static_cast<std::size_t>(activity)];
}

const char* logKindName(LogEntry::Kind kind)
{
    static constexpr std::array<const char*, LogEntry::k_kinds> names{
        "slow", "fail", "detected", "recover", "move", "regroup", "switch", "note", "stop"};
    return names[static_cast<std::size_t>(kind)];
}

const char* stopReasonName(StopReason reason)
{
    static constexpr std::array<const char*, k_stop_reasons> names{
        "seconds", "updates", "samples", "loss", "diverged", "stalled", "interrupted"};
    return names[static_cast<std::size_t>(reason)];
}

void StalenessHistogram::add(std::int64_t staleness)
{
    LAB_EXPECTS(staleness >= 0);
    // One bin per value is exact and cheap: staleness stays near the number of nodes. The last bin gathers what a
    // node that slept through a whole run brings, so that one such gradient cannot ask for gigabytes.
    constexpr std::int64_t k_last_bin = 1 << 16;
    const auto bin = static_cast<std::size_t>(std::min(staleness, k_last_bin));
    if (bin >= counts_.size()) {
        counts_.resize(bin + 1);
    }
    counts_[bin] += 1;
    total_ += 1;
    max_ = std::max(max_, staleness);
    sum_ += static_cast<double>(staleness);
}

} // namespace lab
