// The commands sweep and merge.

#include "app/headless.h"
#include "app/progress_line.h"
#include "core/base/error.h"
#include "core/engine/executor.h"
#include "core/sweep/run_log.h"
#include "core/sweep/sweep_folder.h"
#include "core/sweep/sweep_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>

namespace lab {
namespace {

namespace fs = std::filesystem;

std::size_t failuresAmong(const Runs& runs)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(runs, [](const auto& run) { return !run.second.failure.empty(); }));
}

/// What is still to be done: runs that are not there, and runs that failed, which may have been for a full disk.
std::vector<std::size_t> runsToDo(const Sweep& sweep, const Slice& slice, const Runs& runs)
{
    std::vector<std::size_t> indices;
    for (std::size_t index = 0; index < sweep.runs(); ++index) {
        const auto done = runs.find(index);
        if (slice.holds(index) && (done == runs.end() || !done->second.failure.empty())) {
            indices.push_back(index);
        }
    }
    return indices;
}

/// Numbers as ranges: `0 to 3, 7`.
std::string asRanges(const std::vector<std::size_t>& numbers)
{
    constexpr std::size_t k_most_ranges = 20;
    std::string text;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < numbers.size(); ++ranges) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        if (ranges == k_most_ranges) {
            return text + " and more";
        }
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
        text += last > i ? " to " + std::to_string(numbers[last]) : "";
        i = last + 1;
    }
    return text;
}

/// Says in one line what a folder holds in the end.
ExitStatus conclude(const fs::path& folder, const Sweep& sweep, const Runs& runs, const Console& console)
{
    writeResults(folder, sweep, runs);
    const std::size_t failed = failuresAmong(runs);
    std::string line = std::to_string(runs.size()) + " of " + std::to_string(sweep.runs()) + " runs";
    line += failed > 0 ? ", " + std::to_string(failed) + " failed" : "";
    const ExitStatus status = say(line + ": " + (folder / "results.md").string() + '\n', console, k_ended);
    if (failed > 0) {
        console.err << "straggler-lab: " << failed << " of the runs failed; runs.csv says why\n";
        return k_not_carried_out;
    }
    return status;
}

ExitStatus sweep(const SweepCommand& command, const Console& console)
{
    const Sweep sweep = loadSweep(command.file);
    checkCombinations(sweep);
    const fs::path folder = command.out;
    claimSweepFolder(folder, sweep);
    RunLog log(folder / "runs.csv", sweep);
    const std::vector<std::size_t> to_do = runsToDo(sweep, command.slice, log.runs());

    TerminalLine line(console.shows_progress && !command.is_quiet ? &console.err : nullptr);
    const auto start = std::chrono::steady_clock::now();
    std::size_t done = 0;
    std::size_t failed = 0;
    const auto on_progress = [&](const RunFigures* run) {
        if (run != nullptr) {
            log.append(*run);
            ++done;
            failed += run->failure.empty() ? 0 : 1;
        }
        std::string text = std::to_string(done) + " of " + std::to_string(to_do.size()) + " runs";
        text += failed > 0 ? ", " + std::to_string(failed) + " failed" : "";
        if (done > 0) {
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            text += ", "
                + timeLeft(elapsed.count() * static_cast<double>(to_do.size() - done)
                           / static_cast<double>(done));
        }
        line.show(std::move(text));
        return !console.is_over || !console.is_over();
    };
    const int threads = command.threads > 0 ? command.threads : machineThreads();
    const bool is_done = runAll(sweep, to_do, threads, on_progress, command.instruction_set);
    line.clear();
    if (!is_done && done < to_do.size()) {
        console.err << "straggler-lab: interrupted; " << log.runs().size() << " of " << sweep.runs()
                    << " runs are in " << folder.string() << ", and the same command goes on\n";
        return k_interrupted;
    }
    log.sort();
    return conclude(folder, sweep, log.runs(), console);
}

ExitStatus merge(const MergeCommand& command, const Console& console)
{
    SweepFolder whole = readSweepFolder(command.parts.front());
    std::vector<std::string> holders(whole.sweep.runs());
    for (const std::string& part : command.parts) {
        const SweepFolder read = readSweepFolder(part);
        if (read.fingerprint != whole.fingerprint) {
            throw Error(part + ": holds runs of another sweep than " + command.parts.front());
        }
        std::vector<std::size_t> twice;
        for (const auto& [index, run] : read.runs) {
            if (!holders[index].empty()) {
                twice.push_back(index);
            } else {
                holders[index] = part;
                whole.runs.insert_or_assign(index, run);
            }
        }
        if (!twice.empty()) {
            throw Error(part + ": holds runs that " + holders[twice.front()]
                        + " holds already: " + asRanges(twice));
        }
    }
    std::vector<std::size_t> lacking;
    for (std::size_t index = 0; index < holders.size(); ++index) {
        if (holders[index].empty()) {
            lacking.push_back(index);
        }
    }
    if (!lacking.empty()) {
        throw Error("these runs are in none of the folders: " + asRanges(lacking));
    }
    const fs::path folder = command.out;
    claimSweepFolder(folder, whole.sweep);
    replaceFile(folder / "runs.csv", runsText(whole.sweep, whole.runs));
    return conclude(folder, whole.sweep, whole.runs, console);
}

} // namespace

ExitStatus carryOut(const SweepCommand& command, const Console& console)
{
    return guarded(console, [&] { return sweep(command, console); });
}

ExitStatus carryOut(const MergeCommand& command, const Console& console)
{
    return guarded(console, [&] { return merge(command, console); });
}

} // namespace lab
