#pragma once

#include <filesystem>

namespace lab {

// A session under another name: written whole or not at all. What has that name already stays as it is where anything
// fails, and a symbolic link stays one. All of them throw Error that names a file and the cause.

/// What is committed of a session that this program records, which may go on meanwhile.
void saveSession(const std::filesystem::path& recording, const std::filesystem::path& target);

/// A session that somebody else's program may have written, and that stays as it is with all that is beside it.
void copySession(const std::filesystem::path& session, const std::filesystem::path& target);

} // namespace lab
