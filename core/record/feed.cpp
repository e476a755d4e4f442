#include "core/record/feed.h"

#include <iterator>
#include <utility>

namespace lab {
namespace {

/// The older entries first, then the newer; leaves the result in `newer`.
template <class T> void putBefore(std::vector<T>&& older, std::vector<T>& newer)
{
    if (older.empty()) {
        return;
    }
    older.insert(older.end(), std::make_move_iterator(newer.begin()), std::make_move_iterator(newer.end()));
    newer = std::move(older);
}

} // namespace

void Feed::publish(Frame&& frame)
{
    const std::scoped_lock lock(mutex_);
    putBefore(std::move(frame_.evaluations), frame.evaluations);
    putBefore(std::move(frame_.updates), frame.updates);
    putBefore(std::move(frame_.spans), frame.spans);
    putBefore(std::move(frame_.log), frame.log);
    putBefore(std::move(frame_.groupings), frame.groupings);
    putBefore(std::move(frame_.slowdowns), frame.slowdowns);
    frame_ = std::move(frame);
}

Frame Feed::take()
{
    const std::scoped_lock lock(mutex_);
    // The lists go out by a move: they may be long, and the engine waits meanwhile. The state stays for the next look.
    auto evaluations = std::exchange(frame_.evaluations, {});
    auto updates = std::exchange(frame_.updates, {});
    auto spans = std::exchange(frame_.spans, {});
    auto log = std::exchange(frame_.log, {});
    auto groupings = std::exchange(frame_.groupings, {});
    auto slowdowns = std::exchange(frame_.slowdowns, {});
    Frame taken = frame_;
    taken.evaluations = std::move(evaluations);
    taken.updates = std::move(updates);
    taken.spans = std::move(spans);
    taken.log = std::move(log);
    taken.groupings = std::move(groupings);
    taken.slowdowns = std::move(slowdowns);
    return taken;
}

} // namespace lab
