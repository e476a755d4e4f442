#include "core/engine/node_clockwork.h"

#include "core/base/error.h"
#include "core/base/rng.h"

#include <algorithm>
#include <cmath>

namespace lab {

NodeClockwork::NodeClockwork(const ClusterSpec& cluster, NodeId node, std::uint64_t seed, const Trace* trace)
    : overhead_seconds_(cluster.overhead_seconds),
      batch_seconds_(cluster.batch_seconds),
      jitter_(cluster.nodes[node.index()].jitter.value_or(cluster.jitter)),
      node_(node),
      seed_(seed),
      trace_(trace),
      own_(cluster.nodes[node.index()].slowdown)
{
}

Duration NodeClockwork::startTask(double work)
{
    LAB_EXPECTS(work > 0);
    const double seconds = trace_ != nullptr ? trace_->seconds(node_, tasks_started_) * work
                                             : (overhead_seconds_ + batch_seconds_ * work) * drawJitter();
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
    Rng rng(seed_, Purpose::Jitter, static_cast<std::uint64_t>(node_.value()),
            static_cast<std::uint64_t>(tasks_started_));
    switch (jitter_.kind) {
    case JitterKind::None:
        return 1;
    case JitterKind::ShiftedExponential:
        return 1 + jitter_.scale * rng.exponential();
    case JitterKind::Exponential:
        return rng.exponential();
    case JitterKind::Pareto:
        return std::pow(rng.uniform(), -1 / jitter_.shape);
    case JitterKind::Lognormal:
        return std::exp(jitter_.sigma * rng.normal());
    case JitterKind::Bimodal:
        return rng.uniform() < jitter_.probability ? jitter_.factor : 1;
    case JitterKind::Markov: {
        const bool flips = rng.uniform() < (is_in_slow_state_ ? jitter_.leave : jitter_.enter);
        is_in_slow_state_ = is_in_slow_state_ != flips;
        return is_in_slow_state_ ? jitter_.factor : 1;
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
