#pragma once

#include "core/experiment/experiment.h"
#include "core/record/record.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// What is to be otherwise from a moment of a virtual run on.
struct WhatIf {
    std::string clause; ///< for people, after "if": `n7 runs at normal speed`
    TimePoint at;
    std::vector<Change> changes; ///< they also overrule what the run does of that kind to the same node later
    struct Strategy {
        StrategyChoice choice;
        Grouping groups;
    };
    std::optional<Strategy> strategy; ///< takes over at that moment
};

// What people ask for. `journal` is the run as an experiment: Session::journal().

/// The node's tasks take no longer than those of a node with slowdown 1.
[[nodiscard]] WhatIf notSlow(const Experiment& journal, NodeId node, TimePoint at);
/// The node is up, and stays so.
[[nodiscard]] WhatIf neverFails(const Experiment& journal, NodeId node, TimePoint at);
[[nodiscard]] WhatIf otherStrategy(StrategyChoice choice, Grouping groups, TimePoint at);
/// The second half of a group's members, in the order given, leave it for a new group, which gets number `groups`.
[[nodiscard]] WhatIf splitGroup(const std::vector<NodeId>& members, GroupId group, GroupId fresh,
                                TimePoint at);

/// The run up to the moment, then what is otherwise, and then what the run had planned: an experiment like any other,
/// whose run is the old one, record for record, until then.
[[nodiscard]] Experiment branchOf(const Experiment& journal, const WhatIf& what_if);

/// How one side went on from the moment of the branch.
struct BranchSide {
    std::span<const Evaluation> curve; ///< of the whole run
    double idle = 0;                   ///< waiting as a share of the time since the moment that nodes were up
};

/// The answer in one sentence: when either side reaches the lowest training loss that both reach (as timeToTarget()
/// has it), or how the losses end where that was before the moment; and how much the nodes wait.
[[nodiscard]] std::string answerTo(const WhatIf& what_if, const BranchSide& as_it_was,
                                   const BranchSide& branch);

} // namespace lab
