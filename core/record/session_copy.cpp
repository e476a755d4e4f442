#include "core/record/session_copy.h"

#include "core/base/error.h"
#include "core/record/session_schema.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_header = 100; ///< bytes that every SQLite file begins with
constexpr std::string_view k_magic{"SQLite format 3\0", 16};
constexpr std::size_t k_page_size_at = 16;
constexpr std::size_t k_version_at = 60;
constexpr std::size_t k_application_at = 68;
constexpr std::size_t k_log_header = 32;
constexpr int k_most_attempts = 5;

[[noreturn]] void refuse(const fs::path& file, const std::string& why)
{
    throw Error(file.string() + ": " + why);
}

/// The first bytes of a file, fewer where it has fewer; empty where it cannot be read.
std::string firstBytes(const fs::path& file, std::size_t count)
{
    std::string bytes(count, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

std::int64_t numberAt(std::string_view header, std::size_t place)
{
    std::int64_t number = 0;
    for (std::size_t i = place; i < place + 4; ++i) {
        number = number << 8U | static_cast<unsigned char>(header[i]);
    }
    return number;
}

/// What a file has beyond its last whole page: where it was cut off in mid-page, SQLite would take zeros for the rest.
std::uintmax_t beyondPages(const fs::path& file)
{
    const std::string header = firstBytes(file, k_header);
    if (header.size() < k_header) {
        return 0;
    }
    const auto high = static_cast<unsigned char>(header[k_page_size_at]);
    const auto low = static_cast<unsigned char>(header[k_page_size_at + 1]);
    const unsigned size = static_cast<unsigned>(high) << 8U | low;
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    return error ? 0 : bytes % (size <= 1 ? 1U << 16U : size); // 1 stands for 65536
}

fs::path beside(const fs::path& file, const char* ending) { return fs::path(file) += ending; }

bool hasContent(const fs::path& file)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return !error && size > 0;
}

} // namespace

void checkSessionHeader(const fs::path& file)
{
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) {
        refuse(file,
               status.type() == fs::file_type::not_found ? "there is no such file"
                                                         : "cannot be opened: " + error.message());
    }
    if (!fs::is_regular_file(status)) {
        refuse(file,
               fs::is_directory(status)
                   ? "is a folder, no session; a run's folder has its session.slab inside"
                   : "is not a regular file");
    }
    if (!std::ifstream(file, std::ios::binary)) {
        refuse(file, "cannot be opened: " + std::generic_category().message(errno));
    }
    const std::string header = firstBytes(file, k_header);
    if (header.empty()) {
        refuse(file, "is empty, no session; take it from a backup, or record the run again");
    }
    if (!header.starts_with(k_magic.substr(0, std::min(header.size(), k_magic.size())))) {
        refuse(file,
               header.front() == '{' ? "is no session but looks like JSON; open it as an experiment"
                                     : "is no session: it does not begin as one");
    }
    if (header.size() < k_header) {
        refuse(file,
               "is cut off after " + std::to_string(header.size())
                   + " bytes; take it from a backup, or record the run again");
    }
    if (numberAt(header, k_application_at) != k_session_application) {
        refuse(file, "is a database of another program, no session");
    }
    if (const std::int64_t version = numberAt(header, k_version_at); version != k_session_version) {
        refuse(file,
               "was written by another version of the program: it is a session of format "
                   + std::to_string(version) + ", and this program reads format "
                   + std::to_string(k_session_version) + "; open it with the program that wrote it");
    }
}

bool isDatabase(const fs::path& file)
{
    std::error_code error;
    return fs::is_regular_file(file, error) && firstBytes(file, k_magic.size()) == k_magic;
}

bool hasLog(const fs::path& file)
{
    return hasContent(beside(file, "-wal")) || hasContent(beside(file, "-journal"));
}

SessionCopy::SessionCopy(const fs::path& file) : path_(file)
{
    checkSessionHeader(file);
    if (beyondPages(file) > 0 || hasLog(file)) {
        copyAside(file);
    }
}

SessionCopy::~SessionCopy()
{
    std::error_code ignored;
    if (isCopy()) {
        fs::remove_all(folder_, ignored);
    }
}

void SessionCopy::copyAside(const fs::path& file)
{
    std::string pattern = (fs::temp_directory_path() / "straggler-lab-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        refuse(pattern, std::generic_category().message(errno));
    }
    folder_ = pattern;
    path_ = folder_ / "session.slab";
    const fs::path log = beside(file, "-wal");
    try {
        for (int attempt = 0; attempt < k_most_attempts; ++attempt) {
            const std::string before = firstBytes(log, k_log_header);
            for (const char* ending : {"", "-wal", "-journal"}) {
                std::error_code gone; // where the one who records is through with it
                fs::remove(beside(path_, ending), gone);
                if (fs::exists(beside(file, ending), gone)) {
                    fs::copy_file(beside(file, ending), beside(path_, ending));
                }
            }
            // A log that was begun anew meanwhile does not belong to what was copied before it.
            if (firstBytes(beside(path_, "-wal"), k_log_header) == before) {
                fs::resize_file(path_, fs::file_size(path_) - beyondPages(path_));
                return;
            }
        }
    } catch (const fs::filesystem_error& failure) {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
        refuse(file,
               "was not closed and has to be copied into " + folder_.string()
                   + " to be read, which fails: " + failure.code().message());
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    refuse(file, "is being written too fast to be read; try again when its run is over");
}

} // namespace lab
