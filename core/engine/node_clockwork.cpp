#include "core/engine/node_clockwork.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace lab {

NodeClockwork::NodeClockwork(const ClusterSpec& cluster, NodeId node, std::uint64_t seed, const Trace* trace)
    : cluster_(&cluster),
      trace_(trace),
      node_(node),
      luck_(seed, Purpose::Jitter, static_cast<std::uint64_t>(node.value())),
      own_(cluster.nodes[node.index()].slowdown)
{
}

Duration NodeClockwork::startTask(double work)
{
    LAB_EXPECTS(work > 0);
    const double seconds = trace_ != nullptr
        ? trace_->seconds(node_, tasks_started_) * work
        : (cluster_->overhead_seconds + cluster_->batch_seconds * work) * drawJitter();
    tasks_started_ += 1;
    return taskDuration(seconds, slowdown());
}

void NodeClockwork::slowFor(double factor)
{
    lasting_ = factor;
    passing_ = 1;
}

double NodeClockwork::drawJitter()
{
    Rng rng(luck_, static_cast<std::uint64_t>(tasks_started_));
    const Jitter& jitter = cluster_->jitterOf(cluster_->nodes[node_.index()]);
    switch (jitter.kind) {
    case JitterKind::None:
        return 1;
    case JitterKind::ShiftedExponential:
        return 1 + jitter.scale * rng.exponential();
    case JitterKind::Exponential:
        return rng.exponential();
    case JitterKind::Pareto:
        return std::pow(rng.uniform(), -1 / jitter.shape);
    case JitterKind::Lognormal:
        return std::exp(jitter.sigma * rng.normal());
    case JitterKind::Bimodal:
        return rng.uniform() < jitter.probability ? jitter.factor : 1;
    case JitterKind::Markov: {
        const bool flips = rng.uniform() < (is_in_slow_state_ ? jitter.leave : jitter.enter);
        is_in_slow_state_ = is_in_slow_state_ != flips;
        return is_in_slow_state_ ? jitter.factor : 1;
    }
    }
    LAB_EXPECTS(false && "every jitter kind is handled above");
    return 1;
}

Duration taskDuration(double seconds, double slowdown)
{
    return std::max(fromSeconds(seconds * slowdown), Duration{1});
}

Duration rescaled(Duration left, double slowdown_before, double slowdown_after)
{
    const double nanoseconds = static_cast<double>(left.count()) * (slowdown_after / slowdown_before);
    return fromSeconds(nanoseconds / 1e9);
}

} // namespace lab
