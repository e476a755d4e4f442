#pragma once

#include "core/experiment/open_file.h"
#include "core/sweep/run_figures.h"

#include <filesystem>

namespace lab {

/// The file runs.csv of a sweep that goes on: every run that has ended, each brought to the disk at once.
///
/// Whatever happens, the file holds whole rows and at most a torn one at its end, which is cut off when it is opened
/// again. Every method throws Error naming the file.
class RunLog {
public:
    /// Opens the file or makes it. Throws Error also where another process has it open or its rows are not this
    /// sweep's. `sweep` must outlive the log.
    RunLog(std::filesystem::path file, const Sweep& sweep);

    [[nodiscard]] const Runs& runs() const { return runs_; }
    /// A run that is there already, such as one that failed, is replaced.
    void append(RunFigures run);
    /// Puts the rows in order, each once, so that the file is the same whatever the order in which runs ended.
    void sort() const;

private:
    std::filesystem::path file_;
    const Sweep& sweep_;
    OpenFile opened_;
    Runs runs_;
};

} // namespace lab
