#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/cluster/change.h"
#include "core/strategy/actor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
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

/// Something that is due. `what` is kept by the queue and can be taken from there.
struct Event {
    TimePoint at;
    NodeId node; ///< whose event it is; invalid for the server's own
    Happening& what;
};

/// What is to happen, earliest first. Ties are settled by node, then by the order of scheduling, except that changes
/// of the cluster come before everything else of their node: whether a change was known from the start or arrived
/// during the run then makes no difference.
class EventQueue {
public:
    template <class What> void push(TimePoint at, NodeId node, What&& what)
    {
        add(at, node, k_most_events | others_++)
            .template emplace<std::remove_cvref_t<What>>(std::forward<What>(what));
    }
    void pushChange(TimePoint at, Change change);

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    /// When the earliest event is due. Requires that there is one.
    [[nodiscard]] TimePoint nextAt() const { return heap_.front().at; }
    /// Takes the earliest event off: handle(Event) with one that lives as long as the call. Other events may be pushed
    /// meanwhile; nothing else of the queue may be called. Requires that there is one.
    template <class Handle> void takeNext(Handle handle)
    {
        const Key key = begin();
        handle(Event{.at = key.at, .node = nodeOf(key), .what = at(key.slot)});
        end(key);
    }

private:
    struct Key {
        TimePoint at;
        std::uint64_t rank =
            0; ///< among those at one moment: node + 1, then changes before others, then in order
        std::uint32_t slot = 0; ///< where the happening is kept
    };
    static constexpr int k_node_shift = 43;
    static constexpr std::uint64_t k_most_events = std::uint64_t{1} << (k_node_shift - 1);
    static constexpr std::size_t k_block = 64;
    using Block = std::array<Happening, k_block>;

    static bool isEarlier(const Key& a, const Key& b);
    static NodeId nodeOf(const Key& key)
    {
        return NodeId{static_cast<std::int32_t>(key.rank >> k_node_shift) - 1};
    }
    [[nodiscard]] std::size_t earliestOf(std::size_t first) const;
    [[nodiscard]] Happening& at(std::uint32_t slot) { return (*blocks_[slot / k_block])[slot % k_block]; }
    [[nodiscard]] std::uint32_t freeSlot();
    [[nodiscard]] Happening& add(TimePoint at, NodeId node, std::uint64_t order);
    [[nodiscard]] Key begin();
    void end(const Key& key);
    void rise(std::size_t place, Key key);
    void sink(Key key);

    std::vector<Key> heap_;    ///< the children of place i stand at 4 i + 1 … 4 i + 4, none earlier than it
    bool is_top_free_ = false; ///< an event is being handled, and nothing has taken its place
    std::vector<std::unique_ptr<Block>> blocks_; ///< of slots, which stay where they are
    std::vector<std::uint32_t> free_slots_;
    std::uint64_t changes_ = 0;
    std::uint64_t others_ = 0;
};

} // namespace lab
