#pragma once

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include <sys/mount.h>
#include <sys/resource.h>

namespace lab::test {

/// No file may grow beyond so many bytes while this lives: a disk that is full.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~SmallDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    rlimit before_{};
};

/// A file system in memory with room for so many bytes, mounted on a folder while this lives. Takes a right that not
/// everybody has.
class SmallFileSystem {
public:
    SmallFileSystem(std::filesystem::path folder, std::size_t bytes) : folder_(std::move(folder))
    {
        const std::string size = "size=" + std::to_string(bytes);
        is_mounted_ = ::mount("none", folder_.c_str(), "tmpfs", 0, size.c_str()) == 0;
    }
    ~SmallFileSystem()
    {
        if (is_mounted_) {
            ::umount2(folder_.c_str(), MNT_DETACH);
        }
    }
    SmallFileSystem(const SmallFileSystem&) = delete;
    SmallFileSystem& operator=(const SmallFileSystem&) = delete;

    [[nodiscard]] bool isMounted() const { return is_mounted_; }

private:
    std::filesystem::path folder_;
    bool is_mounted_ = false;
};

} // namespace lab::test
