#pragma once

#include "core/record/run_record.h"

#include <span>
#include <string>

namespace lab {

// The tables of contract section 5 as CSV text: RFC 4180 with "\n" line ends, UTF-8, a dot as the decimal mark whatever
// the locale, the shortest digits that read back to the same double. Not-a-number is an empty cell. Times are seconds;
// groups are numbered from 0; `names` are the nodes' names in node order.

/// time,update,samples,train_loss,validation_loss,validation_accuracy
[[nodiscard]] std::string curveCsv(const RunRecord& run);

/// update,time,group,nodes,samples,staleness_mean,staleness_max,weight
[[nodiscard]] std::string updatesCsv(const RunRecord& run, std::span<const std::string> names);

/// node,group,computing,wasted,communicating,waiting,down,gradients,staleness_mean,staleness_max
/// A node none of whose gradients was used has no mean staleness.
[[nodiscard]] std::string nodesCsv(const RunRecord& run, std::span<const std::string> names);

/// node,start,end,state
[[nodiscard]] std::string timelineCsv(const RunRecord& run, std::span<const std::string> names);

/// time,kind,node,text — the log, in words; no node where an entry is about no single one
[[nodiscard]] std::string eventsCsv(const RunRecord& run, std::span<const std::string> names);

} // namespace lab
