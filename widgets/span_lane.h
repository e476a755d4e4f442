#pragma once

#include "core/record/record.h"

#include <span>
#include <vector>

namespace lab {

/// What one node did, span by span, in bounded room.
///
/// Where the spans become too many, those of the older half are merged: within a stretch much shorter than a pixel of the
/// whole run, each activity becomes one span. Sums over whole stretches stay exact; only the order inside one is lost.
class SpanLane {
public:
    /// At most about `most` spans are held, however long the run.
    explicit SpanLane(std::size_t most) : most_(most) {}

    /// Spans come in time order, but for a few that were settled late.
    void add(const Span& span);

    /// In time order, without overlap.
    [[nodiscard]] std::span<const Span> spans() const { return spans_; }
    /// The first span that ends after `moment`.
    [[nodiscard]] std::span<const Span> spansFrom(TimePoint moment) const;
    /// Before this moment spans may have been merged.
    [[nodiscard]] TimePoint mergedBefore() const { return merged_before_; }

private:
    void merge();

    std::size_t most_;
    std::vector<Span> spans_;
    TimePoint merged_before_;
};

} // namespace lab
