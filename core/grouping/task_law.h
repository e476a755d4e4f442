#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lab {

/// A value with its chance.
struct Outcome {
    double value = 0;
    double probability = 0;
};

/// How long a node's task takes, as a law of probability in seconds.
///
/// Contract, section 2: seconds = (overhead + ordinary * work) * X, with X a draw of the node's own. A law is made
/// for one ordinary batch (`seconds` = ordinary, slowdown included); forWork() gives the law of larger tasks. A small
/// value without a clock or a random stream in it.
class TaskLaw {
public:
    /// Always `seconds`.
    [[nodiscard]] static TaskLaw constant(double seconds);
    /// seconds * E, E ~ Exp(1).
    [[nodiscard]] static TaskLaw exponential(double seconds);
    /// seconds * (1 + scale * E). Requires scale >= 0.
    [[nodiscard]] static TaskLaw shiftedExponential(double seconds, double scale);
    /// seconds * Pareto with minimum 1. Requires shape > 1, for there is no mean otherwise.
    [[nodiscard]] static TaskLaw pareto(double seconds, double shape);
    /// seconds * exp(sigma * Z). Requires sigma >= 0.
    [[nodiscard]] static TaskLaw lognormal(double seconds, double sigma);
    /// seconds * factor with that probability, otherwise seconds. Requires factor > 0.
    [[nodiscard]] static TaskLaw twoPoint(double seconds, double probability, double factor);
    /// A Markov chain's share of slow tasks in the long run, enter / (enter + leave), as a two-point law: exact for
    /// the mean of a round, blind to runs of slow tasks (strategies, 4.7).
    [[nodiscard]] static TaskLaw markov(double seconds, double enter, double leave, double factor);
    /// One of the samples, each as likely as the others. Requires one sample at least, all >= 0.
    [[nodiscard]] static TaskLaw empirical(std::span<const double> seconds);
    /// seconds * value with its probability. Requires probabilities > 0; they are scaled to sum 1.
    [[nodiscard]] static TaskLaw discrete(double seconds, std::span<const Outcome> outcomes);

    /// The same with `seconds` more in every task whatever its work, multiplied by the same X. Requires seconds >= 0.
    [[nodiscard]] TaskLaw withOverhead(double seconds) const;
    /// The law of a task of `work` ordinary batches. Requires work > 0.
    [[nodiscard]] TaskLaw forWork(double work) const;
    /// A node `slowdown` times as slow: overhead and work. Requires slowdown > 0.
    [[nodiscard]] TaskLaw scaled(double slowdown) const;
    /// The law of `tasks` such tasks one after another, independent of each other: Erlang's for exponential ones,
    /// binomial for two-point ones. Nothing where the sum has no closed form. Requires tasks >= 1.
    [[nodiscard]] std::optional<TaskLaw> inSuccession(std::size_t tasks) const;

    [[nodiscard]] double mean() const;
    /// P(time <= t).
    [[nodiscard]] double cdf(double t) const { return 1 - survival(t); }
    /// P(time > t), with full relative accuracy where it is small.
    [[nodiscard]] double survival(double t) const;
    /// The least t with cdf(t) >= probability. Requires 0 < probability < 1.
    [[nodiscard]] double quantile(double probability) const;
    [[nodiscard]] double median() const { return quantile(0.5); }

    /// It takes finitely many values.
    [[nodiscard]] bool isDiscrete() const { return kind_ == Kind::Discrete; }
    /// It takes one value only.
    [[nodiscard]] bool isConstant() const { return isDiscrete() && steps_.size() == 1; }
    /// Exponential from zero on: what is left of a running task has the law of a new one.
    [[nodiscard]] bool isMemoryless() const;
    /// No task takes less.
    [[nodiscard]] double least() const;
    /// No task takes more; infinite where there is no bound.
    [[nodiscard]] double most() const;
    /// Where the law jumps or begins, ascending: the places that an integral over it must not step across.
    [[nodiscard]] std::vector<double> corners() const;

    friend bool operator==(const TaskLaw&, const TaskLaw&) = default;

private:
    enum class Kind : std::uint8_t { Discrete, Exponential, Pareto, Lognormal };
    struct Step {
        double value = 0;
        double beyond = 0; ///< P(X > value)
        friend bool operator==(const Step&, const Step&) = default;
    };

    TaskLaw(Kind kind, double seconds) : kind_(kind), ordinary_(seconds), seconds_(seconds) {}

    Kind kind_;
    double ordinary_;         ///< seconds that grow with the work
    double overhead_ = 0;     ///< seconds that do not
    double seconds_;          ///< what X multiplies: overhead_ + ordinary_ * work_
    double work_ = 1;         ///< ordinary batches
    double least_ = 0;        ///< exponential: X = least_ + spread_ * E
    double spread_ = 1;       ///< exponential: see least_; Pareto: shape; lognormal: sigma
    std::size_t stages_ = 1;  ///< exponential: E is the sum of so many
    std::vector<Step> steps_; ///< discrete: ascending, the last with nothing beyond
};

} // namespace lab
