#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <array>

namespace lab {

// The factories, each in its own source file.
StrategyInfo bulkSynchronous();
StrategyInfo asynchronous();
StrategyInfo hybrid();
StrategyInfo hybridCoded();
StrategyInfo coded();
StrategyInfo loadBalanced();
StrategyInfo localSgd();
StrategyInfo staleSynchronous();
StrategyInfo dynamicStaleSynchronous();
StrategyInfo groupedStaleSynchronous();
StrategyInfo kSync();
StrategyInfo kBatchSync();
StrategyInfo kAsync();
StrategyInfo kBatchAsync();
StrategyInfo backupWorkers();
StrategyInfo stalenessAware();
StrategyInfo ringmaster();
StrategyInfo delayCompensated();

std::span<const StrategyInfo> strategyCatalog()
{
    static const std::array catalog{
        bulkSynchronous(),
        asynchronous(),
        hybrid(),
        hybridCoded(),
        coded(),
        staleSynchronous(),
        dynamicStaleSynchronous(),
        groupedStaleSynchronous(),
        kSync(),
        kBatchSync(),
        kAsync(),
        kBatchAsync(),
        backupWorkers(),
        stalenessAware(),
        ringmaster(),
        delayCompensated(),
        loadBalanced(),
        localSgd(),
    };
    return catalog;
}

const StrategyInfo* findStrategy(std::string_view id)
{
    const auto catalog = strategyCatalog();
    const auto found = std::ranges::find(catalog, id, &StrategyInfo::id);
    return found == catalog.end() ? nullptr : &*found;
}

} // namespace lab
