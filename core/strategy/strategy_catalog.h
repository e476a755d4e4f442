#pragma once

#include "core/strategy/strategy.h"

#include <span>
#include <string_view>

namespace lab {

/// Every strategy, in the order in which lists show them.
[[nodiscard]] std::span<const StrategyInfo> strategyCatalog();

/// The strategy with this id, or null.
[[nodiscard]] const StrategyInfo* findStrategy(std::string_view id);

} // namespace lab
