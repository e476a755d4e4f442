#include "core/experiment/folder_writer.h"

#include "core/base/error.h"
#include "core/experiment/open_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr int k_most_attempts = 1000;
constexpr std::string_view k_start_of_name = ".straggler-lab-";

void syncFolder(const fs::path& folder) { OpenFile(folder, folder, O_RDONLY | O_DIRECTORY).sync(true); }

void syncTree(const fs::path& folder)
{
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_directory()) {
            syncFolder(entry.path());
        }
    }
    syncFolder(folder);
}

} // namespace

FolderWriter::FolderWriter(fs::path target) : target_(std::move(target))
{
    const fs::path parent = target_.parent_path();
    const std::string start = std::string(k_start_of_name) + std::to_string(::getpid()) + '-';
    int error = EEXIST;
    for (int attempt = 0; attempt < k_most_attempts && error == EEXIST; ++attempt) {
        path_ = parent / (start + std::to_string(attempt));
        error = ::mkdir(path_.c_str(), 0777) == 0 ? 0 : errno;
    }
    if (error != 0) {
        failWith(parent, error);
    }
    try {
        lock_ = std::make_unique<OpenFile>(path_, path_, O_RDONLY | O_DIRECTORY);
        (void)lock_->lock();
    } catch (
        const Error&) { // NOLINT(bugprone-empty-catch): not every file system locks; then nobody finds what is left
    }
}

std::vector<fs::path> FolderWriter::leftIn(const fs::path& parent)
{
    std::vector<fs::path> left;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
        if (!entry.path().filename().string().starts_with(k_start_of_name) || !entry.is_directory(error)) {
            continue;
        }
        try {
            if (OpenFile(entry.path(), entry.path(), O_RDONLY | O_DIRECTORY).lock()) {
                left.push_back(entry.path());
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): gone meanwhile, or somebody else's
        }
    }
    std::ranges::sort(left);
    return left;
}

FolderWriter::~FolderWriter()
{
    std::error_code ignored; // what cannot be removed stays; there is nobody left to tell
    if (!path_.empty()) {
        fs::remove_all(path_, ignored);
    }
}

void FolderWriter::write(const fs::path& relative, std::string_view bytes)
{
    const fs::path file = path_ / relative;
    const fs::path shown = target_ / relative;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) {
        failWith(shown.parent_path(), error.value());
    }
    OpenFile opened(file, shown, O_WRONLY | O_CREAT | O_EXCL);
    opened.write(bytes);
    opened.sync();
    opened.close();
}

void FolderWriter::moveToTarget()
{
    syncTree(path_);
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        if (errno == EBUSY) {
            throw Error(target_.string()
                        + ": is where a file system is mounted; name a new folder inside it");
        }
        failWith(target_, errno);
    }
    keep();
    syncFolder(target_.parent_path());
}

void FolderWriter::exchangeWithTarget()
{
    syncTree(path_);
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
        syncFolder(target_.parent_path());
        return;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        failWith(target_, errno);
    }
    // A file system without that call: the old folder steps aside, and comes back where the new one cannot take over.
    FolderWriter aside(target_);
    const fs::path old = aside.path() / "old";
    if (::rename(target_.c_str(), old.c_str()) != 0) {
        failWith(target_, errno);
    }
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        const int error = errno;
        if (::rename(old.c_str(), target_.c_str()) != 0) {
            aside.keep();
            throw Error(target_.string() + ": could not be replaced; what it held is now in " + old.string());
        }
        failWith(target_, error);
    }
    keep();
    syncFolder(target_.parent_path());
}

} // namespace lab
