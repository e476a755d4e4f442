#pragma once

#include "core/experiment/experiment.h"
#include "core/record/frame.h"

#include <iosfwd>
#include <optional>
#include <string>

namespace lab {

/// How much of the run is done, 0 … 1, by the stop condition that is nearest; nothing where no condition tells.
[[nodiscard]] std::optional<double> shareDone(const StopSpec& stop, const Frame& frame);

/// One line on a terminal that is written over and over: clock, updates, loss, time left.
class ProgressLine {
public:
    /// Shows nothing where `terminal` is null.
    ProgressLine(const Experiment& experiment, std::ostream* terminal)
        : stop_(experiment.stop),
          terminal_(terminal)
    {
    }

    /// `elapsed` is wall time since the start, in seconds.
    void show(const Frame& frame, double elapsed);
    /// Wipes the line away.
    void clear();

private:
    StopSpec stop_;
    std::ostream* terminal_;
    std::string loss_ = "-"; ///< of the latest evaluation
    std::size_t width_ = 0;  ///< of what is on screen
};

} // namespace lab
