#pragma once

#include "core/base/ids.h"
#include "core/base/partition.h"
#include "core/base/time.h"

#include <optional>
#include <variant>

namespace lab {

/// A node's tasks take `factor` times as long as its own slowdown says, from now on or for a while.
///
/// Without a duration the factor replaces an earlier one. With a duration it multiplies what is in force, until the
/// duration is over or another Slow comes for the same node.
struct Slow {
    NodeId node;
    double factor = 1.0;
    std::optional<Duration> lasting;
    friend bool operator==(const Slow&, const Slow&) = default;
};

/// A node dies and loses the work in hand; with a duration it comes back by itself.
struct Fail {
    NodeId node;
    std::optional<Duration> lasting;
    friend bool operator==(const Fail&, const Fail&) = default;
};

/// A dead node comes back.
struct Recover {
    NodeId node;
    friend bool operator==(const Recover&, const Recover&) = default;
};

/// A node joins another group at the next round boundary; a group one past the last is a new one.
struct Move {
    NodeId node;
    GroupId group;
    friend bool operator==(const Move&, const Move&) = default;
};

/// Everything that a user, a file or a replay can do to a running cluster.
using Change = std::variant<Slow, Fail, Recover, Move>;

/// A change with the moment it happens at.
struct Intervention {
    TimePoint at;
    Change change;
    friend bool operator==(const Intervention&, const Intervention&) = default;
};

/// The node a change is about.
[[nodiscard]] inline NodeId nodeOf(const Change& change)
{
    return std::visit([](const auto& one) { return one.node; }, change);
}

} // namespace lab
