#include "widgets/run_history.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr std::size_t k_recent = 60; ///< frames that the update rate is measured over: about two seconds
constexpr std::size_t k_most_kept = 1024;
constexpr std::size_t k_kept_nodes = 60'000; ///< in all frames that are kept, about 150 bytes each
constexpr std::size_t k_most_progress = 4096;
constexpr std::size_t k_most_evaluations = 4'000; ///< more than a chart has pixels, few enough to draw often
constexpr std::size_t k_most_log = 10'000;
constexpr std::size_t k_room_for_spans = 1'200'000; ///< of all lanes together, 32 bytes each
constexpr std::size_t k_least_room = 400;           ///< of one lane
constexpr std::size_t k_most_room = 20'000;

double share(Duration part, Duration whole)
{
    return whole.count() > 0 ? static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 0;
}

/// Every second entry goes; the last one stays.
template <class T> void thin(std::vector<T>& list)
{
    std::size_t kept = 0;
    for (std::size_t i = (list.size() + 1) % 2; i < list.size(); i += 2) {
        if (i != kept) {
            list[kept] = std::move(list[i]);
        }
        ++kept;
    }
    list.resize(kept);
}

} // namespace

void RunHistory::begin(std::vector<QString> names)
{
    *this = {};
    names_ = std::move(names);
    const std::size_t room = names_.empty() ? k_most_room : k_room_for_spans / names_.size();
    lanes_.assign(names_.size(), SpanLane(std::clamp(room, k_least_room, k_most_room)));
}

void RunHistory::append(Frame frame)
{
    evaluations_seen_ += frame.evaluations.size();
    log_seen_ += frame.log.size();
    std::ranges::move(frame.evaluations, std::back_inserter(curve_));
    std::ranges::move(frame.log, std::back_inserter(log_));
    for (const Span& span : frame.spans) {
        lanes_[span.node.index()].add(span);
    }
    if (curve_.size() > k_most_evaluations) {
        thin(curve_);
    }
    if (log_.size() > k_most_log) {
        log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(k_most_log / 10));
    }
    frame.clearFresh();
    latest_ = std::move(frame);
    const Progress now{latest_.now, latest_.version, latest_.samples};
    recent_.push_back(now);
    if (recent_.size() > k_recent) {
        recent_.pop_front();
    }
    if (progress_.empty() || now.at >= progress_.back().at + std::max(progress_every_, Duration{1})) {
        progress_.push_back(now);
        if (progress_.size() > k_most_progress) {
            thin(progress_);
            progress_every_ = now.at.time_since_epoch() / static_cast<std::int64_t>(k_most_progress / 2);
        }
    }
    keep(latest_);
}

void RunHistory::keep(const Frame& frame)
{
    if (!kept_.empty() && frame.now < kept_.back().now + std::max(kept_every_, Duration{1})) {
        return;
    }
    kept_.push_back(frame);
    kept_.back().open.clear();
    const auto most =
        std::clamp<std::size_t>(k_kept_nodes / std::max<std::size_t>(1, names_.size()), 64, k_most_kept);
    if (kept_.size() > most) {
        const Frame first = kept_.front();
        thin(kept_);
        kept_.front() = first; // the past begins at the start
        kept_every_ = frame.now.time_since_epoch() / static_cast<std::int64_t>(most / 2);
    }
}

TimePoint RunHistory::mergedBefore() const
{
    TimePoint before;
    for (const SpanLane& lane : lanes_) {
        before = std::max(before, lane.mergedBefore());
    }
    return before;
}

double RunHistory::updateRate() const
{
    if (recent_.size() < 2 || recent_.back().at <= recent_.front().at) {
        return 0;
    }
    return static_cast<double>(recent_.back().version - recent_.front().version)
        / toSeconds(recent_.back().at - recent_.front().at);
}

ActivityTimes RunHistory::timesWithin(NodeId node, TimePoint from, TimePoint to) const
{
    ActivityTimes times;
    const auto add = [&](const Span& span) {
        const Duration part = std::min(span.end, to) - std::max(span.start, from);
        times[span.activity] += std::max(part, Duration{0});
    };
    for (const Span& span : lanes_[node.index()].spansFrom(from)) {
        if (span.start >= to) {
            break;
        }
        add(span);
    }
    for (const Span& span : latest_.open) {
        if (span.node == node) {
            add(span);
        }
    }
    return times;
}

void RunHistory::view(std::optional<TimePoint> moment) { past_ = moment ? at(*moment) : std::nullopt; }

std::optional<Frame> RunHistory::at(TimePoint moment) const
{
    if (kept_.empty()) {
        return std::nullopt;
    }
    const TimePoint inside = std::clamp(moment, TimePoint{}, latest_.now);
    return whole_.at ? whole_.at(inside) : frameAt(inside);
}

Frame RunHistory::frameAt(TimePoint moment) const
{
    auto after = std::ranges::upper_bound(kept_, moment, {}, &Frame::now);
    Frame frame = after == kept_.begin() ? kept_.front() : *std::prev(after);
    const TimePoint known = frame.now;
    frame.now = moment;
    // Where messages were between two kept frames is not known.
    std::erase_if(frame.transfers, [&](const TransferFrame& one) { return one.end < moment; });
    for (std::size_t i = 0; i < frame.nodes.size(); ++i) {
        NodeFrame& node = frame.nodes[i];
        const ActivityTimes since = timesWithin(NodeId{i}, known, moment);
        for (std::size_t a = 0; a < k_activities; ++a) {
            node.times.of[a] += since.of[a];
        }
        const auto show = [&](const Span& span) {
            if (span.start <= moment && moment < span.end) {
                node.activity = span.activity;
                node.since = span.start;
                node.due = span.end;
            }
        };
        const auto closed = lanes_[i].spansFrom(moment);
        if (!closed.empty()) {
            show(closed.front());
        }
        for (const Span& span : latest_.open) {
            if (span.node == NodeId{i}) {
                show(span);
            }
        }
    }
    const auto at = std::ranges::upper_bound(progress_, moment, {}, &Progress::at);
    if (at != progress_.begin()) {
        frame.version = std::max(frame.version, std::prev(at)->version);
        frame.samples = std::max(frame.samples, std::prev(at)->samples);
    }
    return frame;
}

std::optional<TimePoint> RunHistory::momentBefore() const
{
    const Version version = shown().version;
    if (whole_.before) {
        return whole_.before(version);
    }
    const auto at = std::ranges::lower_bound(progress_, version, {}, &Progress::version);
    return at == progress_.begin() ? std::nullopt : std::optional<TimePoint>(std::prev(at)->at);
}

double idleShare(const ActivityTimes& times)
{
    return share(times[Activity::Waiting], times.total() - times[Activity::Down]);
}

double idleShare(const Frame& frame)
{
    Duration waiting{0};
    Duration alive{0};
    for (const NodeFrame& node : frame.nodes) {
        waiting += node.times[Activity::Waiting];
        alive += node.times.total() - node.times[Activity::Down];
    }
    return share(waiting, alive);
}

NodeId mostWaitedFor(const Frame& frame)
{
    const auto most = std::ranges::max_element(frame.nodes, {}, &NodeFrame::cost_others);
    return most == frame.nodes.end() || most->cost_others == Duration{0}
        ? NodeId{}
        : NodeId{static_cast<std::size_t>(most - frame.nodes.begin())};
}

Partition partitionOf(const Frame& frame)
{
    Partition groups;
    if (!frame.is_measuring) {
        for (const GroupFrame& group : frame.groups) {
            groups.push_back(group.members);
        }
    }
    if (groups.empty() && !frame.nodes.empty()) {
        groups.emplace_back();
        for (std::size_t i = 0; i < frame.nodes.size(); ++i) {
            groups[0].push_back(NodeId{i});
        }
    }
    return groups;
}

QString groupLetter(GroupId group) { return QString::fromStdString(letterOf(group)); }

GroupId groupOfLetter(const QString& text)
{
    int value = 0;
    const QString letters = text.trimmed().toUpper();
    if (letters.isEmpty() || letters.size() > 3) {
        return {};
    }
    for (const QChar letter : letters) {
        if (letter < QChar(u'A') || letter > QChar(u'Z')) {
            return {};
        }
        value = value * 26 + (letter.unicode() - u'A' + 1);
    }
    return GroupId{value - 1};
}

} // namespace lab
