#pragma once

#include "core/base/ids.h"

#include <vector>

namespace lab {

/// Which nodes synchronise with which: `members[g]` in ascending order, every node in exactly one group. A group may
/// be empty (all its nodes were moved away); its number stays.
using Partition = std::vector<std::vector<NodeId>>;

} // namespace lab
