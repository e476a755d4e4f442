#pragma once

#include "core/experiment/recorded_run.h"
#include "widgets/run_history.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lab {

/// A session file as it is open in the window.
struct OpenedSession {
    QString path;
    std::vector<SessionRun> runs; ///< all of them, without their lists
    std::shared_ptr<const OpenedRun>
        run;        ///< the one that is shown; it is over, whether it was brought to its end or not
    QString remark; ///< what of all this is not sound; empty: everything is
};

/// Reads the run of that number; nothing: the last one that can be read. Changes nothing on the disk. Throws Error where
/// there is none.
[[nodiscard]] OpenedSession openSession(const QString& path,
                                        std::optional<std::int64_t> number = std::nullopt);

/// `2 · BSP · seed 3 · 60 s · finished`, for a list of runs.
[[nodiscard]] QString lineFor(const SessionRun& run);

/// How a recorded run came to its end: `Recorded: finished, all its time has passed`.
[[nodiscard]] QString recordedText(const OpenedRun& run);

/// What the window would know of the run had it watched it, and exactly every moment of it.
[[nodiscard]] RunHistory historyOf(std::shared_ptr<const OpenedRun> run);

} // namespace lab
