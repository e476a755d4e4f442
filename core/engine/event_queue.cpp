#include "core/engine/event_queue.h"

#include "core/base/error.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lab {

bool EventQueue::isLater(const Key& a, const Key& b)
{
    return std::tie(a.at, a.node, a.order) > std::tie(b.at, b.node, b.order);
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
    heap_.push_back({.at = at, .node = node.value(), .slot = slot, .order = order});
    std::ranges::push_heap(heap_, isLater);
}

Event EventQueue::pop()
{
    LAB_EXPECTS(!heap_.empty());
    std::ranges::pop_heap(heap_, isLater);
    const Key key = heap_.back();
    heap_.pop_back();
    free_slots_.push_back(key.slot);
    return {.at = key.at, .node = NodeId{key.node}, .what = std::move(slots_[key.slot])};
}

} // namespace lab
