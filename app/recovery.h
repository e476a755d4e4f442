#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace lab {

class Document;

/// An experiment that a program left behind when it ended without being closed.
struct Leftover {
    QString file;   ///< the copy
    QString origin; ///< the file that it was opened from; empty: none
    QString title;
    QString saved_at; ///< when the copy was written, for people
};

/// Keeps a copy of an experiment with unsaved edits, in a folder of its own and never in the user's file. A clean end
/// takes the copy away; a crash leaves it for the next start.
class Recovery final : public QObject {
    Q_OBJECT
public:
    /// Watches the document; the copy is at most half a minute old. No timer runs while there is nothing to save.
    explicit Recovery(Document& document, QObject* parent = nullptr);
    /// A clean end: the copy goes.
    ~Recovery() override;

    /// Writes the copy now, or takes it away where there are no unsaved edits. True where that was done.
    bool keepUp();

    /// What programs that are not running any more left behind.
    [[nodiscard]] static std::vector<Leftover> leftovers();
    static void discard(const Leftover& leftover);

Q_SIGNALS:
    void failed(const QString& why);

private:
    void notice();
    void takeAway();

    Document& document_;
    QString path_; ///< without extension
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
};

} // namespace lab
