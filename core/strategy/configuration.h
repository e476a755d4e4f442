#pragma once

#include "core/cluster/node_spec.h"
#include "core/grouping/task_law.h"
#include "core/strategy/prediction.h"
#include "core/strategy/strategy.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lab {

/// A cluster at one moment and what runs on it, as theory needs it: nobody fails, and nothing changes any more.
struct Configuration {
    std::vector<TaskLaw> laws;                    ///< [live nodes] seconds of one ordinary task
    std::vector<std::vector<std::size_t>> groups; ///< places in `laws`; each node in one, none empty
    std::vector<int> tolerance;                   ///< [groups] that was asked for
    std::size_t nodes = 0;             ///< of the file, also those that are down: what `auto` counts
    int batch = 32;                    ///< samples of one ordinary task
    double message_seconds = 0;        ///< a message takes, each way
    double server_seconds = 0;         ///< the server's time for each message
    bool shares_link = false;          ///< all messages take turns on the server's link
    bool is_preemptive = true;         ///< cancelled work stops at once
    bool tasks_are_independent = true; ///< of the same node's earlier ones: false with a Markov chain
    std::uint64_t seed = 0;            ///< for codes
    StrategyChoice choice;

    /// Messages may have to wait in line.
    [[nodiscard]] bool hasQueue() const { return server_seconds > 0 || shares_link; }
};

/// The law of a node's ordinary task at a slowdown in force (contract, section 2). A Markov chain counts by its share
/// of slow tasks in the long run.
[[nodiscard]] TaskLaw taskLaw(const ClusterSpec& cluster, const NodeSpec& node, double slowdown);

/// What theory says of the strategy in this configuration.
[[nodiscard]] Prediction predict(const StrategyInfo& strategy, const Configuration& configuration);

/// No figures, and why.
[[nodiscard]] Prediction noPrediction(std::string why);

} // namespace lab
