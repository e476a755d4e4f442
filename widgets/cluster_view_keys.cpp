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
        } else {
            select({});
        }
        return;
    case Qt::Key_Right:
    case Qt::Key_Down:
        moveFocus(+1);
        return;
    case Qt::Key_Left:
    case Qt::Key_Up:
        moveFocus(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (focus_.isValid()) {
            select({focus_});
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

void ClusterView::moveFocus(int step)
{
    const int count = static_cast<int>(scene_->nodeCount());
    if (count == 0) {
        return;
    }
    const int from = focus_.isValid() ? focus_.value() : (step > 0 ? -1 : count);
    focus_ = NodeId{(from + step + count) % count};
    ensureVisible(scene_->nodeItem(focus_));
    select({focus_});
    redraw();
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
        showMoveMenu(event->globalPos());
    }
}

void ClusterView::showMoveMenu(QPoint where)
{
    if (!why_no_moves_.isEmpty()) {
        Q_EMIT refused(why_no_moves_);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("moveMenu"));
    menu->addSection(tr("Move to"));
    for (std::size_t g = 0; g <= scene_->groups().size(); ++g) {
        const GroupId group{g};
        const bool is_new = g == scene_->groups().size();
        if (!is_new && scene_->groups()[g].empty()) {
            continue;
        }
        const QString letter = groupLetter(group);
        QAction* action =
            menu->addAction(is_new ? tr("New Group &%1").arg(letter) : tr("Group &%1").arg(letter));
        action->setEnabled(wouldMove(group));
        connect(action, &QAction::triggered, this, [this, group] { requestMove(group); });
    }
    menu->popup(where);
}

} // namespace lab
