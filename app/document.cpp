#include "app/document.h"

#include <QFileInfo>
#include <QUndoCommand>
#include <QUndoStack>

#include <utility>

namespace lab {

/// One edit: the experiment before and after, and what a run in progress is told.
class EditCommand final : public QUndoCommand {
public:
    EditCommand(Document& document, const QString& text, Experiment after, Document::Live live, int kind)
        : QUndoCommand(text),
          document_(document),
          before_(document.experiment()),
          after_(std::move(after)),
          live_(std::move(live)),
          kind_(kind)
    {
    }

    void redo() override { document_.become(after_, live_.redo); }
    void undo() override { document_.become(before_, live_.undo); }
    [[nodiscard]] int id() const override { return kind_ == 0 ? -1 : kind_; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto& next = static_cast<const EditCommand&>(*other);
        after_ = next.after_;
        live_.redo = next.live_.redo; // the undo side still leads back to where the first one began
        return true;
    }

private:
    Document& document_;
    Experiment before_;
    Experiment after_;
    Document::Live live_;
    int kind_;
};

Document::Document(QObject* parent) : QObject(parent), undo_(new QUndoStack(this)) {}

bool Document::isModified() const { return is_new_to_disk_ || experiment_ != saved_; }

QString Document::displayName() const
{
    if (!path_.isEmpty()) {
        return QFileInfo(path_).fileName();
    }
    return experiment_.title.empty() ? tr("untitled") : QString::fromStdString(experiment_.title);
}

void Document::open(Experiment experiment, const QString& path)
{
    experiment_ = std::move(experiment);
    saved_ = experiment_;
    is_new_to_disk_ = false;
    path_ = path;
    undo_->clear();
    Q_EMIT changed();
}

void Document::openUnsaved(Experiment experiment, const QString& path)
{
    open(std::move(experiment), path);
    is_new_to_disk_ = true;
    Q_EMIT changed();
}

void Document::markSaved(Experiment experiment, const QString& path)
{
    path_ = path;
    experiment_ = std::move(experiment);
    saved_ = experiment_;
    is_new_to_disk_ = false;
    Q_EMIT changed();
}

void Document::edit(const QString& text, Experiment after, Live live, int kind)
{
    if (after == experiment_ && live.redo.empty()) {
        return;
    }
    undo_->push(new EditCommand(*this, text, std::move(after), std::move(live), kind));
}

void Document::become(const Experiment& experiment, const std::vector<LiveChange>& live)
{
    const bool is_kept = experiment != experiment_;
    experiment_ = experiment;
    if (!live.empty()) {
        Q_EMIT liveChanges(live, is_kept);
    }
    Q_EMIT changed();
}

} // namespace lab
