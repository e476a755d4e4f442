#pragma once

#include "core/learn/instruction_set.h"
#include "core/record/frame.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lab {

/// Everything that a run leaves behind: what the files of contract section 5 are written from.
struct RunRecord {
    StopReason stop_reason = StopReason::Seconds;
    TimePoint end; ///< the run's seconds
    Frame last;    ///< nodes, groups, histogram and utilisation at the end; its fresh lists are empty
    std::vector<UpdateRecord> updates;
    std::vector<Evaluation> curve; ///< the first at update 0, the last at the end
    std::vector<Span> spans;       ///< by node, then by start; gapless from 0 to the end for each node
    std::vector<LogEntry> log;
    std::vector<GroupingRecord> groupings; ///< who belonged together when
    std::vector<SlowdownRecord> slowdowns; ///< which factor a node had when; the first of each node at 0
    /// Live runs only: for each node the measured seconds of its tasks, one ordinary batch at slowdown 1. As a trace
    /// they repeat the run's schedule under the virtual clock.
    std::vector<std::vector<double>> task_seconds;
    std::optional<InstructionSet> instruction_set; ///< of the gradients; nothing where there were none
    std::uint64_t schedule_fingerprint = 0;        ///< of times, kinds and nodes: portable
    std::uint64_t number_fingerprint = 0;          ///< of parameters: one build, one instruction set
};

} // namespace lab
