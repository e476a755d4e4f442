#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <array>

namespace lab {

// The factories, each in its own source file.
StrategyInfo bulkSynchronous();
StrategyInfo asynchronous();
StrategyInfo hybrid();

std::span<const StrategyInfo> strategyCatalog()
{
    static const std::array catalog{
        bulkSynchronous(),
        asynchronous(),
        hybrid(),
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
