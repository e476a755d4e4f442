// The keyboard's and the menu's twins of everything that the mouse does on the canvas.

#include "widgets/cluster_scene.h"
#include "widgets/cluster_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

namespace lab {

void ClusterView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        if (gesture_ != Gesture::None) {
            endGesture();
        } else if (!selection_.empty()) {
            select({});
        } else {
            event->ignore(); // the window may have a use for it
        }
        return;
    case Qt::Key_Right:
    case Qt::Key_Down:
        moveFocus(+1, event->modifiers().testFlag(Qt::ShiftModifier));
        return;
    case Qt::Key_Left:
    case Qt::Key_Up:
        moveFocus(-1, event->modifiers().testFlag(Qt::ShiftModifier));
        return;
    case Qt::Key_Home:
    case Qt::Key_End:
        focus_ = {};
        moveFocus(event->key() == Qt::Key_Home ? +1 : -1, false);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!selection_.empty()) {
            Q_EMIT inspectRequested();
        }
        return;
    case Qt::Key_M:
        if (!selection_.empty()) {
            showMoveMenu(viewport()->mapToGlobal(cardOf(*selection_.begin()).center()));
        }
        return;
    default:
        QGraphicsView::keyPressEvent(event);
    }
}

bool ClusterView::moveFocus(int step, bool extends)
{
    const int count = static_cast<int>(scene_->nodeCount());
    const int from = focus_.isValid() ? focus_.value() : (step > 0 ? -1 : count);
    const int to = from + step;
    if (to < 0 || to >= count) {
        return false;
    }
    focus_ = NodeId{to};
    ensureVisible(scene_->nodeItem(focus_));
    std::set<NodeId> wanted{focus_};
    if (extends) {
        wanted.insert(selection_.begin(), selection_.end());
    }
    select(wanted);
    redraw();
    return true;
}

bool ClusterView::focusNextPrevChild(bool next)
{
    // Tab goes from node to node, and beyond the last one to the next panel.
    return moveFocus(next ? +1 : -1, false) || QGraphicsView::focusNextPrevChild(next);
}

void ClusterView::contextMenuEvent(QContextMenuEvent* event)
{
    if (history_ == nullptr || gesture_ == Gesture::Dragging) {
        return;
    }
    if (event->reason() == QContextMenuEvent::Mouse) {
        const NodeId under = scene_->nodeAt(mapToScene(event->pos()));
        if (under.isValid() && !selection_.contains(under)) {
            select({under});
        }
    }
    if (!selection_.empty()) {
        const bool is_mouse = event->reason() == QContextMenuEvent::Mouse;
        Q_EMIT menuRequested(is_mouse ? event->globalPos()
                                      : viewport()->mapToGlobal(cardOf(*selection_.begin()).center()));
    }
}

void ClusterView::showMoveMenu(QPoint where)
{
    if (const QString why = whyNoMoveNow(); !why.isEmpty()) {
        Q_EMIT refused(why);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("moveMenu"));
    fillMoveMenu(*menu);
    menu->popup(where);
}

void ClusterView::fillMoveMenu(QMenu& menu)
{
    menu.clear();
    const bool can_move = history_ != nullptr && !selection_.empty() && whyNoMoveNow().isEmpty();
    for (std::size_t g = 0; g <= scene_->groups().size(); ++g) {
        const GroupId group{g};
        const bool is_new = g == scene_->groups().size();
        if (!is_new && scene_->groups()[g].empty()) {
            continue;
        }
        const QString letter = groupLetter(group);
        QAction* action =
            menu.addAction(is_new ? tr("New Group &%1").arg(letter) : tr("Group &%1").arg(letter));
        action->setEnabled(can_move && wouldMove(group));
        connect(action, &QAction::triggered, this, [this, group] { requestMove(selection_, group); });
    }
}

} // namespace lab
