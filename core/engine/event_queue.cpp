#include "core/engine/event_queue.h"

#include "core/base/error.h"

#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_children = 4;

} // namespace

bool EventQueue::isEarlier(const Key& a, const Key& b)
{
    // As one number of 128 bits, without branches: which of two events is earlier is a toss-up, and a branch would be
    // guessed wrong half the time.
    __extension__ using Wide = __int128;
    const auto wide = [](const Key& key) {
        return static_cast<Wide>(key.at.time_since_epoch().count()) << 64 | key.rank;
    };
    return wide(a) < wide(b);
}

/// The earliest of the children from `first` on.
std::size_t EventQueue::earliestOf(std::size_t first) const
{
    if (first + k_children <= heap_.size()) {
        const std::size_t left = first + (isEarlier(heap_[first + 1], heap_[first]) ? 1 : 0);
        const std::size_t right = first + 2 + (isEarlier(heap_[first + 3], heap_[first + 2]) ? 1 : 0);
        return isEarlier(heap_[right], heap_[left]) ? right : left;
    }
    std::size_t earliest = first;
    for (std::size_t child = first + 1; child < heap_.size(); ++child) {
        earliest = isEarlier(heap_[child], heap_[earliest]) ? child : earliest;
    }
    return earliest;
}

// Four children for each place instead of two: half as many levels, and those of one place lie side by side in memory,
// which counts once there are more events than the caches hold.

/// Puts the key where it belongs between the free `place` and the top.
void EventQueue::rise(std::size_t place, Key key)
{
    while (place > 0) {
        const std::size_t parent = (place - 1) / k_children;
        if (!isEarlier(key, heap_[parent])) {
            break;
        }
        heap_[place] = heap_[parent];
        place = parent;
    }
    heap_[place] = key;
}

/// Puts the key where it belongs, the top being free.
void EventQueue::sink(Key key)
{
    std::size_t place = 0;
    for (;;) {
        const std::size_t first = k_children * place + 1;
        if (first >= heap_.size()) {
            break;
        }
        const std::size_t earliest = earliestOf(first);
        if (!isEarlier(heap_[earliest], key)) {
            break;
        }
        heap_[place] = heap_[earliest];
        place = earliest;
    }
    heap_[place] = key;
    // What comes next is far away where there are many nodes; it can come nearer while this event is handled.
    const Happening* next = &at(heap_.front().slot);
    __builtin_prefetch(next);
    __builtin_prefetch(reinterpret_cast<const char*>(next + 1) - 1); // where it says what it is
}

void EventQueue::pushChange(TimePoint at, Change change)
{
    const NodeId node = lab::nodeOf(change);
    add(at, node, changes_++).emplace<ChangeDue>(std::move(change));
}

std::uint32_t EventQueue::freeSlot()
{
    if (free_slots_.empty()) {
        const auto first = static_cast<std::uint32_t>(blocks_.size() * k_block);
        blocks_.push_back(std::make_unique<Block>());
        for (std::uint32_t i = k_block; i > 0; --i) {
            free_slots_.push_back(first + i - 1);
        }
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
}

Happening& EventQueue::add(TimePoint at, NodeId node, std::uint64_t order)
{
    LAB_EXPECTS((order & ~k_most_events) < k_most_events - 1);
    const auto after_server = static_cast<std::uint64_t>(node.value() + 1);
    const Key key{.at = at, .rank = after_server << k_node_shift | order, .slot = freeSlot()};
    if (std::exchange(is_top_free_, false)) {
        sink(key);
    } else {
        heap_.emplace_back();
        rise(heap_.size() - 1, key);
    }
    return this->at(key.slot);
}

// What an event brings about takes its place at the top and sinks from there, often not far: half the work of closing
// the gap and letting the new one rise from the bottom.

EventQueue::Key EventQueue::begin()
{
    LAB_EXPECTS(!heap_.empty() && !is_top_free_);
    is_top_free_ = true;
    return heap_.front();
}

void EventQueue::end(const Key& key)
{
    at(key.slot).emplace<ComputeDue>(); // lets go of what a message held
    free_slots_.push_back(key.slot);
    if (std::exchange(is_top_free_, false)) {
        const Key last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) {
            sink(last);
        }
    }
}

} // namespace lab
