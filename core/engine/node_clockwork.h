#pragma once

#include "core/base/ids.h"
#include "core/base/rng.h"
#include "core/base/time.h"
#include "core/cluster/node_spec.h"
#include "core/engine/trace.h"

#include <cstdint>

namespace lab {

/// How long one node takes for its tasks (contract, section 2).
///
/// Task number k = 0, 1, 2 … of a node takes the same draw under every strategy: jitter is a pure function of
/// (seed, node, k), so that comparisons share their luck.
class NodeClockwork {
public:
    /// `trace` may be null; else it has the node. Both outlive this.
    NodeClockwork(const ClusterSpec& cluster, NodeId node, std::uint64_t seed, const Trace* trace);

    /// The time that the next task of `work` ordinary batches takes if the slowdown stays as it is.
    [[nodiscard]] Duration startTask(double work);

    /// How many times as long as a node with slowdown 1 it takes now.
    [[nodiscard]] double slowdown() const { return own_ * lasting_ * passing_; }
    /// A factor that stays; ends one that passes.
    void slowFor(double factor);
    /// A factor on top of what stays, until endPassing(); replaces an earlier one.
    void slowForAWhile(double factor) { passing_ = factor; }
    void endPassing() { passing_ = 1; }

private:
    [[nodiscard]] double drawJitter();

    const ClusterSpec* cluster_;
    const Trace* trace_;
    NodeId node_;
    Rng::Steps luck_;
    double own_;         ///< as the experiment says
    double lasting_ = 1; ///< of a Slow without an end
    double passing_ = 1; ///< of a Slow with an end
    std::int64_t tasks_started_ = 0;
    bool is_in_slow_state_ = false; ///< markov jitter
};

/// A task of `seconds` at slowdown 1. Never nothing at all: a task without length would let an asynchronous node run for
/// ever at one moment.
[[nodiscard]] Duration taskDuration(double seconds, double slowdown);

/// `left` of a task's time, when its node goes from one slowdown to another.
[[nodiscard]] Duration rescaled(Duration left, double slowdown_before, double slowdown_after);

} // namespace lab
