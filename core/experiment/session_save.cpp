#include "core/experiment/session_save.h"

#include "core/base/error.h"
#include "core/experiment/open_file.h"
#include "core/record/database.h"
#include "core/record/session_copy.h"

#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr int k_most_links = 40; ///< one after the other, as the operating system has it

[[noreturn]] void refuse(const fs::path& file, const std::string& why)
{
    throw Error(file.string() + ": " + why);
}

/// The file that a name means in the end, which need not exist.
fs::path behindLinks(fs::path file)
{
    for (int i = 0; fs::is_symlink(fs::symlink_status(file)); ++i) {
        if (i == k_most_links) {
            refuse(file, "too many levels of symbolic links");
        }
        file = file.parent_path() / fs::read_symlink(file);
    }
    return file;
}

void checkTarget(const fs::path& session, const fs::path& target)
{
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status)) {
        refuse(target, "is a folder");
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        refuse(target, "is not a regular file");
    }
    if (fs::equivalent(session, target, error)) {
        refuse(target, "is the session itself; choose another name");
    }
    // What lies in a second file belongs to the session that has the name now, and would be taken for a part of ours.
    if (hasLog(target)) {
        refuse(target, "is a session that is being recorded, or was not closed; choose another name");
    }
}

/// A new empty file beside the target, gone with this object unless it took the target's name.
class Draft {
public:
    Draft(const fs::path& target, const fs::path& shown) : target_(target), shown_(shown)
    {
        // The target's own name may be as long as names can be.
        const std::string stem = ".straggler-lab-" + std::to_string(::getpid()) + '-';
        std::error_code error;
        int number = 0;
        do {
            path_ = target_.parent_path() / (stem + std::to_string(++number));
        } while (fs::exists(fs::symlink_status(path_, error)));
        OpenFile(path_, shown_, O_WRONLY | O_CREAT | O_EXCL).close();
    }
    ~Draft()
    {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

    void takeName()
    {
        std::error_code error;
        if (const fs::file_status before = fs::status(target_, error); fs::exists(before)) {
            fs::permissions(path_, before.permissions(), error);
        }
        OpenFile(path_, shown_, O_RDONLY).sync();
        if (::rename(path_.c_str(), target_.c_str()) != 0) {
            failWith(shown_, errno);
        }
        OpenFile(target_.parent_path(), shown_, O_RDONLY | O_DIRECTORY).sync(true);
    }

private:
    fs::path target_;
    fs::path shown_; ///< what errors call it
    fs::path path_;
};

void writeAnew(const fs::path& session, Database::Access access, const fs::path& shown,
               const fs::path& target)
{
    try {
        const fs::path file = behindLinks(fs::absolute(target));
        checkTarget(shown, file);
        Draft draft(file, target);
        Database database(session, access, target.string());
        Row row;
        const std::string into = draft.path().string();
        // In one go from one state of the database, whoever writes to it meanwhile.
        database.run("VACUUM INTO ?", row.text(into));
        draft.takeName();
    } catch (const DamagedFile&) {
        refuse(shown, "is damaged and cannot be written anew; copy the file itself");
    } catch (const fs::filesystem_error& failure) {
        refuse(target, failure.code().message());
    }
}

} // namespace

void saveSession(const fs::path& recording, const fs::path& target)
{
    writeAnew(recording, Database::Access::Write, recording, target);
}

void copySession(const fs::path& session, const fs::path& target)
{
    const SessionCopy copy(session);
    writeAnew(copy.path(), copy.isCopy() ? Database::Access::Write : Database::Access::Immutable, session,
              target);
}

} // namespace lab
