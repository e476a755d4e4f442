#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

/// A file in memory.
struct FileContent {
    std::string name;  ///< how errors call it
    std::string bytes; ///< unpacked
};

/// Reads a whole file and unpacks it where it is gzip, whatever its name.
/// Throws Error where it is missing, no ordinary file, unreadable, empty, too large or damaged.
[[nodiscard]] FileContent readFile(const std::filesystem::path& path);

/// The bytes themselves, or what they unpack to where they are gzip. `name` is for errors, as above.
[[nodiscard]] FileContent unpacked(std::string name, std::string_view bytes);

/// Throws Error `file:line: what`; lines count from 1.
[[noreturn]] void failAtLine(const std::string& file, std::size_t line, const std::string& what);
/// Throws Error `file: byte N: what`; bytes count from 0, after unpacking.
[[noreturn]] void failAtByte(const std::string& file, std::size_t byte, const std::string& what);

/// Throws Error unless a table of this shape has a value at all and can be held in memory. Call it before allocating.
void checkShape(const std::string& file, std::size_t rows, std::size_t features);

} // namespace lab
