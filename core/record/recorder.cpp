#include "core/record/recorder.h"

#include "core/base/error.h"
#include "core/record/regrouped.h"

#include <algorithm>

namespace lab {

Recorder::Recorder(std::size_t nodes, bool keeps_history) : nodes_(nodes), keeps_history_(keeps_history) {}

void Recorder::keep(const Span& span)
{
    if (keeps_history_) {
        spans_.push_back(span);
    }
}

void Recorder::activity(NodeId node, Activity activity, TimePoint now, TaskId task)
{
    NodeBook& book = nodes_[node.index()];
    if (book.activity == activity && book.task == task) {
        return;
    }
    closeSpan(node, book, now);
    book.activity = activity;
    book.task = task;
    book.since = now;
}

void Recorder::closeSpan(NodeId node, NodeBook& book, TimePoint now)
{
    LAB_EXPECTS(now >= book.since);
    if (now == book.since) {
        return;
    }
    Span span{.node = node, .activity = book.activity, .start = book.since, .end = now};
    book.times[book.activity] += span.end - span.start;
    if (book.activity == Activity::Waiting && cause_ != node && cause_.isValid()) {
        span.released_by = cause_;
        nodes_[cause_.index()].cost_others += span.end - span.start;
    }
    if (book.activity == Activity::Computing) {
        book.held.push_back({.task = book.task, .span = span});
    } else {
        keep(span);
    }
}

void Recorder::settle(NodeId node, TaskId task, bool is_used)
{
    NodeBook& book = nodes_[node.index()];
    std::erase_if(book.held, [&](HeldSpan& held) {
        if (held.task != task) {
            return false;
        }
        settle(book, held, is_used);
        return true;
    });
}

void Recorder::discardHeld()
{
    for (NodeBook& book : nodes_) {
        for (HeldSpan& held : book.held) {
            settle(book, held, false);
        }
        book.held.clear();
    }
}

void Recorder::settle(NodeBook& book, HeldSpan& held, bool is_used)
{
    if (!is_used) {
        const Duration length = held.span.end - held.span.start;
        book.times[Activity::Computing] -= length;
        book.times[Activity::Wasted] += length;
        held.span.activity = Activity::Wasted;
    }
    keep(held.span);
}

void Recorder::applied(const Applied& update, TimePoint now)
{
    LAB_EXPECTS(update.version == version_ + 1);
    UpdateRecord record;
    record.update = update.version;
    record.time = now;
    record.group = update.group;
    record.samples = update.samples;
    record.weight = update.weight;
    record.decode_error = update.decode_error;
    record.gradients.reserve(update.parts.size());
    std::int64_t sum = 0;
    for (const Contribution& part : update.parts) {
        // The version just before this update, minus the version that was read (contract, section 1).
        const std::int64_t staleness = version_ - part.read_version;
        record.staleness_max = std::max(record.staleness_max, staleness);
        sum += staleness;
        staleness_.add(staleness);
        record.gradients.push_back({.node = part.node, .staleness = staleness});
        settle(part.node, part.task, true);

        NodeBook& book = nodes_[part.node.index()];
        book.gradients += 1;
        book.staleness_sum += staleness;
        book.staleness_last = staleness;
        book.staleness_max = std::max(book.staleness_max, staleness);
        if (keeps_history_ && (record.nodes.empty() || record.nodes.back() != part.node)) {
            record.nodes.push_back(part.node);
        }
    }
    record.staleness_mean = static_cast<double>(sum) / static_cast<double>(update.parts.size());
    version_ = update.version;
    samples_ += update.samples;
    if (update.group.isValid() && update.group.index() < groups_.size()) {
        groups_[update.group.index()].updates += 1;
    }
    if (keeps_history_) {
        updates_.push_back(std::move(record));
    }
}

void Recorder::grouped(const Outbox::Grouped& groups, TimePoint now)
{
    GroupingRecord record{.time = now,
                          .update = version_,
                          .groups = groups.groups,
                          .tolerance = groups.tolerance,
                          .is_measuring = groups.is_measuring};
    groups_ = regrouped(groups_, record);
    for (std::size_t g = 0; g < record.groups.size(); ++g) {
        for (const NodeId node : record.groups[g]) {
            nodes_[node.index()].group = GroupId{g};
        }
    }
    is_measuring_ = groups.is_measuring;
    groupings_.push_back(std::move(record));
}

void Recorder::slowdown(NodeId node, double factor, TimePoint now)
{
    nodes_[node.index()].slowdown = factor;
    slowdowns_.push_back({.time = now, .node = node, .slowdown = factor});
}

void Recorder::log(TimePoint now, LogEntry::Kind kind, NodeId node, std::string text)
{
    log_.push_back({.time = now, .kind = kind, .node = node, .text = std::move(text)});
}

std::size_t Recorder::transferBegan(NodeId node, bool up, TimePoint start, TimePoint end)
{
    const TransferFrame transfer{.node = node, .up = up, .start = start, .end = end};
    if (free_transfers_.empty()) {
        transfers_.emplace_back(transfer);
        return transfers_.size() - 1;
    }
    const std::size_t place = free_transfers_.back();
    free_transfers_.pop_back();
    transfers_[place] = transfer;
    return place;
}

void Recorder::transferEnded(std::size_t transfer)
{
    transfers_[transfer].reset();
    free_transfers_.push_back(transfer);
}

Frame Recorder::frame(TimePoint now) const
{
    Frame frame;
    frame.now = now;
    frame.version = version_;
    frame.samples = samples_;
    frame.groups = groups_;
    frame.is_measuring = is_measuring_;
    frame.staleness = staleness_;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const NodeBook& book = nodes_[i];
        NodeFrame node;
        node.activity = book.activity;
        node.group = book.group;
        node.slowdown = book.slowdown;
        node.since = book.since;
        node.times = book.times;
        node.times[book.activity] += now - book.since;
        node.cost_others = book.cost_others;
        node.gradients = book.gradients;
        if (book.gradients > 0) {
            node.staleness_mean =
                static_cast<double>(book.staleness_sum) / static_cast<double>(book.gradients);
        }
        node.staleness_last = book.staleness_last;
        node.staleness_max = book.staleness_max;
        node.task_time = book.task_time;
        frame.nodes.push_back(node);
        for (const HeldSpan& held : book.held) {
            frame.open.push_back(held.span);
        }
        if (now > book.since) {
            frame.open.push_back(
                {.node = NodeId{i}, .activity = book.activity, .start = book.since, .end = now});
        }
    }
    for (const auto& transfer : transfers_) {
        if (transfer) {
            frame.transfers.push_back(*transfer);
        }
    }
    return frame;
}

void Recorder::addFresh(Frame& frame)
{
    const auto copyNew = [](const auto& all, std::size_t& fed, auto& fresh) {
        fresh.insert(fresh.end(), all.begin() + static_cast<std::ptrdiff_t>(fed), all.end());
        fed = all.size();
    };
    copyNew(updates_, fed_.updates, frame.updates);
    copyNew(curve_, fed_.evaluations, frame.evaluations);
    copyNew(spans_, fed_.spans, frame.spans);
    copyNew(log_, fed_.log, frame.log);
    copyNew(groupings_, fed_.groupings, frame.groupings);
    copyNew(slowdowns_, fed_.slowdowns, frame.slowdowns);
}

void Recorder::forgetPassedOn()
{
    const auto forget = [](auto& all, std::size_t& fed, std::size_t keep) {
        const std::size_t gone = fed - std::min(fed, keep);
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(gone));
        fed -= gone;
    };
    forget(updates_, fed_.updates, 0);
    forget(curve_, fed_.evaluations, 1); // the latest one is asked for
    forget(spans_, fed_.spans, 0);
    forget(log_, fed_.log, 0);
    forget(groupings_, fed_.groupings, 0);
    forget(slowdowns_, fed_.slowdowns, 0);
}

void Recorder::close(TimePoint end)
{
    end_ = end;
    causedBy(NodeId{}); // the end of the run releases everybody
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        NodeBook& book = nodes_[i];
        closeSpan(NodeId{i}, book, end);
        book.since = end;
        for (const HeldSpan& held : book.held) {
            keep(held.span);
        }
        book.held.clear();
    }
}

RunRecord Recorder::takeRecord()
{
    RunRecord record;
    record.end = end_;
    record.last = frame(end_);
    record.updates = std::move(updates_);
    record.curve = std::move(curve_);
    record.log = std::move(log_);
    record.groupings = std::move(groupings_);
    record.slowdowns = std::move(slowdowns_);
    record.spans = std::move(spans_);
    std::ranges::sort(record.spans, [](const Span& a, const Span& b) {
        return std::pair(a.node, a.start) < std::pair(b.node, b.start);
    });
    return record;
}

} // namespace lab
