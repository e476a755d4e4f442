#pragma once

#include "core/cluster/change.h"
#include "core/experiment/experiment.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

class QUndoStack;

namespace lab {

/// The experiment as the user has it before them, and every edit that can be undone.
///
/// An edit is a whole new value of the experiment, and the changes that bring a run in progress to the same state. A
/// change can be one that no experiment holds (a node fails now); then only its changes are done and undone.
class Document final : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    [[nodiscard]] QUndoStack& undoStack() { return *undo_; }
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] const QString& path() const { return path_; } ///< empty: not on disk yet
    [[nodiscard]] QString displayName() const;

    /// Another experiment; forgets all edits.
    void open(Experiment experiment, const QString& path);
    /// The same for one that was never saved as it is now: recovered, say.
    void openUnsaved(Experiment experiment, const QString& path);
    /// It is on disk now as `experiment`, which is what is edited but for the folder that relative paths start from.
    void markSaved(Experiment experiment, const QString& path);

    /// What a node of a run in progress is to do. The node goes by its name, since its id may be another one in the next
    /// run; a lasting Slow holds the slowdown that is wanted, not a factor on what the run began with.
    struct LiveChange {
        std::string node;
        Change change;
    };
    /// What an edit means for a run in progress, forwards and backwards.
    struct Live {
        std::vector<LiveChange> redo;
        std::vector<LiveChange> undo;
    };
    /// Does an edit and makes it undoable. Edits of the same kind one after the other, such as those of a slider that
    /// is being dragged, become one; `kind` 0 never joins.
    void edit(const QString& text, Experiment after, Live live, int kind);

Q_SIGNALS:
    void changed();
    /// The run in progress, if there is one, should do these now. `is_kept` tells that the experiment says the same, so
    /// that a run that is made from it needs not be told.
    void liveChanges(const std::vector<lab::Document::LiveChange>& changes, bool is_kept);

private:
    friend class EditCommand;
    void become(const Experiment& experiment, const std::vector<LiveChange>& live);

    Experiment experiment_;
    Experiment saved_;            ///< as it is on disk
    bool is_new_to_disk_ = false; ///< whatever the disk holds is not this
    QString path_;
    QUndoStack* undo_;
};

} // namespace lab
