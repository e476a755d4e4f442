#include "widgets/span_lane.h"

#include <algorithm>
#include <iterator>

namespace lab {

namespace {

/// How many stretches the room is divided into, at the most: two in a row are longer than one stretch, and with the long
/// spans between them each leaves a span per activity, which makes 16 a stretch; half of the room is theirs.
constexpr std::size_t k_share = 32;

/// Merges what lies within one stretch: a span for each activity, one after the other.
class Stretch {
public:
    explicit Stretch(std::vector<Span>& out) : out_(out) {}

    void add(const Span& span)
    {
        if (members_ == 0) {
            start_ = span.start;
        }
        ++members_;
        first_ = members_ == 1 ? span : first_;
        times_[span.activity] += span.end - span.start;
        end_ = span.end;
    }
    [[nodiscard]] bool isEmpty() const { return members_ == 0; }
    [[nodiscard]] TimePoint start() const { return start_; }

    void close()
    {
        if (members_ == 1) {
            out_.push_back(first_);
        } else if (members_ > 1) {
            TimePoint at = start_;
            for (std::size_t i = 0; i < k_activities; ++i) {
                if (times_.of[i] > Duration{0}) {
                    out_.push_back({first_.node, static_cast<Activity>(i), at, at + times_.of[i]});
                    at += times_.of[i];
                }
            }
        }
        members_ = 0;
        times_ = {};
    }

private:
    std::vector<Span>& out_;
    std::size_t members_ = 0;
    Span first_;
    TimePoint start_;
    TimePoint end_;
    ActivityTimes times_;
};

} // namespace

void SpanLane::add(const Span& span)
{
    // Whether a task was wasted may be known only after later spans have closed, so a few come out of order.
    auto at = spans_.end();
    while (at != spans_.begin() && std::prev(at)->start > span.start) {
        --at;
    }
    spans_.insert(at, span);
    if (spans_.size() > most_) {
        merge();
    }
}

std::span<const Span> SpanLane::spansFrom(TimePoint moment) const
{
    const auto first =
        std::ranges::partition_point(spans_, [&](const Span& span) { return span.end <= moment; });
    return {first, spans_.end()};
}

void SpanLane::merge()
{
    // The newest quarter stays as it is; the rest may keep no more than half of the room.
    const auto newest = spans_.end() - static_cast<std::ptrdiff_t>(most_ / 4);
    const Duration whole = newest->start - spans_.front().start;
    Duration length = whole / static_cast<std::int64_t>(std::max<std::size_t>(1, most_ / k_share));
    length = std::max(length, Duration{1});
    std::vector<Span> merged;
    merged.reserve(most_ + 1);
    Stretch stretch(merged);
    for (auto at = spans_.begin(); at != newest; ++at) {
        if (at->end - at->start >= length) {
            stretch.close();
            merged.push_back(*at);
            continue;
        }
        if (!stretch.isEmpty() && at->end - stretch.start() > length) {
            stretch.close();
        }
        stretch.add(*at);
    }
    stretch.close();
    merged_before_ = newest->start;
    merged.insert(merged.end(), newest, spans_.end());
    spans_ = std::move(merged);
}

} // namespace lab
