#pragma once

#include "core/experiment/experiment.h"

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <optional>

class QMenu;
class QWidget;

namespace lab {

class Document;
struct LiveTrace;
struct OpenedSession;

/// A document and the disk: new, open, save, recent files, the question about unsaved edits, and what a crash left.
/// Dialogs belong to the window; everything that goes wrong is said by failed(), and then nothing has changed.
class DocumentFiles final : public QObject {
    Q_OBJECT
public:
    DocumentFiles(Document& document, QWidget& window);

    void makeNew();
    void chooseAndOpen();
    /// An experiment or a session. False where it stays with what was open.
    bool open(const QString& path);
    /// A run of a session, by its number; nothing: the last one. The file is not one of the recent ones then.
    bool openRun(const QString& session, std::optional<std::int64_t> number);
    void openExample(const QString& name);
    /// One that is on no disk yet. False where it stays with what was open.
    bool openUnsaved(const Experiment& experiment);
    bool save();
    bool saveAs();
    /// Writes without asking. The document is then that file's.
    bool saveTo(const QString& path);
    /// Writes an experiment that is not the document's own.
    void saveCopy(const Experiment& experiment);
    /// Writes a live run as an experiment that repeats it under the virtual clock, and the trace of its tasks beside it.
    void saveReplay(const Experiment& journal, const LiveTrace& trace);
    /// The same without asking. False where nothing was written.
    bool saveReplayTo(const QString& path, const Experiment& journal, const LiveTrace& trace);
    /// Asks about unsaved edits where there are any. False: the person wants to stay.
    bool mayLeave();
    /// Offers what a crash left behind, if there is something. True where it was opened.
    bool offerRecovery();

    void setRecent(const QStringList& paths) { recent_ = paths; }
    [[nodiscard]] const QStringList& recent() const { return recent_; }
    /// Fills the menu with them: those that are gone are grey.
    void fillRecent(QMenu& menu);

Q_SIGNALS:
    /// Another experiment takes the place of the one that was open.
    void opened(const lab::Experiment& experiment, const QString& path);
    /// The same, but what is on disk is not this.
    void recovered(const lab::Experiment& experiment, const QString& path);
    /// A recorded run takes its place.
    void sessionOpened(const lab::OpenedSession& session);
    void failed(const QString& why);
    void done(const QString& what);

private:
    [[nodiscard]] QString chooseTarget(const QString& title);

    Document& document_;
    QWidget& window_;
    QStringList recent_;
};

} // namespace lab
