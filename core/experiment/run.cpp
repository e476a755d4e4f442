#include "core/experiment/run.h"

#include "core/base/error.h"
#include "core/experiment/run_recording.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "core/strategy/worker.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

namespace lab {
namespace {

std::shared_ptr<const Workload> makeWorkload(const Experiment& experiment, InstructionSet instruction_set)
{
    const Dataset all = loadDataset(experiment.data.source, experiment.folder, experiment.seed);
    Split split = splitDataset(all, experiment.data.validation, experiment.seed);
    const ModelInfo* model = findModel(experiment.model.kind);
    LAB_EXPECTS(model != nullptr);
    Sampler sampler(split.training, experiment.data.partition, experiment.cluster.nodes.size(),
                    experiment.seed);
    return std::make_shared<const Workload>(
        Workload{.model = model->make(experiment.model, split.training, instruction_set),
                 .training = std::move(split.training),
                 .validation = std::move(split.validation),
                 .sampler = std::move(sampler)});
}

StrategySetup strategySetup(const Experiment& experiment, Params start_at)
{
    StrategySetup setup;
    setup.nodes = experiment.cluster.nodes.size();
    setup.names = nodeNames(experiment);
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

/// Tells of a run's progress ten times a second at most, those who watch it and those who record it.
class Teller {
public:
    Teller(const Progress& progress, RunRecording* recording, Emulator& emulator)
        : progress_(progress),
          recording_(recording),
          emulator_(emulator)
    {
        if (recording_ != nullptr) {
            (void)tellNow(); // from its first moment on
        }
    }

    [[nodiscard]] WallClock::Wall::time_point next() const { return next_; }
    /// False: the run is to stop.
    [[nodiscard]] bool tell() { return WallClock::Wall::now() < next() || tellNow(); }
    /// What has come up to the end of the run.
    void tellRest()
    {
        if (recording_ != nullptr) {
            recording_->append(fresh(), emulator_.taskSeconds(), secondsOf(WallClock::Wall::now()));
        }
    }

private:
    [[nodiscard]] bool tellNow()
    {
        const auto began = WallClock::Wall::now();
        bool goes_on = true;
        if (progress_ || recording_ != nullptr) {
            const Frame frame = fresh();
            if (recording_ != nullptr) {
                recording_->append(frame, emulator_.taskSeconds(), secondsOf(began));
            }
            goes_on = !progress_ || progress_(frame);
        }
        // A frame of very many nodes takes its time: at most a fiftieth of the run's. A recording waits no longer, or more
        // could be lost than it promises.
        const auto told = WallClock::Wall::now();
        const auto rest = std::max<WallClock::Wall::duration>(k_between, 50 * (told - began));
        next_ = told + (recording_ != nullptr ? k_between : rest);
        return goes_on;
    }
    [[nodiscard]] Frame fresh()
    {
        Frame frame = emulator_.frame(emulator_.now());
        emulator_.recorder().addFresh(frame);
        frame.state = RunState::Running;
        return frame;
    }
    [[nodiscard]] double secondsOf(WallClock::Wall::time_point moment) const
    {
        return std::chrono::duration<double>(moment - began_).count();
    }

    static constexpr std::chrono::milliseconds k_between{100};

    const Progress& progress_;
    RunRecording* recording_;
    Emulator& emulator_;
    WallClock::Wall::time_point began_ = WallClock::Wall::now();
    WallClock::Wall::time_point next_ = began_ + k_between;
};

/// How many events to handle between two looks at the clock, which would cost more than many an event, while others
/// take a second: so many that a look is due every few milliseconds.
class Stride {
public:
    /// Counts an event; true: look.
    [[nodiscard]] bool isOver()
    {
        if (++events_ < length_) {
            return false;
        }
        const auto now = WallClock::Wall::now();
        const auto took = now - looked_;
        if (took > std::chrono::milliseconds(20)) {
            length_ = std::max(length_ / 2, 1);
        } else if (took < std::chrono::milliseconds(5)) {
            length_ = std::min(length_ * 2, k_longest);
        }
        looked_ = now;
        events_ = 0;
        return true;
    }

private:
    static constexpr int k_longest = 256;
    int length_ = 1;
    int events_ = 0;
    WallClock::Wall::time_point looked_ = WallClock::Wall::now();
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

std::unique_ptr<Emulator> makeEmulator(const Experiment& experiment, Executor& executor, WallClock* wall,
                                       const RunOptions& options)
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
    if (findModel(experiment.model.kind)->isComputed()) {
        setup.workload = makeWorkload(experiment, options.instruction_set);
        setup.start_at = std::make_shared<const Vector>(setup.workload->model->initial(experiment.seed));
    } else {
        setup.start_at = std::make_shared<const Vector>();
        setup.message_bytes = sizeof(float) * static_cast<std::size_t>(experiment.model.parameters);
    }
    setup.keeps_history = options.keeps_history;
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

std::string dateAndTime()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::optional<RunRecord> runExperiment(const Experiment& experiment, int threads, const Progress& progress,
                                       const RunOptions& options)
{
    Executor executor(threads > 0 ? threads : machineThreads());
    const std::unique_ptr<Emulator> emulator = makeEmulator(experiment, executor, nullptr, options);
    Teller teller(progress, options.recording, *emulator);
    Stride stride;
    while (!emulator->isOver()) {
        emulator->advance();
        if (stride.isOver() && !teller.tell()) {
            return std::nullopt;
        }
    }
    emulator->conclude();
    teller.tellRest();
    return emulator->takeRecord();
}

std::optional<RunRecord> runLive(const Experiment& experiment, const Progress& progress,
                                 const RunOptions& options)
{
    WallClock clock; // outlives the executor, whose workers tell it of their gradients
    Executor executor(liveThreads(experiment));
    const std::unique_ptr<Emulator> emulator = makeEmulator(experiment, executor, &clock, options);
    Teller teller(progress, options.recording, *emulator);
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
        if (!teller.tell()) {
            return std::nullopt;
        }
    }
    emulator->conclude();
    teller.tellRest();
    return emulator->takeRecord();
}

} // namespace lab
