#include "core/experiment/summary.h"

#include "core/base/text.h"
#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace lab {
namespace {

constexpr double k_no_number = std::numeric_limits<double>::quiet_NaN();

// Thousands of nodes times years in nanoseconds do not fit into 64 bits.
__extension__ using Wide = __int128;

/// The share of the time that nodes were alive which they spent on one activity.
double shareOf(Activity activity, const RunRecord& run)
{
    Wide spent = 0;
    Wide alive = 0;
    for (const NodeFrame& node : run.last.nodes) {
        spent += node.times[activity].count();
        alive += run.end.time_since_epoch().count() - node.times[Activity::Down].count();
    }
    return alive > 0 ? static_cast<double>(spent) / static_cast<double>(alive) : k_no_number;
}

std::string fingerprintToJson(const std::optional<std::uint64_t>& fingerprint)
{
    return fingerprint ? jsonString(fingerprintText(*fingerprint)) : "null";
}

std::string theoryToJson(const Prediction& theory)
{
    JsonLines lines("  ");
    lines.number("round_seconds", theory.round_seconds.value_or(k_no_number));
    lines.number("updates_per_second", theory.updates_per_second.value_or(k_no_number));
    lines.number("samples_per_second", theory.samples_per_second.value_or(k_no_number));
    lines.number("idle_fraction", theory.idle_fraction.value_or(k_no_number));
    lines.number("mean_staleness", theory.mean_staleness.value_or(k_no_number));
    lines.number("geometric_staleness", theory.geometric_staleness.value_or(k_no_number));
    lines.text("basis", theory.basis);
    return lines.done();
}

std::string sixDigits(double value) { return std::isnan(value) ? "-" : shortNumber(value, 6); }

} // namespace

const char* programVersion() { return LAB_VERSION; }

std::string fingerprintText(std::uint64_t fingerprint)
{
    char digits[16];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, fingerprint, 16);
    const std::string text(digits, result.ptr);
    return std::string(sizeof digits - text.size(), '0') + text;
}

Summary summarize(const Experiment& experiment, const RunRecord& run, double wall_seconds)
{
    Evaluation final_figures;
    final_figures.train_loss = final_figures.validation_loss = final_figures.validation_accuracy =
        k_no_number;
    if (!run.curve.empty()) {
        final_figures = run.curve.back();
    }
    Summary summary;
    summary.title = experiment.title;
    summary.strategy = experiment.strategy.kind;
    summary.seed = experiment.seed;
    summary.stop_reason = run.stop_reason;
    summary.seconds = toSeconds(run.end);
    summary.updates = run.last.version;
    summary.samples = run.last.samples;
    summary.train_loss = final_figures.train_loss;
    summary.validation_loss = final_figures.validation_loss;
    summary.validation_accuracy = final_figures.validation_accuracy;
    summary.idle_fraction = shareOf(Activity::Waiting, run);
    summary.wasted_fraction = shareOf(Activity::Wasted, run);
    summary.mean_staleness = run.last.staleness.total() == 0 ? k_no_number : run.last.staleness.mean();
    summary.max_staleness = run.last.staleness.max();
    summary.server_utilisation = run.last.server_utilisation;
    summary.wall_seconds = wall_seconds;
    summary.live = run.last.live;
    summary.clock = summary.live ? "live" : "virtual";
    summary.theory = run.last.theory;
    summary.instruction_set = run.instruction_set;
    summary.schedule_fingerprint = run.schedule_fingerprint;
    summary.number_fingerprint = run.number_fingerprint;
    return summary;
}

std::string summaryToJson(const Summary& summary)
{
    std::string seed;
    appendJsonSeed(seed, summary.seed);
    JsonLines lines;
    lines.text("format", "straggler-lab/summary");
    lines.raw("version", "1");
    lines.text("title", summary.title);
    lines.text("strategy", summary.strategy);
    lines.text("clock", summary.clock);
    lines.raw("seed", seed);
    lines.raw("stop_reason", summary.stop_reason ? jsonString(stopReasonName(*summary.stop_reason)) : "null");
    lines.number("seconds", summary.seconds);
    lines.raw("updates", numberText(summary.updates));
    lines.raw("samples", numberText(summary.samples));
    lines.number("train_loss", summary.train_loss);
    lines.number("validation_loss", summary.validation_loss);
    lines.number("validation_accuracy", summary.validation_accuracy);
    lines.number("idle_fraction", summary.idle_fraction);
    lines.number("wasted_fraction", summary.wasted_fraction);
    lines.number("mean_staleness", summary.mean_staleness);
    lines.raw("max_staleness", numberText(summary.max_staleness));
    lines.number("server_utilisation", summary.server_utilisation);
    lines.number("wall_seconds", summary.wall_seconds);
    if (summary.live) {
        lines.number("machine_share", summary.live->machine_share);
        lines.number("gradient_seconds", toSeconds(summary.live->gradient));
        lines.raw("most_computing", numberText(std::int64_t{summary.live->most_computing}));
        lines.raw("cores", numberText(std::int64_t{summary.live->cores}));
    }
    lines.raw("theory", theoryToJson(summary.theory));
    if (summary.instruction_set) {
        lines.text("instruction_set", instructionSetName(*summary.instruction_set));
    } else {
        lines.raw("instruction_set", "null");
    }
    lines.raw("schedule_fingerprint", fingerprintToJson(summary.schedule_fingerprint));
    lines.raw("number_fingerprint", fingerprintToJson(summary.number_fingerprint));
    lines.text("program_version", programVersion());
    return lines.done() + '\n';
}

std::string machineSentence(const LiveFigures& live)
{
    return shortNumber(100 * live.machine_share, 2)
        + " % of the time of tasks is this machine's doing: a gradient takes "
        + shortNumber(1e3 * toSeconds(live.gradient), 2) + " ms here, and up to "
        + std::to_string(live.most_computing) + " were in the works at once on " + std::to_string(live.cores)
        + (live.cores == 1 ? " core" : " cores");
}

std::string summaryLine(const Summary& summary)
{
    return summary.strategy + ": seconds " + sixDigits(summary.seconds) + ", updates "
        + numberText(summary.updates) + ", loss " + sixDigits(summary.train_loss) + ", accuracy "
        + sixDigits(summary.validation_accuracy) + ", idle " + sixDigits(summary.idle_fraction)
        + ", staleness " + sixDigits(summary.mean_staleness);
}

} // namespace lab
