// What recording costs a run that goes as fast as it can: each experiment is run with and without, in turn and in one
// process, and the least of each are compared, since whatever else the machine does can only add.
//
//     bench_recording EXPERIMENT.json [REPEATS] [PATH=VALUE]...

#include "core/experiment/experiment_json.h"
#include "core/experiment/run.h"
#include "core/experiment/run_recording.h"
#include "core/learn/kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace lab;

namespace {

struct Cost {
    double wall = 0;
    double processor = 0;
};

double processorSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Cost costOf(const Experiment& experiment, const std::optional<std::filesystem::path>& file, Version& updates)
{
    std::optional<RunRecording> recording;
    if (file) {
        recording.emplace(RecordingPlan{.file = *file}, experiment, ClockKind::Virtual, dateAndTime());
    }
    const Progress watch = [](const Frame&) { return true; };
    const auto began = std::chrono::steady_clock::now();
    const double processor = processorSeconds();
    const auto run = runExperiment(experiment, 0, watch, {.recording = recording ? &*recording : nullptr});
    if (recording) {
        recording->finish(*run, summarize(experiment, *run, 0));
    }
    updates = run->last.version;
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
            processorSeconds() - processor};
}

} // namespace

int main(int argc, char** argv)
{
    pinKernels();
    if (argc < 2) {
        std::fputs("usage: bench_recording EXPERIMENT.json [REPEATS] [PATH=VALUE]...\n", stderr);
        return 2;
    }
    const int repeats = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 7;
    std::vector<Override> overrides;
    for (int i = 3; i < argc; ++i) {
        const std::string text = argv[i];
        const std::size_t equals = text.find('=');
        overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    const Experiment experiment = loadExperiment(argv[1], overrides);
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "bench_recording.slab";
    constexpr double k_ages = 1e9;
    Cost with{k_ages, k_ages};
    Cost without = with;
    std::uintmax_t bytes = 0;
    Version updates = 0;
    const auto keepLeast = [](Cost& least, const Cost& cost) {
        least = {std::min(least.wall, cost.wall), std::min(least.processor, cost.processor)};
    };
    for (int i = 0; i < repeats; ++i) {
        keepLeast(without, costOf(experiment, std::nullopt, updates));
        std::filesystem::remove(file);
        keepLeast(with, costOf(experiment, file, updates));
        bytes = std::filesystem::file_size(file);
    }
    std::filesystem::remove(file);
    std::printf("%lld updates in %.3f s; recorded %.2f MB; with / without: wall %.3f, processor %.3f\n",
                static_cast<long long>(updates), without.wall, 1e-6 * static_cast<double>(bytes),
                with.wall / without.wall, with.processor / without.processor);
    return 0;
}
