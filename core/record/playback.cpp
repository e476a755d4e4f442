#include "core/record/playback.h"

#include "core/record/regrouped.h"

#include <algorithm>
#include <utility>

namespace lab {

Playback::Playback(const RunRecord& run) : run_(run) { toStart(); }

void Playback::toStart()
{
    reached_ = TimePoint{};
    nodes_.assign(run_.last.nodes.size(), {});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const auto of_node = std::ranges::equal_range(run_.spans, NodeId{i}, {}, &Span::node);
        nodes_[i].span = static_cast<std::size_t>(of_node.begin() - run_.spans.begin());
        nodes_[i].spans_end = static_cast<std::size_t>(of_node.end() - run_.spans.begin());
    }
    groups_.clear();
    is_measuring_ = false;
    staleness_ = {};
    samples_ = 0;
    version_ = 0;
    updates_ = groupings_ = slowdowns_ = 0;
}

void Playback::apply(const UpdateRecord& update)
{
    version_ = update.update;
    samples_ += update.samples;
    for (const UsedGradient& gradient : update.gradients) {
        NodeBook& book = nodes_[gradient.node.index()];
        book.gradients += 1;
        book.staleness_sum += gradient.staleness;
        book.staleness_last = gradient.staleness;
        book.staleness_max = std::max(book.staleness_max, gradient.staleness);
        staleness_.add(gradient.staleness);
    }
    if (update.group.isValid() && update.group.index() < groups_.size()) {
        groups_[update.group.index()].updates += 1;
    }
}

void Playback::apply(const GroupingRecord& grouping)
{
    groups_ = regrouped(groups_, grouping);
    for (std::size_t g = 0; g < grouping.groups.size(); ++g) {
        for (const NodeId node : grouping.groups[g]) {
            nodes_[node.index()].group = GroupId{g};
        }
    }
    is_measuring_ = grouping.is_measuring;
}

void Playback::applyUpTo(TimePoint moment)
{
    const auto isDue = [&](const auto& list, std::size_t next) {
        return next < list.size() && list[next].time <= moment;
    };
    while (isDue(run_.updates, updates_) || isDue(run_.groupings, groupings_)) {
        // Of two things of one moment the grouping says which came first.
        const bool is_grouping = isDue(run_.groupings, groupings_)
            && (!isDue(run_.updates, updates_)
                || run_.groupings[groupings_].update < run_.updates[updates_].update);
        if (is_grouping) {
            apply(run_.groupings[groupings_++]);
        } else {
            apply(run_.updates[updates_++]);
        }
    }
    for (; isDue(run_.slowdowns, slowdowns_); ++slowdowns_) {
        nodes_[run_.slowdowns[slowdowns_].node.index()].slowdown = run_.slowdowns[slowdowns_].slowdown;
    }
}

void Playback::endSpans(NodeBook& book, TimePoint moment)
{
    for (; book.span < book.spans_end && run_.spans[book.span].end <= moment; ++book.span) {
        const Span& span = run_.spans[book.span];
        book.times[span.activity] += span.end - span.start;
        if (span.released_by.isValid()) {
            nodes_[span.released_by.index()].cost_others += span.end - span.start;
        }
    }
}

NodeFrame Playback::nodeAt(const NodeBook& book, TimePoint moment) const
{
    NodeFrame node;
    node.cost_others = book.cost_others;
    node.times = book.times;
    node.since = moment;
    if (book.span < book.spans_end && run_.spans[book.span].start <= moment) {
        const Span& span = run_.spans[book.span];
        node.activity = span.activity;
        node.since = span.start;
        node.due = span.end;
        node.times[span.activity] += moment - span.start;
    }
    node.group = book.group;
    node.slowdown = book.slowdown;
    node.gradients = book.gradients;
    if (book.gradients > 0) {
        node.staleness_mean = static_cast<double>(book.staleness_sum) / static_cast<double>(book.gradients);
    }
    node.staleness_last = book.staleness_last;
    node.staleness_max = book.staleness_max;
    return node;
}

Frame Playback::rebuilt(TimePoint moment)
{
    if (moment < reached_) {
        toStart();
    }
    reached_ = moment;
    applyUpTo(moment);
    Frame frame;
    frame.state = RunState::Paused;
    frame.now = moment;
    frame.version = version_;
    frame.samples = samples_;
    for (NodeBook& book : nodes_) {
        endSpans(book, moment);
    }
    for (const NodeBook& book : nodes_) {
        frame.nodes.push_back(nodeAt(book, moment));
    }
    frame.groups = groups_;
    frame.is_measuring = is_measuring_;
    frame.staleness = staleness_;
    frame.theory = run_.last.theory;
    return frame;
}

Frame Playback::at(TimePoint moment)
{
    return moment >= run_.end ? run_.last : rebuilt(std::max(moment, TimePoint{}));
}

Frame frameAt(const RunRecord& run, TimePoint moment) { return Playback(run).at(moment); }

} // namespace lab
