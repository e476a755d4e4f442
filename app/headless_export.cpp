// export: a recorded run's tables and pictures.

#include "app/headless.h"
#include "core/base/error.h"
#include "core/experiment/chrome_trace.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run_json.h"
#include "core/record/session_copy.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

namespace lab {
namespace {

/// `1 bsp "Unbalanced"`.
std::string described(const SessionRun& run)
{
    return std::to_string(run.number) + ' ' + run.head.strategy + " \"" + run.head.title + '"';
}

/// The run that is meant. Throws Error where the session holds none, or several and none was named.
std::int64_t chosenRun(const SessionReader& session, const ExportCommand& command)
{
    const std::vector<SessionRun>& runs = session.runs();
    if (command.run) {
        return *command.run;
    }
    if (runs.empty()) {
        throw Error(session.name() + ": holds no run");
    }
    if (runs.size() > 1) {
        std::string list;
        for (const SessionRun& run : runs) {
            list += (list.empty() ? "" : ", ") + described(run);
        }
        throw Error(session.name() + ": holds " + std::to_string(runs.size())
                    + " runs; choose one with --run N: " + list);
    }
    return runs.front().number;
}

ExitStatus exportRun(const ExportCommand& command, const Console& console, const DrawPictures& draw_pictures)
{
    checkRunFolder(command.out, command.may_replace);
    std::optional<OpenedRun> read;
    try {
        const SessionReader session(command.session);
        read = openRun(session, chosenRun(session, command));
    } catch (const Error& error) {
        console.err << error.what() << '\n';
        return k_wrong_input;
    }
    const OpenedRun& opened = *read;
    const RunRecord& run = opened.recorded.record;
    const SessionRun& about = opened.recorded.run;
    const auto wants = [&](const char* format) {
        return std::ranges::find(command.formats, format) != command.formats.end();
    };

    const Summary summary = summarize(opened.experiment, run, about.wall_seconds.value_or(0));
    const std::string summary_json = about.summary.empty() ? summaryToJson(summary) : about.summary;
    std::vector<NamedBytes> files{{"summary.json", summary_json}};
    if (wants("csv")) {
        std::ranges::copy_if(runFiles(opened.experiment, run, summary), std::back_inserter(files),
                             [](const NamedBytes& file) { return file.name != "summary.json"; });
    }
    if (wants("json")) {
        files.push_back({"run.json", runToJson(opened.experiment, opened.journal, run, summary_json)});
    }
    if (wants("trace")) {
        files.push_back({"trace.json", chromeTrace(run, nodeNames(opened.experiment))});
    }
    if (draw_pictures && (wants("png") || wants("svg") || wants("pdf") || wants("html"))) {
        std::ranges::move(draw_pictures(opened.experiment, run, summary, command.formats),
                          std::back_inserter(files));
    }
    writeRunFolder(command.out, files, command.may_replace);

    if (!about.isFinished()) {
        console.err << "straggler-lab: " << command.session << ": run " << about.number
                    << " was not brought to its end; exported is what was recorded\n";
    }
    if (!opened.recorded.damage.empty()) {
        console.err << opened.recorded.damage << '\n';
        return k_wrong_input;
    }
    return k_ended;
}

} // namespace

bool isSessionFile(const std::filesystem::path& file)
{
    return file.extension() == ".slab" || isDatabase(file);
}

std::string aboutSession(const std::string& file)
{
    const SessionReader session(file);
    if (!session.damage().empty()) {
        throw Error(session.damage());
    }
    std::string about = "is a sound session of " + std::to_string(session.runs().size())
        + (session.runs().size() == 1 ? " run" : " runs");
    for (const SessionRun& run : session.runs()) {
        const RecordedRun recorded = openRun(session, run.number).recorded;
        if (!recorded.damage.empty()) {
            throw Error(recorded.damage);
        }
        if (!run.isFinished()) {
            about += "; run " + std::to_string(run.number) + " was not brought to its end";
        }
    }
    return about;
}

ExitStatus carryOut(const ExportCommand& command, const Console& console, const DrawPictures& draw_pictures)
{
    return guarded(console, [&] { return exportRun(command, console, draw_pictures); });
}

} // namespace lab
