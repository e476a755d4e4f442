#include "core/grouping/task_law.h"

#include "core/base/error.h"
#include "core/grouping/erlang.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {
namespace {

/// P(Z > z) for a standard normal Z.
double normalSurvival(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

/// The z with P(Z <= z) = probability, by halving: nobody asks often enough for more.
double normalQuantile(double probability)
{
    double low = -40;
    double high = 40;
    for (int i = 0; i < 64; ++i) {
        const double middle = (low + high) / 2;
        (normalSurvival(-middle) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace

TaskLaw TaskLaw::constant(double seconds)
{
    const Outcome always{.value = 1, .probability = 1};
    return discrete(seconds, {&always, 1});
}

TaskLaw TaskLaw::exponential(double seconds)
{
    LAB_EXPECTS(seconds >= 0);
    return {Kind::Exponential, seconds};
}

TaskLaw TaskLaw::shiftedExponential(double seconds, double scale)
{
    LAB_EXPECTS(seconds >= 0 && scale >= 0);
    if (scale == 0) {
        return constant(seconds);
    }
    TaskLaw law(Kind::Exponential, seconds);
    law.least_ = 1;
    law.spread_ = scale;
    return law;
}

TaskLaw TaskLaw::pareto(double seconds, double shape)
{
    LAB_EXPECTS(seconds >= 0 && shape > 1);
    TaskLaw law(Kind::Pareto, seconds);
    law.spread_ = shape;
    return law;
}

TaskLaw TaskLaw::lognormal(double seconds, double sigma)
{
    LAB_EXPECTS(seconds >= 0 && sigma >= 0);
    if (sigma == 0) {
        return constant(seconds);
    }
    TaskLaw law(Kind::Lognormal, seconds);
    law.spread_ = sigma;
    return law;
}

TaskLaw TaskLaw::twoPoint(double seconds, double probability, double factor)
{
    LAB_EXPECTS(probability >= 0 && probability <= 1 && factor > 0);
    std::vector<Outcome> outcomes;
    if (probability < 1) {
        outcomes.push_back({.value = 1, .probability = 1 - probability});
    }
    if (probability > 0) {
        outcomes.push_back({.value = factor, .probability = probability});
    }
    return discrete(seconds, outcomes);
}

TaskLaw TaskLaw::markov(double seconds, double enter, double leave, double factor)
{
    LAB_EXPECTS(enter >= 0 && leave >= 0);
    return twoPoint(seconds, enter > 0 ? enter / (enter + leave) : 0, factor);
}

TaskLaw TaskLaw::empirical(std::span<const double> seconds)
{
    std::vector<Outcome> outcomes;
    for (const double value : seconds) {
        outcomes.push_back({.value = value, .probability = 1});
    }
    return discrete(1, outcomes);
}

TaskLaw TaskLaw::discrete(double seconds, std::span<const Outcome> outcomes)
{
    LAB_EXPECTS(seconds >= 0 && !outcomes.empty());
    std::vector<Outcome> sorted(outcomes.begin(), outcomes.end());
    std::ranges::stable_sort(sorted, {}, &Outcome::value);
    LAB_EXPECTS(sorted.front().value >= 0);

    TaskLaw law(Kind::Discrete, seconds);
    double total = 0;
    // From the slow end, so that what is rare keeps its relative accuracy.
    for (auto outcome = sorted.rbegin(); outcome != sorted.rend(); ++outcome) {
        LAB_EXPECTS(outcome->probability > 0);
        if (law.steps_.empty() || law.steps_.back().value != outcome->value) {
            law.steps_.push_back({.value = outcome->value, .beyond = total});
        }
        total += outcome->probability;
    }
    for (Step& step : law.steps_) {
        step.beyond /= total;
    }
    std::ranges::reverse(law.steps_);
    return law;
}

TaskLaw TaskLaw::withOverhead(double seconds) const
{
    LAB_EXPECTS(seconds >= 0);
    TaskLaw law = *this;
    law.overhead_ = seconds;
    law.seconds_ = law.overhead_ + law.ordinary_ * law.work_;
    return law;
}

TaskLaw TaskLaw::forWork(double work) const
{
    LAB_EXPECTS(work > 0);
    TaskLaw law = *this;
    law.work_ = work;
    law.seconds_ = law.overhead_ + law.ordinary_ * work;
    return law;
}

TaskLaw TaskLaw::scaled(double slowdown) const
{
    LAB_EXPECTS(slowdown > 0);
    TaskLaw law = *this;
    law.ordinary_ *= slowdown;
    law.overhead_ *= slowdown;
    law.seconds_ = law.overhead_ + law.ordinary_ * law.work_;
    return law;
}

std::optional<TaskLaw> TaskLaw::inSuccession(std::size_t tasks) const
{
    LAB_EXPECTS(tasks >= 1);
    TaskLaw sum = *this;
    const double count = static_cast<double>(tasks);
    if (tasks == 1) {
        return sum;
    }
    if (kind_ == Kind::Exponential) {
        sum.least_ *= count;
        sum.stages_ *= tasks;
        return sum;
    }
    if (kind_ != Kind::Discrete || steps_.size() > 2) {
        return std::nullopt;
    }
    if (steps_.size() == 1) {
        sum.steps_.front().value *= count;
        return sum;
    }
    const double slow = steps_.front().beyond;
    const double unlikely = 1e-18; // as good as never, and there can be thousands
    std::vector<Outcome> outcomes;
    double log_chance = count * std::log1p(-slow);
    for (std::size_t k = 0; k <= tasks; ++k) {
        const double j = static_cast<double>(k);
        if (const double chance = std::exp(log_chance); chance > unlikely) {
            outcomes.push_back({.value = (count - j) * steps_.front().value + j * steps_.back().value,
                                .probability = chance});
        }
        log_chance += std::log((count - j) / (j + 1)) + std::log(slow) - std::log1p(-slow);
    }
    sum.steps_ = discrete(1, outcomes).steps_;
    return sum;
}

bool TaskLaw::isMemoryless() const { return kind_ == Kind::Exponential && least_ == 0 && stages_ == 1; }

double TaskLaw::least() const
{
    const std::vector<double> starts = corners();
    return starts.empty() ? 0 : starts.front();
}

double TaskLaw::most() const
{
    return isDiscrete() ? seconds_ * steps_.back().value : std::numeric_limits<double>::infinity();
}

double TaskLaw::mean() const
{
    switch (kind_) {
    case Kind::Discrete: {
        // E[X] = integral of P(X > x): a staircase.
        double mean = steps_.front().value;
        for (std::size_t i = 1; i < steps_.size(); ++i) {
            mean += (steps_[i].value - steps_[i - 1].value) * steps_[i - 1].beyond;
        }
        return seconds_ * mean;
    }
    case Kind::Exponential:
        return seconds_ * (least_ + spread_ * static_cast<double>(stages_));
    case Kind::Pareto:
        return seconds_ * spread_ / (spread_ - 1);
    case Kind::Lognormal:
        return seconds_ * std::exp(spread_ * spread_ / 2);
    }
    return 0;
}

double TaskLaw::survival(double t) const
{
    if (t < 0) {
        return 1;
    }
    if (seconds_ == 0) {
        return 0;
    }
    const double x = t / seconds_;
    switch (kind_) {
    case Kind::Discrete: {
        const auto above = std::ranges::upper_bound(steps_, x, {}, &Step::value);
        return above == steps_.begin() ? 1 : std::prev(above)->beyond;
    }
    case Kind::Exponential:
        if (x <= least_) {
            return 1;
        }
        return stages_ == 1 ? std::exp(-(x - least_) / spread_)
                            : erlangSurvival(stages_, (x - least_) / spread_);
    case Kind::Pareto:
        return x <= 1 ? 1 : std::pow(x, -spread_);
    case Kind::Lognormal:
        return x <= 0 ? 1 : normalSurvival(std::log(x) / spread_);
    }
    return 0;
}

double TaskLaw::quantile(double probability) const
{
    LAB_EXPECTS(probability > 0 && probability < 1);
    switch (kind_) {
    case Kind::Discrete: {
        constexpr double k_whisker = 1e-12; // half of 0.1 + 0.1 … is half, whatever its last bit says
        for (const Step& step : steps_) {
            if (step.beyond <= 1 - probability + k_whisker) {
                return seconds_ * step.value;
            }
        }
        return seconds_ * steps_.back().value;
    }
    case Kind::Exponential:
        if (stages_ == 1) {
            return seconds_ * (least_ - spread_ * std::log1p(-probability));
        }
        return seconds_ * (least_ + spread_ * erlangQuantile(stages_, probability));
    case Kind::Pareto:
        return seconds_ * std::pow(1 - probability, -1 / spread_);
    case Kind::Lognormal:
        return seconds_ * std::exp(spread_ * normalQuantile(probability));
    }
    return 0;
}

std::vector<double> TaskLaw::corners() const
{
    std::vector<double> corners;
    switch (kind_) {
    case Kind::Discrete:
        for (const Step& step : steps_) {
            corners.push_back(seconds_ * step.value);
        }
        break;
    case Kind::Exponential:
        corners.push_back(seconds_ * least_);
        break;
    case Kind::Pareto:
        corners.push_back(seconds_);
        break;
    case Kind::Lognormal:
        break;
    }
    return corners;
}

} // namespace lab
