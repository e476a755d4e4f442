#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lab::test {

/// The run that tests start from and change: BSP, equal nodes `n0`, `n1`, … of 0.1 s per batch, no jitter, no network;
/// softmax without l2 on the four blobs (12 parameters), batches of 8, 40 updates, evaluated only at both ends.
[[nodiscard]] Experiment smallExperiment(std::size_t nodes);

/// The whole run. Aborts where the experiment has problems: a test that means to have them asks validate().
[[nodiscard]] RunRecord run(const Experiment& experiment, int threads = 1);

/// What differs first between two runs, in words; empty where every recorded bit is the same.
[[nodiscard]] std::string firstDifference(const RunRecord& a, const RunRecord& b);

/// What is wrong with the books, in words; empty where each node's times add up to the run's, in whole nanoseconds,
/// and its spans follow each other without a gap from 0 to the end and add up to its times.
[[nodiscard]] std::string wrongInLedger(const RunRecord& run);

/// The times and spans of one node.
[[nodiscard]] const ActivityTimes& timesOf(const RunRecord& run, std::size_t node);
[[nodiscard]] std::vector<Span> spansOf(const RunRecord& run, std::size_t node);

/// Shorthand for tests: a duration and a moment, in milliseconds.
[[nodiscard]] Duration ms(std::int64_t milliseconds);
[[nodiscard]] TimePoint atMs(std::int64_t milliseconds);

/// A folder of its own under the system's temporary one, gone with this object.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Writes a file as it is, byte for byte; its whole path.
    std::filesystem::path write(const std::string& name, std::string_view content) const;

private:
    std::filesystem::path path_;
};

/// A trace file's text, node by node: `seconds(node, iteration)`, with all the digits that a double has.
[[nodiscard]] std::string traceCsv(std::size_t nodes, std::size_t iterations,
                                   const std::function<double(std::size_t, std::size_t)>& seconds);

} // namespace lab::test
