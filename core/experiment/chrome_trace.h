#pragma once

#include "core/record/run_record.h"

#include <span>
#include <string>

namespace lab {

/// A run as a trace that Perfetto and Chrome's about:tracing open: the object form of the "Trace Event Format", with
/// `traceEvents` one on a line. `names` are the nodes' names in node order.
///
/// Process 1 is the run: what happened to it as instants, training loss and updates as counters. Process 2 holds the
/// nodes, a thread each, in node order from 1 on; every span is a slice, waiting too, so that a query over slices gives
/// the ledger. An instant that is about one node stands on its thread. Times are microseconds from the start with three
/// decimals, which are whole nanoseconds; a loss that is not finite is left out, since JSON has no such number.
[[nodiscard]] std::string chromeTrace(const RunRecord& run, std::span<const std::string> names);

} // namespace lab
