#pragma once

#include <filesystem>
#include <string_view>

namespace lab {

/// Throws Error that names the path and what errno value `error` means.
[[noreturn]] void failWith(const std::filesystem::path& path, int error);

/// A file or folder of the operating system that is open; every method throws Error naming it.
class OpenFile {
public:
    /// `flags` as for open(2); `shown` is what errors call it. New files are for everybody that the umask lets.
    OpenFile(const std::filesystem::path& path, std::filesystem::path shown, int flags);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    void write(std::string_view bytes) const;
    /// Waits until it is on the disk. Some file systems cannot do that for folders; then nothing more can be done.
    void sync(bool is_folder = false) const;
    /// Some file systems notice only now that there was no room.
    void close();
    /// Cuts everything after the first `bytes`.
    void cutTo(std::size_t bytes) const;
    /// Keeps others from locking it for as long as it is open; false where another one has it.
    [[nodiscard]] bool lock() const;

private:
    std::filesystem::path shown_;
    int number_;
};

} // namespace lab
