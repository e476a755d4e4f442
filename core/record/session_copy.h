#pragma once

#include <filesystem>

namespace lab {

/// Throws Error that says what a file is instead, and what to do, where its first bytes are not those of a session that
/// this program can read. Changes nothing.
void checkSessionHeader(const std::filesystem::path& file);

/// Whether a file begins like an SQLite database.
[[nodiscard]] bool isDatabase(const std::filesystem::path& file);

/// Whether some of the database lies in a second file beside it: it is being written to, or was not closed.
[[nodiscard]] bool hasLog(const std::filesystem::path& file);

/// A session file that can be read and stays as it is. Where a program was killed while it recorded, or still records,
/// the newest of the session lies in a second file, and SQLite would write both into one; then this is a copy of the two
/// that is gone with this object. So it is where the file was cut off, without what is left of its last page.
class SessionCopy {
public:
    /// Throws Error as checkSessionHeader() does, and where it cannot be read or copied.
    explicit SessionCopy(const std::filesystem::path& file);
    ~SessionCopy();
    SessionCopy(const SessionCopy&) = delete;
    SessionCopy& operator=(const SessionCopy&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] bool isCopy() const { return !folder_.empty(); }

private:
    void copyAside(const std::filesystem::path& file);

    std::filesystem::path path_;
    std::filesystem::path folder_; ///< of the copy
};

} // namespace lab
