#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace lab {

class OpenFile;

/// A new folder that vanishes again with all its files unless it is kept.
///
/// Every method throws Error naming the path and the cause.
class FolderWriter {
public:
    /// Makes a folder with an unused name beside `target`, which it is to become: errors name the files in there.
    explicit FolderWriter(std::filesystem::path target);
    /// Folders in `parent` that were made so and whose program was killed. Those of programs that run are not among
    /// them: each keeps its own locked.
    [[nodiscard]] static std::vector<std::filesystem::path> leftIn(const std::filesystem::path& parent);
    ~FolderWriter();
    FolderWriter(const FolderWriter&) = delete;
    FolderWriter& operator=(const FolderWriter&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a file, makes sure that all of it is on the disk, and makes the folders on the way.
    void write(const std::filesystem::path& relative, std::string_view bytes);

    /// Gives the folder the target's name, which must not exist or be an empty folder.
    void moveToTarget();
    /// Exchanges it with the target in one step; what was there vanishes with this object.
    void exchangeWithTarget();
    /// It stays where it is.
    void keep() { path_.clear(); }

private:
    std::filesystem::path target_;
    std::filesystem::path path_;     ///< empty: it stays
    std::unique_ptr<OpenFile> lock_; ///< the folder itself
};

} // namespace lab
