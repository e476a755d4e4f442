#include "tests/support/experiment_fixture.h"

#include "core/base/error.h"
#include "core/experiment/run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace lab::test {
namespace {

/// Every bit of it, so that a NaN equals itself.
std::array<std::uint64_t, 6> bitsOf(const Evaluation& evaluation)
{
    return {static_cast<std::uint64_t>(evaluation.time.time_since_epoch().count()),
            static_cast<std::uint64_t>(evaluation.update),
            static_cast<std::uint64_t>(evaluation.samples),
            std::bit_cast<std::uint64_t>(evaluation.train_loss),
            std::bit_cast<std::uint64_t>(evaluation.validation_loss),
            std::bit_cast<std::uint64_t>(evaluation.validation_accuracy)};
}

template <class T, class IsSame>
std::string differenceOf(const char* what, const std::vector<T>& a, const std::vector<T>& b, IsSame isSame)
{
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!isSame(a[i], b[i])) {
            return std::string(what) + " " + std::to_string(i) + " differs";
        }
    }
    if (a.size() != b.size()) {
        return std::string(what) + "s: " + std::to_string(a.size()) + " and " + std::to_string(b.size());
    }
    return {};
}

std::string wrongInNode(const RunRecord& run, std::size_t node)
{
    const std::string name = "node " + std::to_string(node);
    const ActivityTimes& times = timesOf(run, node);
    if (times.total() != run.end.time_since_epoch()) {
        return name + ": " + std::to_string(times.total().count()) + " ns recorded of "
            + std::to_string(run.end.time_since_epoch().count());
    }
    ActivityTimes in_spans;
    TimePoint reached;
    for (const Span& span : spansOf(run, node)) {
        if (span.start != reached || span.end <= span.start) {
            return name + ": a span does not begin where the one before it ended, at "
                + std::to_string(reached.time_since_epoch().count()) + " ns";
        }
        in_spans[span.activity] += span.end - span.start;
        reached = span.end;
    }
    if (reached != run.end) {
        return name + ": its spans end before the run";
    }
    return in_spans == times ? std::string() : name + ": its spans do not add up to its times";
}

} // namespace

Experiment smallExperiment(std::size_t nodes)
{
    Experiment experiment;
    experiment.title = "small";
    experiment.data.source = std::string("blobs");
    experiment.model = {.kind = "softmax", .l2 = 0};
    experiment.training.batch = 8;
    experiment.stop = {.seconds = {}, .updates = 40, .samples = {}, .loss = {}};
    experiment.evaluate_every_updates = 1'000'000;
    for (std::size_t i = 0; i < nodes; ++i) {
        experiment.cluster.nodes.push_back(
            {.name = "n" + std::to_string(i), .slowdown = 1, .jitter = std::nullopt});
    }
    return experiment;
}

RunRecord run(const Experiment& experiment, int threads)
{
    LAB_EXPECTS(validate(experiment).empty());
    std::optional<RunRecord> record = runExperiment(experiment, threads, {});
    LAB_EXPECTS(record.has_value());
    return std::move(*record);
}

std::string firstDifference(const RunRecord& a, const RunRecord& b)
{
    const auto equal = [](const auto& x, const auto& y) { return x == y; };
    const std::array<std::string, 4> found{
        differenceOf("update", a.updates, b.updates, equal),
        differenceOf("evaluation", a.curve, b.curve,
                     [](const Evaluation& x, const Evaluation& y) { return bitsOf(x) == bitsOf(y); }),
        differenceOf("span", a.spans, b.spans, equal), differenceOf("log entry", a.log, b.log, equal)};
    for (const std::string& difference : found) {
        if (!difference.empty()) {
            return difference;
        }
    }
    if (a.end != b.end || a.stop_reason != b.stop_reason) {
        return "they end differently";
    }
    if (a.schedule_fingerprint != b.schedule_fingerprint) {
        return "the fingerprints of the schedules differ";
    }
    return a.number_fingerprint == b.number_fingerprint ? "" : "the fingerprints of the numbers differ";
}

std::string wrongInLedger(const RunRecord& run)
{
    for (std::size_t node = 0; node < run.last.nodes.size(); ++node) {
        if (std::string wrong = wrongInNode(run, node); !wrong.empty()) {
            return wrong;
        }
    }
    return {};
}

const ActivityTimes& timesOf(const RunRecord& run, std::size_t node) { return run.last.nodes.at(node).times; }

std::vector<Span> spansOf(const RunRecord& run, std::size_t node)
{
    std::vector<Span> spans;
    std::ranges::copy_if(run.spans, std::back_inserter(spans),
                         [node](const Span& span) { return span.node == NodeId{node}; });
    return spans;
}

Duration ms(std::int64_t milliseconds) { return std::chrono::milliseconds(milliseconds); }

TimePoint atMs(std::int64_t milliseconds) { return TimePoint{ms(milliseconds)}; }

ScratchFolder::ScratchFolder()
{
    std::string pattern = (std::filesystem::temp_directory_path() / "straggler-test-XXXXXX").string();
    const char* made = mkdtemp(pattern.data());
    LAB_EXPECTS(made != nullptr);
    path_ = made;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path ScratchFolder::write(const std::string& name, std::string_view content) const
{
    const std::filesystem::path file = path_ / name;
    std::ofstream out(file, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    LAB_EXPECTS(out.good());
    return file;
}

std::string traceCsv(std::size_t nodes, std::size_t iterations,
                     const std::function<double(std::size_t, std::size_t)>& seconds)
{
    std::string text = "node,iteration,seconds\n";
    for (std::size_t node = 0; node < nodes; ++node) {
        for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
            std::array<char, 32> digits{};
            const auto end =
                std::to_chars(digits.data(), digits.data() + digits.size(), seconds(node, iteration)).ptr;
            text += std::to_string(node) + ',' + std::to_string(iteration) + ',';
            text.append(digits.data(), end);
            text += '\n';
        }
    }
    return text;
}

} // namespace lab::test
