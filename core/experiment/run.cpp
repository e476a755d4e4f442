#include "core/experiment/run.h"

#include "core/base/error.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "core/strategy/worker.h"

#include <algorithm>
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

/// What the experiment is like once that strategy has taken over.
Experiment after(Experiment experiment, const StrategySwitch& change)
{
    experiment.strategy = change.strategy;
    experiment.groups = change.groups;
    return experiment;
}

Predict predictFor(const StrategyInfo& strategy, const Experiment& experiment)
{
    return [&strategy, choice = experiment.strategy, batch = experiment.training.batch,
            seed = experiment.seed](Configuration configuration) {
        configuration.choice = choice;
        configuration.batch = batch;
        configuration.seed = seed;
        return predict(strategy, configuration);
    };
}

Switch switchOf(const StrategySwitch& change, const Experiment& experiment, const Params& start_at)
{
    const StrategyInfo* strategy = findStrategy(change.strategy.kind);
    LAB_EXPECTS(strategy != nullptr);
    const Experiment then = after(experiment, change);
    const StrategySetup setup = strategySetup(then, start_at);
    (void)makeServer(*strategy, setup); // rather now than in mid-run
    Switch made;
    made.at = change.at;
    made.title = strategy->title;
    made.nodes_can_move = strategy->uses_groups;
    made.predict = predictFor(*strategy, then);
    made.make_server = [strategy, setup](Params params, Version version, std::vector<std::int64_t> rows) {
        StrategySetup now = setup;
        now.start_at = std::move(params);
        now.start_version = version;
        now.rows_taken = std::move(rows);
        return makeServer(*strategy, now);
    };
    return made;
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

/// Tells of a run's progress ten times a second.
class Teller {
public:
    explicit Teller(const Progress& progress) : progress_(progress) {}

    [[nodiscard]] WallClock::Wall::time_point next() const { return told_ + std::chrono::milliseconds(100); }
    /// False: the run is to stop.
    [[nodiscard]] bool tell(Emulator& emulator)
    {
        const auto now = WallClock::Wall::now();
        if (now < next()) {
            return true;
        }
        told_ = now;
        if (!progress_) {
            return true;
        }
        Frame frame = emulator.frame(emulator.now());
        emulator.recorder().addFresh(frame);
        return progress_(frame);
    }

private:
    const Progress& progress_;
    WallClock::Wall::time_point told_ = WallClock::Wall::now();
};

} // namespace

int liveThreads(const Experiment& experiment)
{
    const std::size_t nodes = experiment.cluster.nodes.size();
    if (nodes > k_most_live_nodes) {
        throw ExperimentError(
            "experiment",
            {{.where = "cluster.nodes",
              .what = "has " + std::to_string(nodes) + " nodes; the live clock runs at most "
                  + std::to_string(k_most_live_nodes)
                  + ", each on a thread of its own. Use fewer nodes or the virtual clock"}});
    }
    return static_cast<int>(nodes) + 1;
}

std::unique_ptr<Emulator> makeEmulator(const Experiment& experiment, Executor& executor, WallClock* wall)
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
    setup.predict = predictFor(*strategy, experiment);
    setup.server = makeServer(*strategy, strategySetup(experiment, setup.start_at));
    for (const StrategySwitch& change : experiment.switches) {
        setup.switches.push_back(switchOf(change, experiment, setup.start_at));
    }
    setup.make_worker = [server = ActorId{nodes}, preemptive = experiment.cluster.preemptive](NodeId node) {
        return std::make_unique<Worker>(node, server, preemptive);
    };
    setup.wall = wall;
    return std::make_unique<Emulator>(std::move(setup), executor);
}

std::optional<RunRecord> runExperiment(const Experiment& experiment, int threads, const Progress& progress)
{
    Executor executor(threads > 0 ? threads : machineThreads());
    const std::unique_ptr<Emulator> emulator = makeEmulator(experiment, executor);
    Teller teller(progress);
    for (std::int64_t events = 0; !emulator->isOver(); ++events) {
        emulator->advance();
        // Looking at the clock for every event would cost more than many an event.
        if (events % 256 == 0 && !teller.tell(*emulator)) {
            return std::nullopt;
        }
    }
    emulator->conclude();
    return emulator->takeRecord();
}

std::optional<RunRecord> runLive(const Experiment& experiment, const Progress& progress)
{
    WallClock clock; // outlives the executor, whose workers tell it of their gradients
    Executor executor(liveThreads(experiment));
    const std::unique_ptr<Emulator> emulator = makeEmulator(experiment, executor, &clock);
    Teller teller(progress);
    clock.goFrom(TimePoint{}, 1.0);
    while (!emulator->isOver()) {
        emulator->gatherGradients();
        const std::optional<TimePoint> next = emulator->nextAt();
        const bool is_due = next ? *next <= clock.now() : !emulator->awaitsGradient();
        if (is_due) {
            emulator->advance();
        } else {
            clock.await(next ? std::min(clock.reaches(*next), teller.next()) : teller.next());
        }
        if (!teller.tell(*emulator)) {
            return std::nullopt;
        }
    }
    emulator->conclude();
    return emulator->takeRecord();
}

} // namespace lab
