#include "core/engine/event_queue.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_children = 4;

} // namespace

bool EventQueue::isEarlier(const Key& a, const Key& b)
{
    if (a.at != b.at) {
        return a.at < b.at;
    }
    return a.node != b.node ? a.node < b.node : a.order < b.order;
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
        std::size_t earliest = first;
        for (std::size_t child = first + 1; child < std::min(first + k_children, heap_.size()); ++child) {
            earliest = isEarlier(heap_[child], heap_[earliest]) ? child : earliest;
        }
        if (!isEarlier(heap_[earliest], key)) {
            break;
        }
        heap_[place] = heap_[earliest];
        place = earliest;
    }
    heap_[place] = key;
}

void EventQueue::push(TimePoint at, NodeId node, Happening what)
{
    insert(at, node, others_++, std::move(what));
}

void EventQueue::pushChange(TimePoint at, Change change)
{
    const NodeId node = nodeOf(change);
    insert(at, node, changes_++, ChangeDue{std::move(change)});
}

void EventQueue::insert(TimePoint at, NodeId node, std::uint64_t order, Happening what)
{
    std::uint32_t slot = 0;
    if (free_slots_.empty()) {
        slot = static_cast<std::uint32_t>(slots_.size());
        slots_.push_back(std::move(what));
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
        slots_[slot] = std::move(what);
    }
    heap_.emplace_back();
    rise(heap_.size() - 1, {.at = at, .node = node.value(), .slot = slot, .order = order});
}

Event EventQueue::pop()
{
    LAB_EXPECTS(!heap_.empty());
    const Key key = heap_.front();
    const Key last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        sink(last);
        // What comes next is far away where there are many nodes; it can come nearer while this event is handled.
        __builtin_prefetch(&slots_[heap_.front().slot]);
    }
    free_slots_.push_back(key.slot);
    return {.at = key.at, .node = NodeId{key.node}, .what = std::move(slots_[key.slot])};
}

} // namespace lab
