#pragma once

#include "core/experiment/experiment.h"
#include "core/record/session_reader.h"

#include <cstdint>

namespace lab {

/// A run of a session with what it was made from.
struct OpenedRun {
    Experiment experiment;
    Experiment journal; ///< the experiment with every edit as an event: run again, it gives the same run
    RecordedRun recorded;
};

/// Throws Error as SessionReader::read() does, and where the experiment in there cannot be read or is not that of the
/// run. Files that the experiment names need not be there.
[[nodiscard]] OpenedRun openRun(const SessionReader& session, std::int64_t number);

} // namespace lab
