#pragma once

#include "core/record/frame.h"

#include <vector>

namespace lab {

/// The groups after a grouping. A group that keeps its members keeps its count, so that its rate on screen does not
/// start over.
[[nodiscard]] std::vector<GroupFrame> regrouped(const std::vector<GroupFrame>& before,
                                                const GroupingRecord& grouping);

} // namespace lab
