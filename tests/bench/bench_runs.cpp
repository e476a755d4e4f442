// Whole runs, and what they cost beside their gradients. Items are updates, or events where the name says so; one thread counts its
// own time, which other work on the machine disturbs less.

#include "core/experiment/experiment.h"
#include "core/experiment/run.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/model_catalog.h"
#include "tests/bench/benchmarks.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <malloc.h>

using namespace lab;

namespace {

constexpr int k_nodes = 16; ///< of a run with gradients

/// Nodes of speeds that differ, 0.1 s each batch with exponential jitter on top, and a network.
Experiment clusterOf(std::size_t nodes, const std::string& strategy)
{
    Experiment experiment;
    experiment.strategy.kind = strategy;
    experiment.cluster.batch_seconds = 0.1;
    experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential, .scale = 0.2};
    experiment.cluster.network = Network{.latency = 0.001, .bandwidth = 1.25e8, .server_bandwidth = {}};
    for (std::size_t i = 0; i < nodes; ++i) {
        experiment.cluster.nodes.push_back({.name = "n" + std::to_string(i + 1),
                                            .slowdown = 1 + static_cast<double>(i % 4) / 4,
                                            .jitter = {}});
    }
    if (strategy == "hybrid") { // of given groups: how they are found is another matter
        experiment.groups = {.by = Grouping::By::Members, .count = {}, .members = Partition(16)};
        for (std::size_t i = 0; i < nodes; ++i) {
            experiment.groups.members[i % 16].push_back(NodeId{i});
        }
    }
    experiment.stop = {};
    experiment.stop.updates = std::int64_t{1} << 50;
    return experiment;
}

Experiment onDigits(const std::string& strategy, int batch, std::int64_t updates)
{
    Experiment experiment = clusterOf(k_nodes, strategy);
    experiment.cluster.network.reset();
    experiment.model = {.kind = "mlp", .hidden = {128}};
    experiment.training.batch = batch;
    experiment.stop.updates = updates;
    experiment.evaluate_every_updates = 1'000'000'000;
    return experiment;
}

constexpr std::int64_t k_gradients = 2000;
constexpr std::int64_t k_events = 500'000; ///< fixed, so that no cluster is built several times over

/// Items are gradients, of which a synchronous update has one from each node.
void wholeRun(benchmark::State& state, const std::string& strategy, int batch, int threads)
{
    const std::int64_t at_once = strategy == "bsp" ? k_nodes : 1;
    const Experiment experiment = onDigits(strategy, batch, k_gradients / at_once);
    Executor executor(threads);
    for ([[maybe_unused]] const auto& turn : state) {
        state.PauseTiming();
        const auto emulator = makeEmulator(experiment, executor, nullptr, {.keeps_history = false});
        state.ResumeTiming();
        while (!emulator->isOver()) {
            emulator->advance();
        }
    }
    state.SetItemsProcessed(state.iterations() * k_gradients);
}

/// The same gradients one after another, each node at parameters of its own as in a run, and nothing else.
void gradientsAlone(benchmark::State& state, int batch)
{
    const Experiment experiment = onDigits("asp", batch, k_gradients);
    Split split =
        splitDataset(loadDataset(experiment.data.source, {}, experiment.seed), 0.2, experiment.seed);
    Sampler sampler(split.training, PartitionKind::Shuffled, k_nodes, experiment.seed);
    const Workload workload{.model = findModel("mlp")->make(experiment.model, split.training),
                            .training = std::move(split.training),
                            .validation = std::move(split.validation),
                            .sampler = std::move(sampler)};
    std::vector<Vector> read;
    for (std::uint64_t node = 0; node < k_nodes; ++node) {
        read.push_back(workload.model->initial(node));
    }
    for ([[maybe_unused]] const auto& turn : state) {
        for (std::int64_t update = 0; update < k_gradients; ++update) {
            const auto node = static_cast<std::size_t>(update % k_nodes);
            Order order;
            order.pieces = {{.stream = NodeId{node}, .first = update / k_nodes * batch, .count = batch}};
            benchmark::DoNotOptimize(workload.gradient(read[node], order));
        }
    }
    state.SetItemsProcessed(state.iterations() * k_gradients);
}

/// 10,000 asynchronous updates with all losses every 100, as peer_numpy.py does it.
void asynchronousDescent(benchmark::State& state)
{
    Experiment experiment = onDigits("asp", 32, 10'000);
    experiment.evaluate_every_updates = 100;
    Executor executor(machineThreads());
    for ([[maybe_unused]] const auto& turn : state) {
        state.PauseTiming(); // the script's clock does not count the reading of its data either
        const auto emulator = makeEmulator(experiment, executor, nullptr, {.keeps_history = false});
        state.ResumeTiming();
        while (!emulator->isOver()) {
            emulator->advance();
        }
        emulator->conclude();
    }
    state.SetItemsProcessed(state.iterations() * 10'000);
}

/// Memory in use by this process.
double usedBytes()
{
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// A run for its times alone, when it has got going. Items are events.
void events(benchmark::State& state, const std::string& strategy, bool has_network)
{
    const auto nodes = static_cast<std::size_t>(state.range(0));
    Experiment experiment = clusterOf(nodes, strategy);
    experiment.model = {.kind = "none", .hidden = {32}, .l2 = 0, .parameters = 0};
    if (!has_network) {
        experiment.cluster.network.reset();
    }
    Executor executor(1);
    const double before = usedBytes();
    const auto emulator = makeEmulator(experiment, executor, nullptr, {.keeps_history = false});
    for (std::size_t i = 0; i < 9 * nodes; ++i) {
        emulator->advance();
    }
    const double bytes = usedBytes() - before;
    for ([[maybe_unused]] const auto& turn : state) {
        emulator->advance();
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["bytes_per_node"] = bytes / static_cast<double>(nodes);
}

} // namespace

void registerRuns()
{
    using benchmark::RegisterBenchmark;
    using benchmark::State;
    for (const int batch : {32, 128}) {
        const std::string at = "/" + std::to_string(batch);
        const auto add = [&](const std::string& name, auto measure) {
            return RegisterBenchmark((name + at).c_str(), measure);
        };
        for (const char* strategy : {"asp", "bsp"}) {
            add("run/" + std::string(strategy), [=](State& state) { wholeRun(state, strategy, batch, 1); });
        }
        add("run/gradients-alone", [=](State& state) { gradientsAlone(state, batch); });
        add("run/one-thread-by-the-wall", [=](State& state) {
            wholeRun(state, "asp", batch, 1);
        })->UseRealTime();
        add("run/two-threads", [=](State& state) { wholeRun(state, "asp", batch, 2); })->UseRealTime();
    }
    RegisterBenchmark("run/asp-10000", asynchronousDescent)->UseRealTime();
    for (const char* strategy : {"asp", "bsp", "ssp", "hybrid"}) {
        for (const int nodes : {16, 64, 256, 1024, 4096, 16384, 65536}) {
            RegisterBenchmark(("events/" + std::string(strategy)).c_str(),
                              [=](State& state) { events(state, strategy, false); })
                ->Arg(nodes)
                ->Iterations(k_events);
        }
    }
    for (const int nodes : {16, 256, 4096}) {
        RegisterBenchmark("network-events", [](State& state) { events(state, "asp", true); })
            ->Arg(nodes)
            ->Iterations(k_events);
    }
}
