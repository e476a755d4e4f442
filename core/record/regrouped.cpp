#include "core/record/regrouped.h"

#include <utility>

namespace lab {

std::vector<GroupFrame> regrouped(const std::vector<GroupFrame>& before, const GroupingRecord& grouping)
{
    std::vector<GroupFrame> next;
    for (std::size_t g = 0; g < grouping.groups.size(); ++g) {
        GroupFrame group{.members = grouping.groups[g],
                         .tolerance = grouping.tolerance[g],
                         .updates = 0,
                         .formed = grouping.time};
        if (g < before.size() && before[g].members == group.members) {
            group.updates = before[g].updates;
            group.formed = before[g].formed;
        }
        next.push_back(std::move(group));
    }
    return next;
}

} // namespace lab
