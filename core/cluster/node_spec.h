#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab {

enum class JitterKind { None, ShiftedExponential, Exponential, Pareto, Lognormal, Bimodal, Markov };

/// The law of the random factor on a task's time; which fields count depends on `kind` (contract, section 2).
struct Jitter {
    JitterKind kind = JitterKind::None;
    double scale = 0.2;        ///< shifted exponential: 1 + scale * Exp(1)
    double shape = 2.5;        ///< Pareto with minimum 1; > 1
    double sigma = 0.3;        ///< lognormal: exp(sigma * N(0, 1))
    double probability = 0.05; ///< bimodal: chance of `factor`
    double factor = 10.0;      ///< bimodal and markov: how many times slower the slow state is
    double enter = 0.02;       ///< markov: chance per task to become slow
    double leave = 0.2;        ///< markov: chance per task to become normal again

    friend bool operator==(const Jitter&, const Jitter&) = default;
};

/// One emulated worker as the experiment describes it.
struct NodeSpec {
    std::string name;
    double slowdown = 1.0;        ///< a task takes this many times as long
    std::optional<Jitter> jitter; ///< instead of the cluster's

    friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

/// What a message costs: `latency + bytes / bandwidth`, each way.
struct Network {
    double latency = 0.0;      ///< seconds
    double bandwidth = 1.25e8; ///< bytes per second
    std::optional<double>
        server_bandwidth; ///< bytes per second, shared first-come-first-served by all transfers

    friend bool operator==(const Network&, const Network&) = default;
};

/// The cluster as the experiment describes it.
struct ClusterSpec {
    double overhead_seconds = 0.0; ///< added to every task that has no trace
    double batch_seconds = 0.1;    ///< seconds for one batch on a node with slowdown 1
    Jitter jitter;
    std::optional<Network> network;
    std::optional<std::string> trace;                      ///< CSV file: node,iteration,seconds
    std::optional<double> failure_detection_seconds = 1.0; ///< nothing: a failure is never noticed
    double server_seconds = 0.0;                           ///< the server's time for each message
    bool preemptive = true;                                ///< cancelled work stops at once
    std::vector<NodeSpec> nodes;

    /// What is in force for one of its nodes.
    [[nodiscard]] const Jitter& jitterOf(const NodeSpec& node) const
    {
        return node.jitter ? *node.jitter : jitter;
    }
    friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
};

} // namespace lab
