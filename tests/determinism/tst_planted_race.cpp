// Races on purpose inside two jobs. Its test passes only where the thread sanitizer says so: the seam that keeps the
// stock TBB library quiet must not keep our own races quiet.

#include "core/engine/executor.h"

#include <atomic>
#include <cstdio>

int main()
{
    lab::Executor executor(3);
    std::atomic<int> arrived = 0;
    int unguarded = 0;
    const auto race = [&] {
        // Relaxed, so that the meeting itself orders nothing.
        arrived.fetch_add(1, std::memory_order_relaxed);
        while (arrived.load(std::memory_order_relaxed) < 2) {}
        return ++unguarded;
    };
    auto one = executor.submit(race);
    auto other = executor.submit(race);
    // Not taken by this thread before both have begun: each is then on a worker of its own.
    while (arrived.load(std::memory_order_relaxed) < 2) {}
    std::printf("%d %d\n", one.take(), other.take());
    return 0;
}
