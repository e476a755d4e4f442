#pragma once

#include "core/base/error.h"
#include "core/cluster/change.h"
#include "core/cluster/node_spec.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/model.h"
#include "core/strategy/strategy.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab {

enum class UpdateWeight {
    Samples, ///< step = learning_rate x samples / (batch x nodes): every sample weighs the same
    Update   ///< every update takes the full learning_rate
};

struct TrainingSpec {
    int batch = 32; ///< samples of one ordinary task
    double learning_rate = 0.1;
    double momentum = 0.0; ///< heavy ball, at the server; 0 … below 1
    UpdateWeight update_weight = UpdateWeight::Samples;

    friend bool operator==(const TrainingSpec&, const TrainingSpec&) = default;
};

/// The run ends at the first condition met.
struct StopSpec {
    std::optional<double> seconds;
    std::optional<std::int64_t> updates;
    std::optional<std::int64_t> samples;
    std::optional<double> loss; ///< training loss at an evaluation

    friend bool operator==(const StopSpec&, const StopSpec&) = default;
};

/// From this moment on another strategy trains the model on. What the nodes have in hand is lost, as in a restart; the
/// momentum starts at nothing.
struct StrategySwitch {
    TimePoint at;
    StrategyChoice strategy;
    Grouping groups;

    friend bool operator==(const StrategySwitch&, const StrategySwitch&) = default;
};

/// Everything that decides a run, as the file holds it (contract, section 3). A plain value.
struct Experiment {
    std::string title;
    std::string notes; ///< Markdown
    std::uint64_t seed = 1;
    DataSpec data;
    ModelSpec model;
    TrainingSpec training;
    StopSpec stop{.seconds = 60.0, .updates = {}, .samples = {}, .loss = {}};
    int evaluate_every_updates = 10;
    ClusterSpec cluster;
    Grouping groups;
    StrategyChoice strategy;
    std::vector<Intervention> events;     ///< in time order
    std::vector<StrategySwitch> switches; ///< in time order; at one moment before the events
    std::filesystem::path folder; ///< where relative paths start: the file's own folder; not part of the file

    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// The names of its nodes, in node order.
[[nodiscard]] std::vector<std::string> nodeNames(const Experiment& experiment);

/// Everything that is wrong with it, at once; empty where it can run. Ranges, names, references, sums; not the data
/// files, which are opened when the run starts.
[[nodiscard]] std::vector<Problem> validate(const Experiment& experiment);

} // namespace lab
