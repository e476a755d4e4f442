#pragma once

#include "core/experiment/experiment.h"
#include "core/record/frame.h"

#include <iosfwd>
#include <optional>
#include <string>

namespace lab {

/// How much of the run is done, 0 … 1, by the stop condition that is nearest; nothing where no condition tells.
[[nodiscard]] std::optional<double> shareDone(const StopSpec& stop, const Frame& frame);

/// `12 s left`, `3.4 min left`.
[[nodiscard]] std::string timeLeft(double seconds);

/// One line on a terminal that is written over and over.
class TerminalLine {
public:
    /// Shows nothing where `terminal` is null.
    explicit TerminalLine(std::ostream* terminal) : terminal_(terminal) {}

    [[nodiscard]] bool isShown() const { return terminal_ != nullptr; }
    void show(std::string text);
    /// Wipes it away.
    void clear();

private:
    std::ostream* terminal_;
    std::size_t width_ = 0; ///< of what is on screen
};

/// The progress of one run: clock, updates, loss, time left.
class ProgressLine {
public:
    /// Shows nothing where `terminal` is null.
    ProgressLine(const Experiment& experiment, std::ostream* terminal)
        : stop_(experiment.stop),
          line_(terminal)
    {
    }

    /// `elapsed` is wall time since the start, in seconds.
    void show(const Frame& frame, double elapsed);
    void clear() { line_.clear(); }

private:
    StopSpec stop_;
    TerminalLine line_;
    std::string loss_ = "-"; ///< of the latest evaluation
};

} // namespace lab
