#include "core/experiment/run.h"

#include "core/base/error.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "core/strategy/worker.h"

#include <chrono>
#include <utility>

namespace lab {
namespace {

std::shared_ptr<const Workload> makeWorkload(const Experiment& experiment)
{
    const Dataset all = loadDataset(experiment.data.source, experiment.folder, experiment.seed);
    Split split = splitDataset(all, experiment.data.validation, experiment.seed);
    const ModelInfo* model = findModel(experiment.model.kind);
    LAB_EXPECTS(model != nullptr);
    Sampler sampler(split.training, experiment.data.partition, experiment.cluster.nodes.size(),
                    experiment.seed);
    return std::make_shared<const Workload>(Workload{.model = model->make(experiment.model, split.training),
                                                     .training = std::move(split.training),
                                                     .validation = std::move(split.validation),
                                                     .sampler = std::move(sampler)});
}

StrategySetup strategySetup(const Experiment& experiment, Params start_at)
{
    StrategySetup setup;
    setup.nodes = experiment.cluster.nodes.size();
    for (const NodeSpec& node : experiment.cluster.nodes) {
        setup.names.push_back(node.name);
    }
    setup.batch = experiment.training.batch;
    setup.learning_rate = experiment.training.learning_rate;
    setup.momentum = experiment.training.momentum;
    setup.weigh_by_samples = experiment.training.update_weight == UpdateWeight::Samples;
    setup.seed = experiment.seed;
    setup.grouping = experiment.groups;
    setup.choice = experiment.strategy;
    setup.start_at = std::move(start_at);
    return setup;
}

/// A strategy that cannot work with this cluster is the file's fault, not the machine's.
std::unique_ptr<Actor> makeServer(const StrategyInfo& strategy, const StrategySetup& setup)
{
    try {
        return strategy.make_server(setup);
    } catch (const Error& error) {
        throw ExperimentError("experiment", {{.where = "strategy", .what = error.what()}});
    }
}

Limits limitsOf(const StopSpec& stop)
{
    Limits limits;
    if (stop.seconds) {
        limits.time = atSeconds(*stop.seconds);
    }
    limits.updates = stop.updates;
    limits.samples = stop.samples;
    limits.loss = stop.loss;
    return limits;
}

} // namespace

std::unique_ptr<Emulator> makeEmulator(const Experiment& experiment, Executor& executor)
{
    const StrategyInfo* strategy = findStrategy(experiment.strategy.kind);
    LAB_EXPECTS(strategy != nullptr);
    const std::size_t nodes = experiment.cluster.nodes.size();

    EmulatorSetup setup;
    setup.cluster = experiment.cluster;
    if (experiment.cluster.trace) {
        setup.trace = loadTrace(experiment.folder / *experiment.cluster.trace, nodes);
    }
    setup.seed = experiment.seed;
    setup.events = experiment.events;
    setup.limits = limitsOf(experiment.stop);
    setup.evaluate_every_updates = experiment.evaluate_every_updates;
    setup.nodes_can_move = strategy->uses_groups;
    setup.workload = makeWorkload(experiment);
    setup.start_at = std::make_shared<const Vector>(setup.workload->model->initial(experiment.seed));
    setup.server = makeServer(*strategy, strategySetup(experiment, setup.start_at));
    setup.make_worker = [server = ActorId{nodes}, preemptive = experiment.cluster.preemptive](NodeId node) {
        return std::make_unique<Worker>(node, server, preemptive);
    };
    return std::make_unique<Emulator>(std::move(setup), executor);
}

std::optional<RunRecord> runExperiment(const Experiment& experiment, int threads, const Progress& progress)
{
    using namespace std::chrono_literals;
    Executor executor(threads > 0 ? threads : machineThreads());
    const std::unique_ptr<Emulator> emulator = makeEmulator(experiment, executor);
    auto told = std::chrono::steady_clock::now();
    for (std::int64_t events = 0; !emulator->isOver(); ++events) {
        emulator->advance();
        // Looking at the clock for every event would cost more than many an event.
        if (progress && events % 256 == 0 && std::chrono::steady_clock::now() - told > 100ms) {
            Frame frame = emulator->frame(emulator->now());
            emulator->recorder().addFresh(frame);
            if (!progress(frame)) {
                return std::nullopt;
            }
            told = std::chrono::steady_clock::now();
        }
    }
    emulator->conclude();
    return emulator->takeRecord();
}

} // namespace lab
