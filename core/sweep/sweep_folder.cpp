#include "core/sweep/sweep_folder.h"

#include "core/base/error.h"
#include "core/experiment/json_text.h"
#include "core/experiment/open_file.h"
#include "core/experiment/summary.h"
#include "core/sweep/report.h"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_folder_format = "straggler-lab/sweep-folder";

std::string sweepJson(const Sweep& sweep)
{
    JsonLines lines;
    lines.text("format", k_folder_format);
    lines.raw("version", "1");
    lines.text("program_version", programVersion());
    lines.text("fingerprint", fingerprintOf(sweep));
    lines.raw("sweep", jsonText(sweep.root));
    return lines.done() + '\n';
}

/// The sweep in a folder's sweep.json, and the fingerprint that it had.
SweepFolder readSweepJson(const fs::path& folder)
{
    const fs::path file = folder / "sweep.json";
    const std::string name = file.string();
    JsonDocument document = parseJson(textOf(file));
    const JsonValue* format = document.root ? document.root->member("format") : nullptr;
    const JsonValue* fingerprint = document.root ? document.root->member("fingerprint") : nullptr;
    const JsonValue* sweep = document.root ? document.root->member("sweep") : nullptr;
    const bool is_ours = document.problems.empty() && format != nullptr && format->text() != nullptr
        && *format->text() == k_folder_format && fingerprint != nullptr && fingerprint->text() != nullptr
        && sweep != nullptr;
    if (!is_ours) {
        throw Error(name + ": was not written by a sweep; name a new folder");
    }
    SweepFolder read;
    read.fingerprint = *fingerprint->text();
    read.sweep = readSweep({*sweep, {}}, name, folder);
    return read;
}

void syncFolder(const fs::path& folder) { OpenFile(folder, folder, O_RDONLY | O_DIRECTORY).sync(true); }

} // namespace

void claimSweepFolder(const fs::path& folder, const Sweep& sweep)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error)) {
        throw Error(folder.string() + ": " + (error ? error.message() : "is a file, not a folder"));
    }
    if (fs::exists(folder / "sweep.json", error)) {
        if (readSweepJson(folder).fingerprint != fingerprintOf(sweep)) {
            throw Error(
                folder.string()
                + ": holds runs of another sweep: the sweep's file, the experiment that it names or the "
                  "program has changed since; name a new folder");
        }
        return;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename() == "sweep.json.part") {
            continue; // killed at the very start
        }
        throw Error(folder.string()
                    + ": holds files but no sweep.json, so it is not from a sweep; name a new folder");
    }
    replaceFile(folder / "sweep.json", sweepJson(sweep));
}

SweepFolder readSweepFolder(const fs::path& folder)
{
    std::error_code error;
    if (!fs::exists(folder / "sweep.json", error)) {
        throw Error(folder.string() + ": holds no sweep.json, so it is not from a sweep");
    }
    SweepFolder read = readSweepJson(folder);
    if (read.fingerprint != fingerprintOf(read.sweep)) {
        throw Error(folder.string() + ": is from another version of the program, or sweep.json was changed");
    }
    const fs::path file = folder / "runs.csv";
    if (fs::exists(file, error)) {
        read.runs = readRuns(textOf(file), file.string(), read.sweep);
    }
    return read;
}

void writeResults(const fs::path& folder, const Sweep& sweep, const Runs& runs)
{
    replaceFile(folder / "results.csv", resultsCsv(sweep, runs));
    replaceFile(folder / "results.md", resultsMarkdown(sweep, runs));
}

std::string runsText(const Sweep& sweep, const Runs& runs)
{
    std::string text = runsHeader(sweep) + '\n';
    for (const auto& [index, run] : runs) {
        text += runsRow(sweep, run);
    }
    return text;
}

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad()) {
        throw Error(file.string() + ": cannot be read");
    }
    return text;
}

void replaceFile(const fs::path& file, std::string_view bytes)
{
    const fs::path beside = file.string() + ".part";
    OpenFile opened(beside, file, O_WRONLY | O_CREAT | O_TRUNC);
    opened.write(bytes);
    opened.sync();
    opened.close();
    if (std::rename(beside.c_str(), file.c_str()) != 0) {
        failWith(file, errno);
    }
    syncFolder(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

} // namespace lab
