#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/cluster/change.h"
#include "core/strategy/actor.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace lab {

/// A message reaches the far end of its link.
struct MessageDue {
    ActorId to;
    Message message;
    std::uint32_t life = 0;              ///< of the node at either end when it was sent
    NodeId cause{};                      ///< whose doing it is that it was sent
    std::optional<std::size_t> transfer; ///< the recorder's number for it, where it takes time
};
/// An upload reaches the server's shared link and asks for its turn there.
struct LinkDue {
    MessageDue upload;
};
/// The server has worked through a message.
struct ServiceDue {
    Message message;
    std::uint32_t life = 0; ///< of the server when it took the message
};
/// A node's task is done, unless `ticket` was overtaken by a change of speed.
struct ComputeDue {
    NodeId node;
    std::uint64_t ticket = 0;
};
struct TimerDue {
    ActorId actor;
    std::int64_t tag = 0;
    std::uint32_t life = 0; ///< of the actor's seat when the timer was set
};
struct ChangeDue {
    Change change;
};
/// A temporary slowdown is over, unless `ticket` was overtaken by another.
struct SlowOver {
    NodeId node;
    std::uint64_t ticket = 0;
};
/// A failed node comes back by itself, unless it lives another life already.
struct RecoveryDue {
    NodeId node;
    std::uint32_t life = 0;
};
/// A failure is noticed, unless the node came back before.
struct DetectionDue {
    NodeId node;
    std::uint32_t life = 0;
};

/// Another strategy takes over.
struct SwitchDue {
    std::size_t number = 0; ///< in the order of the setup
};

using Happening = std::variant<MessageDue, LinkDue, ServiceDue, ComputeDue, TimerDue, ChangeDue, SlowOver,
                               RecoveryDue, DetectionDue, SwitchDue>;

struct Event {
    TimePoint at;
    NodeId node; ///< whose event it is; invalid for the server's own
    Happening what;
};

/// What is to happen, earliest first. Ties are settled by node, then by the order of scheduling, except that changes
/// of the cluster come before everything else of their node: whether a change was known from the start or arrived
/// during the run then makes no difference.
class EventQueue {
public:
    void push(TimePoint at, NodeId node, Happening what);
    void pushChange(TimePoint at, Change change);

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    /// When the earliest event is due. Requires that there is one.
    [[nodiscard]] TimePoint nextAt() const { return heap_.front().at; }
    [[nodiscard]] Event pop();

private:
    struct Key {
        TimePoint at;
        std::int32_t node = 0;
        std::uint32_t slot = 0; ///< where the happening is kept
        std::uint64_t order = 0;
    };
    static bool isEarlier(const Key& a, const Key& b);
    void rise(std::size_t place, Key key);
    void sink(Key key);
    void insert(TimePoint at, NodeId node, std::uint64_t order, Happening what);

    std::vector<Key> heap_; ///< the children of place i stand at 4 i + 1 … 4 i + 4, none earlier than it
    std::vector<Happening> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::uint64_t changes_ = 0;
    std::uint64_t others_ = std::uint64_t{1} << 63;
};

} // namespace lab
