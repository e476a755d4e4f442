#include "core/learn/file_content.h"

#include "core/base/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace lab {
namespace {

/// Both limits are far above MNIST (47 MB) and CIFAR-10 (154 million values), and below what exhausts a desktop.
constexpr std::size_t k_most_bytes = std::size_t{1} << 31;
constexpr std::size_t k_most_values = std::size_t{1} << 28;

bool isGzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

[[noreturn]] void fail(const std::string& file, const std::string& what) { throw Error(file + ": " + what); }

/// zlib's reader of gzip members, closed when it goes out of scope.
class Inflater {
public:
    Inflater(std::string_view bytes, const std::string& name) : name_(name), size_(bytes.size())
    {
        // zlib never writes through next_in; it is only const in newer headers.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        constexpr int k_gzip_only = 15 + 16; // the largest window, and a gzip header rather than a zlib one
        if (inflateInit2(&stream_, k_gzip_only) != Z_OK) {
            fail(name_, "no memory to unpack it");
        }
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    [[nodiscard]] std::string all()
    {
        std::string out;
        std::array<char, std::size_t{64} * 1024> buffer{};
        for (;;) {
            stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
            stream_.avail_out = static_cast<uInt>(buffer.size());
            const int status = inflate(&stream_, Z_NO_FLUSH);
            out.append(buffer.data(), buffer.size() - stream_.avail_out);
            if (out.size() > k_most_bytes) {
                fail(name_, "unpacks to more than 2 GiB; use a smaller file");
            }
            if (status == Z_STREAM_END) {
                if (stream_.avail_in == 0) {
                    return out;
                }
                // gzip files may be written one after the other; what follows has to be another whole one.
                inflateReset(&stream_);
            } else if (status == Z_BUF_ERROR
                       || (status == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) {
                failAtByte(name_, size_, "the gzip data end early; the file is cut short, fetch it again");
            } else if (status != Z_OK) {
                failAtByte(name_, size_ - stream_.avail_in,
                           std::string("damaged gzip data (")
                               + (stream_.msg != nullptr ? stream_.msg : "zlib error")
                               + "); fetch the file again");
            }
        }
    }

private:
    const std::string& name_;
    std::size_t size_;
    z_stream stream_{};
};

} // namespace

FileContent readFile(const std::filesystem::path& path)
{
    const std::string name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
        fail(name, "no such file; relative paths start at the experiment's folder");
    }
    if (status.type() == std::filesystem::file_type::directory) {
        fail(name, "is a folder; name a file");
    }
    if (status.type() != std::filesystem::file_type::regular) {
        fail(name,
             "is no ordinary file that can be read" + (error ? " (" + error.message() + ")" : std::string()));
    }
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        fail(name, "cannot be read (" + error.message() + ")");
    }
    if (size > k_most_bytes) {
        fail(name, "is larger than 2 GiB; use a smaller file");
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    if (!stream) {
        fail(name,
             "cannot be read (" + (errno != 0 ? std::generic_category().message(errno) : "it ended early")
                 + "); check its permissions");
    }
    return unpacked(name, bytes);
}

FileContent unpacked(std::string name, std::string_view bytes)
{
    FileContent content{std::move(name), {}};
    content.bytes = isGzip(bytes) ? Inflater(bytes, content.name).all() : std::string(bytes);
    if (content.bytes.empty()) {
        fail(content.name, "is empty; give a file with at least one row");
    }
    return content;
}

void failAtLine(const std::string& file, std::size_t line, const std::string& what)
{
    throw Error(file + ':' + std::to_string(line) + ": " + what);
}

void failAtByte(const std::string& file, std::size_t byte, const std::string& what)
{
    throw Error(file + ": byte " + std::to_string(byte) + ": " + what);
}

void checkShape(const std::string& file, std::size_t rows, std::size_t features)
{
    const std::string shape = std::to_string(rows) + " rows of " + std::to_string(features) + " features";
    if (rows == 0 || features == 0) {
        fail(file, "holds " + shape + "; at least one row and one feature are needed");
    }
    if (features > k_most_values / rows) {
        fail(file,
             "holds " + shape + ", more than " + std::to_string(k_most_values)
                 + " values; use fewer rows or features");
    }
}

} // namespace lab
