#include "core/experiment/results.h"

#include "core/base/error.h"
#include "core/experiment/experiment_json.h"
#include "core/experiment/folder_writer.h"
#include "core/experiment/live_replay.h"
#include "core/record/csv.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

/// All that a run may leave in its folder; a folder that holds anything else is not ours to replace.
constexpr std::array<std::string_view, 12> k_names_of_a_run{
    "summary.json", "report.html",  "run.json",  "trace.json",  "curve.csv",    "updates.csv",
    "nodes.csv",    "timeline.csv", "trace.csv", "replay.json", k_session_name, "charts"};

[[noreturn]] void refuse(const fs::path& folder, const std::string& why)
{
    throw Error(folder.string() + ": " + why);
}

/// The folder itself: absolute, without links, dots and a slash at the end.
fs::path resolved(const fs::path& folder)
{
    std::error_code error;
    fs::path path = fs::weakly_canonical(fs::absolute(folder), error);
    if (error) {
        refuse(folder, error.message());
    }
    return path.has_filename() ? path : path.parent_path();
}

/// The nearest folder on the way up that exists.
fs::path existingParent(const fs::path& folder)
{
    fs::path parent = folder.parent_path();
    std::error_code error;
    while (parent.has_relative_path()
           && fs::symlink_status(parent, error).type() == fs::file_type::not_found) {
        parent = parent.parent_path();
    }
    return parent;
}

/// What a folder that exists holds: nothing, a run, or something to keep hands off.
void checkContent(const fs::path& folder, bool may_replace)
{
    bool is_empty = true;
    bool has_summary = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (std::ranges::find(k_names_of_a_run, name) == k_names_of_a_run.end()) {
            refuse(folder, "holds " + name + ", which is not from a run; name a new folder");
        }
        is_empty = false;
        has_summary = has_summary || (name == "summary.json" && entry.is_regular_file());
    }
    if (!is_empty && !has_summary) {
        refuse(folder, "holds files but no summary.json, so it is not from a run; name a new folder");
    }
    if (!is_empty && !may_replace) {
        refuse(folder, "holds a run already; --force replaces it");
    }
}

} // namespace

std::vector<NamedBytes> runFiles(const Experiment& experiment, const RunRecord& run, const Summary& summary)
{
    const std::vector<std::string> names = nodeNames(experiment);
    std::vector<NamedBytes> files{{"summary.json", summaryToJson(summary)},
                                  {"curve.csv", curveCsv(run)},
                                  {"updates.csv", updatesCsv(run, names)},
                                  {"nodes.csv", nodesCsv(run, names)},
                                  {"timeline.csv", timelineCsv(run, names)}};
    if (std::string trace = traceCsv(run.task_seconds); !trace.empty()) {
        files.push_back({"trace.csv", std::move(trace)});
        files.push_back({"replay.json", experimentToJson(replayOf(experiment, "trace.csv"))});
    }
    return files;
}

void checkRunFolder(const fs::path& folder, bool may_replace)
{
    if (folder.empty()) {
        throw Error("the results need a folder with a name");
    }
    const fs::path path = resolved(folder);
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) {
        if (!path.has_relative_path() || fs::equivalent(path, fs::current_path(error), error)) {
            refuse(folder, "is the current folder, which cannot be replaced; name a new one inside it");
        }
        try {
            checkContent(path, may_replace);
        } catch (const fs::filesystem_error& unreadable) {
            refuse(folder, unreadable.code().message());
        }
    } else if (status.type() != fs::file_type::not_found) {
        refuse(folder, fs::exists(status) ? "is a file, not a folder" : error.message());
    }
    const fs::path parent = existingParent(path);
    if (!fs::is_directory(parent, error)) {
        refuse(folder, parent.string() + " is no folder");
    }
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
        refuse(folder,
               "cannot be made in " + parent.string() + ": " + std::generic_category().message(errno));
    }
}

/// Parents that had to be made, gone again unless they are kept.
class RunFolder::Parents {
public:
    explicit Parents(const fs::path& folder)
        : innermost_(folder.parent_path()),
          existing_(existingParent(folder))
    {
        std::error_code error;
        fs::create_directories(innermost_, error);
        if (error) {
            removeMade();
            refuse(innermost_, error.message());
        }
    }
    ~Parents()
    {
        if (!is_kept_) {
            removeMade();
        }
    }
    Parents(const Parents&) = delete;
    Parents& operator=(const Parents&) = delete;
    void keep() { is_kept_ = true; }

private:
    void removeMade() const
    {
        std::error_code ignored;
        for (fs::path path = innermost_; path != existing_ && path.has_relative_path();
             path = path.parent_path()) {
            fs::remove(path, ignored); // only where it is empty
        }
    }

    fs::path innermost_;
    fs::path existing_;
    bool is_kept_ = false;
};

RunFolder::RunFolder(fs::path folder, bool may_replace)
    : folder_(std::move(folder)),
      may_replace_(may_replace)
{
    checkRunFolder(folder_, may_replace_);
    target_ = resolved(folder_);
    parents_ = std::make_unique<Parents>(target_);
    for (const fs::path& left : FolderWriter::leftIn(target_.parent_path())) {
        std::error_code error;
        if (fs::is_regular_file(left / k_session_name, error)) {
            leftovers_.push_back(left / k_session_name);
        }
    }
    writer_ = std::make_unique<FolderWriter>(target_);
}

RunFolder::~RunFolder() = default;

const fs::path& RunFolder::path() const { return writer_->path(); }

void RunFolder::write(const std::vector<NamedBytes>& files)
{
    for (const NamedBytes& file : files) {
        writer_->write(file.name, file.bytes);
    }
}

void RunFolder::publish()
{
    checkRunFolder(folder_, may_replace_); // a run takes its time, and others may have been here
    std::error_code error;
    if (fs::is_directory(target_, error) && !fs::is_empty(target_, error)) {
        writer_->exchangeWithTarget();
    } else {
        writer_->moveToTarget();
    }
    parents_->keep();
}

void writeRunFolder(const fs::path& folder, const std::vector<NamedBytes>& files, bool may_replace)
{
    RunFolder whole(folder, may_replace);
    whole.write(files);
    whole.publish();
}

} // namespace lab
