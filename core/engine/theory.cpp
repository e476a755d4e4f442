#include "core/engine/theory.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

/// A chain that flips at every task never forgets where it started: all nodes are slow at the same tasks.
bool neverMixes(const Jitter& jitter)
{
    return jitter.kind == JitterKind::Markov && jitter.enter == 1 && jitter.leave == 1;
}

} // namespace

Theory::Theory(const ClusterSpec& cluster, double message_seconds, Predict predict)
    : cluster_(&cluster),
      message_seconds_(message_seconds),
      predict_(std::move(predict))
{
}

void Theory::changed(std::string why)
{
    now_.reset();
    if (change_.empty()) {
        change_ = std::move(why);
    }
}

void Theory::switched(Predict predict)
{
    changed("the strategy changed during the run");
    predict_ = std::move(predict);
}

void Theory::grouped(TimePoint now)
{
    now_.reset();
    groupings_ += 1;
    grouped_at_ = now;
    if (groupings_ > 2) {
        changed("the groups changed during the run");
    }
}

const Prediction& Theory::now(const std::vector<Node>& nodes, const std::vector<GroupFrame>& groups)
{
    if (!now_) {
        now_ = nodes.size() > k_most_watched
            ? noPrediction("not worked out while a run of so many nodes is watched")
            : make(nodes, groups);
    }
    return *now_;
}

Prediction Theory::ofRun(const std::vector<Node>& nodes, const std::vector<GroupFrame>& groups)
{
    if (!change_.empty()) {
        return noPrediction(change_);
    }
    if (nodes.size() > k_most_nodes) {
        return noPrediction("not worked out for so many nodes");
    }
    Prediction prediction = make(nodes, groups);
    if (groupings_ == 2) {
        prediction.basis += "; for the groups made at " + shortNumber(toSeconds(grouped_at_)) + " s";
    }
    return prediction;
}

Prediction Theory::make(const std::vector<Node>& nodes, const std::vector<GroupFrame>& groups) const
{
    if (!predict_) {
        return {};
    }
    if (cluster_->trace) {
        return noPrediction("task times come from a trace");
    }
    Configuration configuration;
    std::vector<std::optional<std::size_t>> place(nodes.size()); // among the live ones
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].is_up != !nodes[i].is_known_down) {
            return noPrediction("a failure has not been noticed yet");
        }
        if (!nodes[i].is_up) {
            continue;
        }
        const NodeSpec& spec = cluster_->nodes[i];
        const Jitter& jitter = cluster_->jitterOf(spec);
        if (neverMixes(jitter)) {
            return noPrediction("jitter that flips at every task is the same on all nodes");
        }
        place[i] = configuration.laws.size();
        configuration.laws.push_back(taskLaw(*cluster_, spec, nodes[i].slowdown));
        configuration.tasks_are_independent =
            configuration.tasks_are_independent && jitter.kind != JitterKind::Markov;
    }
    for (const GroupFrame& group : groups) {
        std::vector<std::size_t> members;
        for (const NodeId node : group.members) {
            if (place[node.index()]) {
                members.push_back(*place[node.index()]);
            }
        }
        if (!members.empty()) {
            configuration.groups.push_back(std::move(members));
            configuration.tolerance.push_back(group.tolerance);
        }
    }
    configuration.nodes = nodes.size();
    configuration.message_seconds = message_seconds_;
    configuration.server_seconds = cluster_->server_seconds;
    configuration.shares_link = cluster_->network && cluster_->network->server_bandwidth;
    configuration.is_preemptive = cluster_->preemptive;
    return predict_(std::move(configuration));
}

} // namespace lab
