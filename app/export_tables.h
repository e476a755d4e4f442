#pragma once

#include "app/exports.h"

#include <string>

namespace lab {

/// The numbers behind a chart as a CSV table, whole or within a stretch of the run, as the window has them: what was
/// recorded, to the last digit. The loss chart's has a column for the run in front where others are pinned beside it.
/// Requires that it can be written as CSV.
[[nodiscard]] std::string tableOf(const ExportSource& source, ExportWhat what,
                                  const std::optional<TimeWindow>& stretch);

/// What of a record lies within a stretch; spans are cut at its ends.
void cutTo(RunRecord& run, const TimeWindow& stretch);

} // namespace lab
