#include "tests/support/session_fixture.h"

#include "core/base/error.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run.h"
#include "core/experiment/run_recording.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace lab::test {
namespace {

bool isSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Not-a-number has many bit patterns and one meaning.
RunRecord withOneNaN(RunRecord run)
{
    for (Evaluation& one : run.curve) {
        for (double* figure : {&one.train_loss, &one.validation_loss, &one.validation_accuracy}) {
            *figure = std::isnan(*figure) ? std::numeric_limits<double>::quiet_NaN() : *figure;
        }
    }
    return run;
}

std::string differenceOfNodes(const NodeFrame& a, const NodeFrame& b)
{
    if (a.activity != b.activity || a.group != b.group || a.since != b.since || a.due != b.due) {
        return "activity, group, since or due";
    }
    if (!(a.times == b.times) || a.task_time != b.task_time) {
        return "times";
    }
    if (a.cost_others != b.cost_others) {
        return "what it cost the others";
    }
    if (a.slowdown != b.slowdown || a.gradients != b.gradients || a.staleness_mean != b.staleness_mean) {
        return "slowdown, gradients or mean staleness";
    }
    return a.staleness_last == b.staleness_last && a.staleness_max == b.staleness_max ? "" : "staleness";
}

std::string differenceOfGroups(const std::vector<GroupFrame>& a, const std::vector<GroupFrame>& b)
{
    if (a.size() != b.size()) {
        return "number of groups";
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::string group = "group " + std::to_string(i) + ": ";
        if (a[i].members != b[i].members || a[i].tolerance != b[i].tolerance) {
            return group + "members or tolerance";
        }
        if (a[i].updates != b[i].updates || a[i].formed != b[i].formed) {
            return group + "updates or formed";
        }
    }
    return {};
}

std::string differenceOfLast(const Frame& a, const Frame& b)
{
    if (a.state != b.state || a.now != b.now || a.version != b.version || a.samples != b.samples) {
        return "state, now, version or samples";
    }
    if (a.nodes.size() != b.nodes.size()) {
        return "number of nodes";
    }
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        if (std::string difference = differenceOfNodes(a.nodes[i], b.nodes[i]); !difference.empty()) {
            return "node " + std::to_string(i) + ": " + difference;
        }
    }
    if (std::string difference = differenceOfGroups(a.groups, b.groups); !difference.empty()) {
        return difference;
    }
    const auto isSameTransfer = [](const TransferFrame& x, const TransferFrame& y) {
        return x.node == y.node && x.up == y.up && x.start == y.start && x.end == y.end;
    };
    if (!std::ranges::equal(a.transfers, b.transfers, isSameTransfer)) {
        return "transfers";
    }
    if (a.is_measuring != b.is_measuring || a.open != b.open) {
        return "measuring or open spans";
    }
    if (a.staleness.counts() != b.staleness.counts() || a.staleness.mean() != b.staleness.mean()
        || a.staleness.max() != b.staleness.max() || a.staleness.total() != b.staleness.total()) {
        return "histogram";
    }
    if (!isSame(a.server_utilisation, b.server_utilisation) || a.live != b.live || !(a.theory == b.theory)) {
        return "utilisation, live figures or theory";
    }
    return a.stop_reason == b.stop_reason && a.message == b.message ? "" : "stop reason or message";
}

} // namespace

Experiment eventfulExperiment(const std::string& strategy)
{
    Experiment experiment = smallExperiment(6);
    experiment.strategy.kind = strategy;
    experiment.cluster.jitter = {.kind = JitterKind::Lognormal};
    experiment.cluster.nodes[3].slowdown = 4;
    experiment.cluster.nodes[4].name = "knoten, \"4\" 四";
    experiment.cluster.network = Network{.latency = 0.002, .bandwidth = 1e6, .server_bandwidth = 1e5};
    experiment.cluster.server_seconds = 0.001;
    experiment.cluster.failure_detection_seconds = 0.3;
    experiment.evaluate_every_updates = 7;
    experiment.stop = {.seconds = 20, .updates = 300, .samples = {}, .loss = {}};
    experiment.events = {
        {.at = atMs(1500), .change = Slow{.node = NodeId{1}, .factor = 3, .lasting = ms(2345)}},
        {.at = atMs(2500), .change = Fail{.node = NodeId{2}, .lasting = ms(1500)}},
        {.at = atMs(3500), .change = Slow{.node = NodeId{0}, .factor = 1.7, .lasting = std::nullopt}}};
    if (findStrategy(strategy)->uses_groups) {
        experiment.events.push_back(
            {.at = atMs(4500), .change = Move{.node = NodeId{5}, .group = GroupId{0}}});
    }
    experiment.switches = {{.at = atMs(9000), .strategy = {.kind = "ssp", .values = {}}, .groups = {}}};
    return experiment;
}

RunRecord recordRun(const Experiment& experiment, const std::filesystem::path& file)
{
    LAB_EXPECTS(validate(experiment).empty());
    RunRecording recording({.file = file}, experiment, ClockKind::Virtual, dateAndTime());
    std::optional<RunRecord> run = runExperiment(experiment, 1, {}, {.recording = &recording});
    recording.finish(*run, summarize(experiment, *run, 1.25));
    return std::move(*run);
}

std::string differenceOfRuns(const RunRecord& a, const RunRecord& b)
{
    if (std::string difference = firstDifference(withOneNaN(a), withOneNaN(b)); !difference.empty()) {
        return difference;
    }
    if (a.groupings != b.groupings) {
        return "groupings";
    }
    if (a.slowdowns != b.slowdowns) {
        return "slowdowns";
    }
    if (a.instruction_set != b.instruction_set) {
        return "instruction sets";
    }
    if (a.task_seconds != b.task_seconds) {
        return "task seconds";
    }
    return differenceOfLast(a.last, b.last);
}

std::string differenceOfStates(const Frame& a, const Frame& b)
{
    const auto plain = [](Activity activity) {
        return activity == Activity::Wasted ? Activity::Computing : activity;
    };
    if (a.now != b.now || a.version != b.version || a.samples != b.samples
        || a.is_measuring != b.is_measuring) {
        return "now, version, samples or measuring";
    }
    for (std::size_t i = 0; i < std::max(a.nodes.size(), b.nodes.size()); ++i) {
        const NodeFrame& x = a.nodes.at(i);
        const NodeFrame& y = b.nodes.at(i);
        const std::string node =
            "at " + std::to_string(toSeconds(a.now)) + ", node " + std::to_string(i) + ": ";
        if (plain(x.activity) != plain(y.activity) || x.since != y.since || x.group != y.group) {
            return node + "activity, since or group";
        }
        const auto worked = [](const NodeFrame& one) {
            return one.times[Activity::Computing] + one.times[Activity::Wasted];
        };
        if (worked(x) != worked(y) || x.times[Activity::Waiting] != y.times[Activity::Waiting]
            || x.times[Activity::Communicating] != y.times[Activity::Communicating]
            || x.times[Activity::Down] != y.times[Activity::Down]) {
            return node + "times";
        }
        if (x.slowdown != y.slowdown || x.gradients != y.gradients || x.staleness_mean != y.staleness_mean
            || x.staleness_last != y.staleness_last || x.staleness_max != y.staleness_max) {
            return node + "slowdown, gradients or staleness";
        }
    }
    return a.staleness.counts() == b.staleness.counts() ? differenceOfGroups(a.groups, b.groups)
                                                        : "histogram";
}

std::vector<Frame> framesOf(const Experiment& experiment)
{
    Executor executor(1);
    const auto emulator = makeEmulator(experiment, executor);
    std::vector<Frame> frames;
    for (int events = 0; !emulator->isOver(); ++events) {
        // Only when nothing else happens at the same moment has everything of the moment happened.
        const std::optional<TimePoint> next = emulator->nextAt();
        if (events % 7 == 0 && next && *next > emulator->now()) {
            frames.push_back(emulator->frame(emulator->now()));
            frames.push_back(emulator->frame(emulator->now() + (*next - emulator->now()) / 2));
        }
        emulator->advance();
    }
    return frames;
}

std::string sessionProblem(const std::filesystem::path& file)
{
    try {
        const SessionReader session(file);
        std::string problem = session.damage();
        for (const SessionRun& run : session.runs()) {
            problem += openRun(session, run.number).recorded.damage;
        }
        return problem;
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace lab::test
