#include "core/sweep/sweep_run.h"

#include "core/engine/executor_completions.h"
#include "core/experiment/run.h"
#include "core/experiment/summary.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

namespace lab {
namespace {

/// The words of an error on one line.
std::string onOneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20; }, ' ');
    return text.empty() ? "failed without a reason" : text;
}

} // namespace

RunFigures runOne(const Sweep& sweep, std::size_t index, const std::stop_token& stop,
                  InstructionSet instruction_set)
{
    RunFigures figures;
    figures.index = index;
    try {
        const Experiment experiment = experimentOf(sweep, index);
        const std::optional<RunRecord> run =
            runExperiment(experiment, 1, [&](const Frame&) { return !stop.stop_requested(); },
                          {.instruction_set = instruction_set, .keeps_history = false});
        if (!run) {
            return figures;
        }
        const Summary summary = summarize(experiment, *run, 0);
        figures.stop_reason = stopReasonName(run->stop_reason);
        figures.seconds = summary.seconds;
        figures.updates = summary.updates;
        figures.samples = summary.samples;
        figures.time_to_target = sweep.target ? timeToTarget(run->curve, *sweep.target) : k_never;
        figures.train_loss = summary.train_loss;
        figures.validation_loss = summary.validation_loss;
        figures.validation_accuracy = summary.validation_accuracy;
        figures.idle_fraction = summary.idle_fraction;
        figures.wasted_fraction = summary.wasted_fraction;
        figures.mean_staleness = summary.mean_staleness;
    } catch (const std::exception& error) {
        figures.failure = onOneLine(error.what());
    }
    return figures;
}

bool runAll(const Sweep& sweep, std::span<const std::size_t> indices, int threads,
            const SweepProgress& progress, InstructionSet instruction_set)
{
    using namespace std::chrono_literals;
    Completions<RunFigures> runs(threads);
    std::size_t begun = 0;
    while (begun < indices.size() || runs.pending() > 0) {
        // One that waits for each that runs, so that no thread is without work while the next is handed out.
        while (begun < indices.size() && runs.pending() < 2 * static_cast<std::size_t>(threads)) {
            runs.submit([&sweep, index = indices[begun], instruction_set](const std::stop_token& stop) {
                return runOne(sweep, index, stop, instruction_set);
            });
            ++begun;
        }
        const std::optional<RunFigures> ended = runs.next(200ms);
        if (!progress(ended ? &*ended : nullptr)) {
            return false;
        }
    }
    return true;
}

} // namespace lab
