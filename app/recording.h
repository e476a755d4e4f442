#pragma once

#include <QLockFile>
#include <QString>

#include <memory>
#include <vector>

namespace lab {

/// The session file that the runs of a window are recorded into, in a folder that holds those of all windows. A clean end
/// takes it away; a crash leaves it for the next start.
class Recording {
public:
    /// A new one, which is made by the first run. Throws Error where the folder cannot be made or written to.
    explicit Recording(const QString& folder);
    /// A clean end. No run may be recorded any more.
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// What a program left behind, to go on with: it stays behind again unless it is saved. Null where somebody else has
    /// taken it.
    [[nodiscard]] static std::unique_ptr<Recording> takeOver(const QString& file);

    [[nodiscard]] const QString& file() const { return file_; }
    /// There is something in it.
    [[nodiscard]] bool hasRuns() const;
    /// It is in a file of the user's now.
    void markSaved() { is_left_over_ = false; }

    /// In the user's data.
    [[nodiscard]] static QString usualFolder();
    /// What programs that are not running any more left in a folder, the newest first.
    [[nodiscard]] static std::vector<QString> leftovers(const QString& folder);
    /// Takes a file away with all that belongs to it, unless somebody else uses it.
    static void discard(const QString& file);

private:
    Recording(QString file, std::unique_ptr<QLockFile> lock);

    QString file_;
    std::unique_ptr<QLockFile> lock_; ///< held for as long as the file is in use
    bool is_left_over_ = false;       ///< it holds what nobody has saved yet
};

} // namespace lab
