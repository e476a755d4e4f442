#include "app/headless.h"

#include "app/progress_line.h"
#include "app/shipped_experiments.h"
#include "core/base/error.h"
#include "core/experiment/run.h"
#include "core/experiment/run_recording.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

namespace lab {
namespace {

namespace fs = std::filesystem;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A live run whose tasks took this much longer than they were to says so.
constexpr double k_notable_share = 0.02;

/// Says where a run is that was killed while it was written beside this one.
void tellLeftovers(const RunFolder& folder, const Console& console)
{
    for (const fs::path& session : folder.leftovers()) {
        console.err << "straggler-lab: a run that was killed left its record in " << session.string()
                    << "; open or export it, or remove its folder\n";
    }
}

/// The folder of a run, and the recording in it.
struct Output {
    RunFolder folder;
    RunRecording recording;

    Output(const RunCommand& command, const Experiment& experiment)
        : folder(*command.out, command.may_replace),
          recording({.file = folder.path() / k_session_name,
                     .shown = (fs::path(*command.out) / k_session_name).string(),
                     .instruction_set = command.instruction_set},
                    experiment, command.is_live ? ClockKind::Live : ClockKind::Virtual, dateAndTime())
    {
    }
};

ExitStatus runAndWrite(const RunCommand& command, const Console& console, const DrawCharts& draw_charts)
{
    const Experiment experiment = loadFileOrShipped(command.experiment, command.overrides);
    std::optional<Output> output;
    if (command.out) {
        output.emplace(command, experiment); // rather now than after the run
        tellLeftovers(output->folder, console);
    }

    const auto start = std::chrono::steady_clock::now();
    ProgressLine line(experiment, console.shows_progress && !command.is_quiet ? &console.err : nullptr);
    const Progress progress = [&](const Frame& frame) {
        line.show(frame, secondsSince(start));
        return !console.is_over || !console.is_over();
    };
    const RunOptions options{.instruction_set = command.instruction_set,
                             .keeps_history = command.out.has_value(),
                             .recording = output ? &output->recording : nullptr};
    const std::optional<RunRecord> run = command.is_live
        ? runLive(experiment, progress, options)
        : runExperiment(experiment, command.threads, progress, options);
    line.clear();
    if (!run) {
        console.err << "straggler-lab: interrupted; nothing was written\n";
        return k_interrupted;
    }

    const Summary summary = summarize(experiment, *run, secondsSince(start));
    if (output) {
        output->recording.finish(*run, summary);
        output->folder.write(runFiles(experiment, *run, summary));
        if (draw_charts) {
            output->folder.write(draw_charts(experiment, *run));
        }
        output->folder.publish();
    }
    if (summary.live && summary.live->machine_share > k_notable_share) {
        console.err << "straggler-lab: " << machineSentence(*summary.live) << '\n';
    }
    const bool is_stalled = run->stop_reason == StopReason::Stalled;
    if (is_stalled) {
        console.err << "straggler-lab: the run stalled: no live node can make progress any more"
                    << (run->last.message.empty() ? "" : "; " + run->last.message) << '\n';
    }
    return say(summaryLine(summary) + '\n', console, is_stalled ? k_stalled : k_ended);
}

/// `name  what it is`, the names in one column.
std::string asColumns(const std::vector<std::pair<std::string, std::string>>& rows)
{
    std::size_t width = 0;
    for (const auto& row : rows) {
        width = std::max(width, row.first.size());
    }
    std::string text;
    for (const auto& [name, title] : rows) {
        text += name + std::string(width - name.size() + 2, ' ') + title + '\n';
    }
    return text;
}

template <class Catalog> std::string catalogText(const Catalog& catalog)
{
    std::vector<std::pair<std::string, std::string>> rows;
    for (const auto& one : catalog) {
        rows.emplace_back(one.id, one.title);
    }
    return asColumns(rows);
}

std::string shippedText()
{
    std::vector<std::pair<std::string, std::string>> rows;
    for (const ShippedExperiment& one : shippedExperiments()) {
        const std::string name(one.name);
        rows.emplace_back(name, parseExperiment(one.json, name + ".json", {}).title);
    }
    return asColumns(rows);
}

std::string listText(ListCommand::What what)
{
    switch (what) {
    case ListCommand::What::Strategies:
        return catalogText(strategyCatalog());
    case ListCommand::What::Models:
        return catalogText(modelCatalog());
    case ListCommand::What::Data:
        return catalogText(datasetCatalog());
    case ListCommand::What::Experiments:
        return shippedText();
    }
    return {};
}

} // namespace

ExitStatus guarded(const Console& console, const std::function<ExitStatus()>& work)
{
    try {
        return work();
    } catch (const ExperimentError& error) {
        console.err << error.what() << '\n';
        return k_wrong_input;
    } catch (const std::exception& error) {
        console.err << error.what() << '\n';
        return k_not_carried_out;
    }
}

ExitStatus say(const std::string& text, const Console& console, ExitStatus status)
{
    if (!(console.out << text << std::flush)) {
        console.err << "straggler-lab: standard output cannot be written\n";
        return k_not_carried_out;
    }
    return status;
}

Experiment loadFileOrShipped(const std::string& name, std::span<const Override> overrides)
{
    std::error_code error;
    const ShippedExperiment* shipped = findShippedExperiment(name);
    if (shipped != nullptr && !fs::exists(name, error)) {
        return parseExperiment(shipped->json, name, {}, overrides);
    }
    return loadExperiment(name, overrides);
}

ExitStatus carryOut(const RunCommand& command, const Console& console, const DrawCharts& draw_charts)
{
    return guarded(console, [&] { return runAndWrite(command, console, draw_charts); });
}

ExitStatus carryOut(const ListCommand& command, const Console& console)
{
    return say(listText(command.what), console, k_ended);
}

ExitStatus carryOut(const ValidateCommand& command, const Console& console)
{
    ExitStatus status = k_ended;
    for (const std::string& file : command.files) {
        try {
            std::string is = "is a valid experiment";
            if (isSessionFile(file)) {
                is = aboutSession(file);
            } else if (fs::is_regular_file(file) && isSweepFile(file)) {
                const Sweep sweep = loadSweep(file);
                checkCombinations(sweep);
                is = "is a valid sweep of " + std::to_string(sweep.runs()) + " runs";
            } else {
                (void)loadExperiment(file);
            }
            const ExitStatus said = say(file + ": " + is + '\n', console, k_ended);
            status = std::max(status, said);
        } catch (const Error& error) {
            console.err << error.what() << '\n';
            status = k_wrong_input;
        }
    }
    return status;
}

} // namespace lab
