#include "core/experiment/open_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace lab {

void failWith(const std::filesystem::path& path, int error)
{
    throw Error(path.string() + ": " + std::generic_category().message(error));
}

OpenFile::OpenFile(const std::filesystem::path& path, std::filesystem::path shown, int flags)
    : shown_(std::move(shown)),
      number_(::open(path.c_str(), flags | O_CLOEXEC, 0666))
{
    if (number_ < 0) {
        failWith(shown_, errno);
    }
}

OpenFile::~OpenFile()
{
    if (number_ >= 0) {
        ::close(number_);
    }
}

void OpenFile::write(std::string_view bytes) const
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(number_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            failWith(shown_, errno);
        }
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void OpenFile::sync(bool is_folder) const
{
    if (::fsync(number_) != 0 && !(is_folder && errno == EINVAL)) {
        failWith(shown_, errno);
    }
}

void OpenFile::close()
{
    const int number = std::exchange(number_, -1);
    if (::close(number) != 0 && errno != EINTR) {
        failWith(shown_, errno);
    }
}

void OpenFile::cutTo(std::size_t bytes) const
{
    if (::ftruncate(number_, static_cast<off_t>(bytes)) != 0) {
        failWith(shown_, errno);
    }
}

bool OpenFile::lock() const
{
    if (::flock(number_, LOCK_EX | LOCK_NB) == 0) {
        return true;
    }
    if (errno != EWOULDBLOCK) {
        failWith(shown_, errno);
    }
    return false;
}

} // namespace lab
