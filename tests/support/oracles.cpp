#include "tests/support/oracles.h"

#include "core/base/text.h"
#include "tests/support/experiment_fixture.h"

#include <algorithm>
#include <cmath>

namespace lab::test {

Experiment longRun(const std::string& strategy, std::size_t nodes, const Jitter& jitter, std::int64_t updates)
{
    Experiment experiment = smallExperiment(nodes);
    experiment.training.batch = 1; // the schedule does not depend on it
    experiment.training.learning_rate = 1e-3;
    experiment.cluster.batch_seconds = 1;
    experiment.cluster.jitter = jitter;
    experiment.strategy.kind = strategy;
    experiment.stop = {.seconds = {}, .updates = updates, .samples = {}, .loss = {}};
    return experiment;
}

Experiment longRun(const std::string& strategy, const std::vector<double>& slowdowns, const Jitter& jitter,
                   std::int64_t updates)
{
    Experiment experiment = longRun(strategy, slowdowns.size(), jitter, updates);
    for (std::size_t i = 0; i < slowdowns.size(); ++i) {
        experiment.cluster.nodes[i].slowdown = slowdowns[i];
    }
    return experiment;
}

void setGroups(Experiment& experiment, const std::vector<std::vector<std::size_t>>& groups)
{
    experiment.groups.by = Grouping::By::Members;
    experiment.groups.members.clear();
    for (const auto& group : groups) {
        auto& members = experiment.groups.members.emplace_back();
        for (const std::size_t node : group) {
            members.emplace_back(node);
        }
    }
}

Prediction measured(const RunRecord& run)
{
    const double seconds = toSeconds(run.end);
    double waiting = 0;
    double alive = 0;
    for (const NodeFrame& node : run.last.nodes) {
        waiting += toSeconds(node.times[Activity::Waiting]);
        alive += seconds - toSeconds(node.times[Activity::Down]);
    }
    Prediction figures;
    const auto updates = static_cast<double>(run.updates.size());
    figures.round_seconds = seconds / updates;
    figures.updates_per_second = updates / seconds;
    figures.samples_per_second = static_cast<double>(run.last.samples) / seconds;
    figures.idle_fraction = waiting / alive;
    figures.mean_staleness = run.last.staleness.mean();
    return figures;
}

double harmonicSum(std::size_t n)
{
    double sum = 0;
    for (std::size_t j = 1; j <= n; ++j) {
        sum += 1.0 / static_cast<double>(j);
    }
    return sum;
}

std::string disagreement(const char* figure, std::optional<double> value, std::optional<double> expected,
                         double allowed)
{
    const auto say = [](std::optional<double> number) {
        return number ? shortNumber(*number, 12) : "left open";
    };
    const bool agree =
        value.has_value() == expected.has_value() && (!value || std::abs(*value - *expected) <= allowed);
    return agree ? "" : std::string(figure) + " is " + say(value) + " instead of " + say(expected) + "; ";
}

namespace {

struct Figure {
    const char* name;
    std::optional<double> Prediction::*value;
};

constexpr Figure k_figures[] = {{"round_seconds", &Prediction::round_seconds},
                                {"updates_per_second", &Prediction::updates_per_second},
                                {"samples_per_second", &Prediction::samples_per_second},
                                {"idle_fraction", &Prediction::idle_fraction},
                                {"mean_staleness", &Prediction::mean_staleness}};

} // namespace

std::string wrongWith(const Oracle& oracle)
{
    const RunRecord run = test::run(oracle.experiment);
    const Prediction& theory = run.last.theory;
    const Prediction figures = measured(run);
    std::string wrong;
    for (const auto& [name, figure] : k_figures) {
        const double closed = (oracle.closed_form.*figure).value_or(0);
        wrong += disagreement(name, theory.*figure, oracle.closed_form.*figure, 1e-9 * std::max(closed, 1.0));
        if (theory.*figure) {
            // A share or a staleness of nearly nothing has no relative error.
            wrong += disagreement(name, figures.*figure, theory.*figure,
                                  oracle.tolerance * std::max(closed, 0.05));
        }
    }
    return wrong.empty() && theory.basis.empty() ? "no basis" : wrong;
}

} // namespace lab::test
