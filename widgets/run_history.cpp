#include "widgets/run_history.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr std::size_t k_recent = 60; ///< frames that the update rate is measured over: about two seconds

double share(Duration part, Duration whole)
{
    return whole.count() > 0 ? static_cast<double>(part.count()) / static_cast<double>(whole.count()) : 0;
}

} // namespace

void RunHistory::begin(std::vector<QString> names)
{
    *this = {};
    names_ = std::move(names);
    lanes_.resize(names_.size());
}

void RunHistory::append(Frame frame)
{
    std::ranges::move(frame.evaluations, std::back_inserter(curve_));
    std::ranges::move(frame.log, std::back_inserter(log_));
    for (const Span& span : frame.spans) {
        std::vector<Span>& lane = lanes_[span.node.index()];
        // Whether a task was wasted may be known only after later spans have closed, so a few come out of order.
        auto at = lane.end();
        while (at != lane.begin() && std::prev(at)->start > span.start) {
            --at;
        }
        lane.insert(at, span);
    }
    frame.evaluations.clear();
    frame.log.clear();
    frame.spans.clear();
    frame.updates.clear();
    latest_ = std::move(frame);
    recent_.push_back({latest_.now, latest_.version});
    if (recent_.size() > k_recent) {
        recent_.pop_front();
    }
}

double RunHistory::updateRate() const
{
    if (recent_.size() < 2 || recent_.back().at <= recent_.front().at) {
        return 0;
    }
    return static_cast<double>(recent_.back().version - recent_.front().version)
        / toSeconds(recent_.back().at - recent_.front().at);
}

double RunHistory::idleShare() const
{
    Duration waiting{0};
    Duration alive{0};
    for (const NodeFrame& node : latest_.nodes) {
        waiting += node.times[Activity::Waiting];
        alive += node.times.total() - node.times[Activity::Down];
    }
    return share(waiting, alive);
}

double idleShare(const ActivityTimes& times)
{
    return share(times[Activity::Waiting], times.total() - times[Activity::Down]);
}

Partition partitionOf(const Frame& frame)
{
    Partition groups;
    for (const GroupFrame& group : frame.groups) {
        groups.push_back(group.members);
    }
    if (groups.empty() && !frame.nodes.empty()) {
        groups.emplace_back();
        for (std::size_t i = 0; i < frame.nodes.size(); ++i) {
            groups[0].push_back(NodeId{i});
        }
    }
    return groups;
}

QString groupLetter(GroupId group)
{
    QString letters;
    for (int rest = group.value(); rest >= 0; rest = rest / 26 - 1) {
        letters.prepend(QChar(u'A' + rest % 26));
    }
    return letters;
}

} // namespace lab
