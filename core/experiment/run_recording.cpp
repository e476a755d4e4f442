#include "core/experiment/run_recording.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiment/experiment_json.h"
#include "core/learn/model_catalog.h"

#include <utility>

namespace lab {
namespace {

/// Far less than the second that may be lost: a frame that is committed has to be written first, and a slow moment of the
/// machine must do no harm.
constexpr double k_between_commits = 0.1;

} // namespace

RunRecording::RunRecording(const RecordingPlan& plan, Experiment experiment, ClockKind clock,
                           std::string started)
    : plan_(plan),
      experiment_(std::move(experiment)),
      clock_(clock),
      started_(std::move(started)),
      file_(plan.file, plan.shown)
{
}

void RunRecording::begin(const Frame& first)
{
    RunHead head;
    head.title = experiment_.title;
    head.strategy = experiment_.strategy.kind;
    head.clock = clock_ == ClockKind::Live ? "live" : "virtual";
    head.seed = experiment_.seed;
    head.started = started_;
    head.program_version = programVersion();
    head.build = programBuild();
    if (findModel(experiment_.model.kind)->isComputed()) {
        head.instruction_set = instructionSetName(plan_.instruction_set);
    }
    std::error_code gone; // a current folder that was deleted
    head.folder = std::filesystem::absolute(experiment_.folder, gone).lexically_normal().string();
    head.experiment = experimentToJson(experiment_);
    head.nodes = nodeNames(experiment_);
    file_.begin(head, first);
    has_begun_ = true;
}

void RunRecording::commit(const Frame& frame, std::span<const std::vector<double>> tasks)
{
    file_.tasks(tasks);
    file_.commit(frame);
    if (plan_.most_bytes && file_.bytes() >= *plan_.most_bytes) {
        file_.abandon("full");
        throw Error(plan_.file.string() + ": has grown to "
                    + shortNumber(static_cast<double>(*plan_.most_bytes) / (1 << 20))
                    + " MiB, the most that is allowed");
    }
}

void RunRecording::append(const Frame& frame, std::span<const std::vector<double>> tasks, double wall)
{
    if (!has_begun_) {
        begin(frame);
        committed_ = wall;
        return;
    }
    awaitWriter();
    const bool goes_on = frame.state == RunState::Running;
    const bool commits = !goes_on || wall - committed_ >= k_between_commits;
    if (commits) {
        committed_ = wall;
    }
    if (!goes_on
        || clock_ == ClockKind::Live) { // whose task times change meanwhile, and which has time to spare
        write(frame, tasks, commits);
        return;
    }
    writing_ = writer_.submit([this, frame, commits] {
        write(frame, {}, commits);
        return true;
    });
}

void RunRecording::write(const Frame& frame, std::span<const std::vector<double>> tasks, bool commits)
{
    file_.append(frame);
    if (commits) {
        commit(frame, tasks);
    }
}

void RunRecording::awaitWriter()
{
    if (auto writing = std::exchange(writing_, std::nullopt)) {
        (void)writing->take();
    }
}

void RunRecording::changed(std::span<const Intervention> edits, const Experiment& journal)
{
    LAB_EXPECTS(has_begun_);
    awaitWriter();
    for (const Intervention& edit : edits) {
        file_.change(edit.at, eventToJson(edit, journal));
    }
    file_.journal(experimentToJson(journal));
}

void RunRecording::finish(const RunRecord& ending, const Summary& summary)
{
    awaitWriter();
    file_.finish(ending, summary.wall_seconds, summaryToJson(summary));
    file_.close();
}

void RunRecording::stop(const Frame& last, std::span<const std::vector<double>> tasks)
{
    awaitWriter();
    write(last, tasks, true);
    file_.abandon("closed");
    file_.close();
}

std::string programBuild()
{
#if defined(__clang__)
    const std::string compiler = "clang " + std::string(__clang_version__);
#else
    const std::string compiler = "g++ " + std::string(__VERSION__);
#endif
    return compiler + ", " + LAB_BUILD_TYPE;
}

} // namespace lab
