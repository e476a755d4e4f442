#pragma once

#include "core/cluster/change.h"
#include "core/experiment/experiment.h"

#include <QObject>
#include <QString>

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
    void markSaved(const QString& path);

    /// What an edit means for a run in progress, forwards and backwards.
    struct Live {
        std::vector<Change> redo;
        std::vector<Change> undo;
    };
    /// Does an edit and makes it undoable. Edits of the same kind one after the other, such as those of a slider that
    /// is being dragged, become one; `kind` 0 never joins.
    void edit(const QString& text, Experiment after, Live live, int kind);

Q_SIGNALS:
    void changed();
    /// The run in progress, if there is one, should do these now.
    void liveChanges(const std::vector<lab::Change>& changes);

private:
    friend class EditCommand;
    void become(const Experiment& experiment, const std::vector<Change>& live);

    Experiment experiment_;
    QString path_;
    QUndoStack* undo_;
};

} // namespace lab
