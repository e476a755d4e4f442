#pragma once

#include "core/experiment/recorded_run.h"
#include "core/record/playback.h"

#include <memory>
#include <optional>
#include <vector>

namespace lab {

/// A recorded run at any of its moments, fast enough to be dragged along: playback that was copied here and there on its
/// way, so that going back costs what happened in a small part of the run.
class RecordedPast {
public:
    explicit RecordedPast(std::shared_ptr<const OpenedRun> run);

    [[nodiscard]] Frame at(TimePoint moment);
    /// The moment of the last update before the one that made this version; the start for the first, nothing at the start.
    [[nodiscard]] std::optional<TimePoint> before(Version version) const;

private:
    [[nodiscard]] TimePoint markAt(std::size_t number) const;

    std::shared_ptr<const OpenedRun> run_;
    std::vector<Playback> marks_;
    std::optional<Playback> playback_; ///< as it was asked last
    TimePoint reached_;
};

} // namespace lab
