#include "core/strategy/configuration.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

/// Of a task that takes one second, without its jitter.
TaskLaw jitterLaw(const Jitter& jitter)
{
    switch (jitter.kind) {
    case JitterKind::None:
        return TaskLaw::constant(1);
    case JitterKind::ShiftedExponential:
        return TaskLaw::shiftedExponential(1, jitter.scale);
    case JitterKind::Exponential:
        return TaskLaw::exponential(1);
    case JitterKind::Pareto:
        return TaskLaw::pareto(1, jitter.shape);
    case JitterKind::Lognormal:
        return TaskLaw::lognormal(1, jitter.sigma);
    case JitterKind::Bimodal:
        return TaskLaw::twoPoint(1, jitter.probability, jitter.factor);
    case JitterKind::Markov:
        return TaskLaw::markov(1, jitter.enter, jitter.leave, jitter.factor);
    }
    LAB_EXPECTS(false && "every jitter kind is handled above");
    return TaskLaw::constant(1);
}

} // namespace

TaskLaw taskLaw(const ClusterSpec& cluster, const NodeSpec& node, double slowdown)
{
    // scaled() multiplies the ordinary second only: the overhead comes afterwards, with its own slowdown in it.
    return jitterLaw(cluster.jitterOf(node))
        .scaled(cluster.batch_seconds * slowdown)
        .withOverhead(cluster.overhead_seconds * slowdown);
}

Prediction predict(const StrategyInfo& strategy, const Configuration& configuration)
{
    if (configuration.laws.empty()) {
        return noPrediction("no node is alive");
    }
    if (std::ranges::any_of(configuration.laws, [](const TaskLaw& law) { return law.mean() <= 0; })) {
        return noPrediction("tasks that take no time have no rates");
    }
    if (!strategy.predict) {
        return noPrediction("nobody has worked it out for this strategy");
    }
    return strategy.predict(strategy, configuration);
}

Prediction noPrediction(std::string why)
{
    Prediction prediction;
    prediction.basis = "none: " + std::move(why);
    return prediction;
}

} // namespace lab
