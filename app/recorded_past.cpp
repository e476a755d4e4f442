#include "app/recorded_past.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr std::size_t k_marks = 64;

} // namespace

RecordedPast::RecordedPast(std::shared_ptr<const OpenedRun> run) : run_(std::move(run))
{
    Playback playback(run_->recorded.record);
    for (std::size_t i = 0; i < k_marks; ++i) {
        (void)playback.rebuilt(markAt(i));
        marks_.push_back(playback);
    }
}

TimePoint RecordedPast::markAt(std::size_t number) const
{
    return TimePoint{run_->recorded.record.end.time_since_epoch() / static_cast<std::int64_t>(k_marks)
                     * static_cast<std::int64_t>(number)};
}

Frame RecordedPast::at(TimePoint moment)
{
    std::size_t mark = k_marks - 1;
    while (mark > 0 && markAt(mark) > moment) {
        --mark;
    }
    if (!playback_ || moment < reached_ || reached_ < markAt(mark)) {
        playback_.emplace(marks_[mark]);
    }
    reached_ = moment;
    return playback_->at(moment);
}

std::optional<TimePoint> RecordedPast::before(Version version) const
{
    const std::vector<UpdateRecord>& updates = run_->recorded.record.updates;
    if (version <= 0 || updates.empty()) {
        return std::nullopt;
    }
    const std::size_t made = std::min(static_cast<std::size_t>(version), updates.size());
    // Updates of one moment cannot be told apart by looking at a moment.
    const auto same = std::ranges::lower_bound(updates, updates[made - 1].time, {}, &UpdateRecord::time);
    return same == updates.begin() ? TimePoint{} : std::prev(same)->time;
}

} // namespace lab
