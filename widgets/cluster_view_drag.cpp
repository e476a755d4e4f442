// Nodes in the hand: dragging them to a group, and what follows.

#include "widgets/cluster_scene.h"
#include "widgets/cluster_view.h"
#include "widgets/counted.h"

#include <algorithm>

namespace lab {

namespace {

constexpr double k_held_depth = 10;

} // namespace

void ClusterView::startDrag()
{
    if (const QString why = whyNoMoveNow(); !why.isEmpty()) {
        gesture_ = Gesture::None;
        Q_EMIT refused(why);
        return;
    }
    gesture_ = Gesture::Dragging;
    select([&] {
        std::set<NodeId> wanted = selection_;
        wanted.insert(pressed_);
        return wanted;
    }());
    grips_.clear();
    for (const NodeId node : selection_) {
        NodeItem* item = scene_->nodeItem(node);
        grips_.insert(node.value(), item->pos());
        item->setZValue(k_held_depth);
        item->setOpacity(0.9);
    }
    scene_->hold(selection_);
    viewport()->setCursor(Qt::ClosedHandCursor);
}

void ClusterView::dragTo(QPointF where)
{
    for (auto grip = grips_.cbegin(); grip != grips_.cend(); ++grip) {
        scene_->nodeItem(NodeId{grip.key()})->setPos(grip.value() + where - press_);
    }
    const GroupId target = targetAt(where);
    const QString what = counted(static_cast<qint64>(selection_.size()),
                                 history_->nameOf(*selection_.begin()), tr("%L1 nodes"));
    scene_->setOffer(wouldMove(target) ? target : GroupId(),
                     tr("Add %1 to Group %2").arg(what, groupLetter(target)));
    redraw();
    viewport()->update(); // the offer of a new group is drawn on top
}

GroupId ClusterView::targetAt(QPointF where) const
{
    const GroupId group = scene_->groupAt(where);
    return group.isValid() ? group : GroupId{scene_->groups().size()};
}

bool ClusterView::wouldMove(GroupId target) const
{
    return std::ranges::any_of(selection_, [&](NodeId node) { return scene_->groupOf(node) != target; });
}

QString ClusterView::whyNoMoveNow() const
{
    if (!why_no_moves_.isEmpty()) {
        return why_no_moves_;
    }
    if (!history_->isLive()) {
        return tr("This is the past. Go back to live to move nodes.");
    }
    if (history_->latest().is_measuring && history_->latest().now > TimePoint{}) {
        return tr("Speeds are being measured. Nodes can be moved when the groups are made.");
    }
    return {};
}

void ClusterView::drop()
{
    const GroupId target = targetAt(pointer_);
    const bool moves = wouldMove(target);
    endGesture();
    if (moves) {
        requestMove(selection_, target);
    }
}

void ClusterView::requestMoves(const std::vector<Change>& moves)
{
    if (const QString why = whyNoMoveNow(); !why.isEmpty()) {
        Q_EMIT refused(why);
    } else if (!moves.empty()) {
        Q_EMIT changesRequested(moves);
    }
}

void ClusterView::requestMove(const std::set<NodeId>& nodes, GroupId target)
{
    std::vector<Change> changes;
    for (const NodeId node : nodes) {
        if (scene_->groupOf(node) != target) {
            changes.emplace_back(Move{node, target});
        }
    }
    requestMoves(changes);
}

void ClusterView::endGesture()
{
    for (auto grip = grips_.cbegin(); grip != grips_.cend(); ++grip) {
        if (static_cast<std::size_t>(grip.key()) < scene_->nodeCount()) {
            NodeItem* item = scene_->nodeItem(NodeId{grip.key()});
            item->setZValue(0);
            item->setOpacity(1);
        }
    }
    grips_.clear();
    gesture_ = Gesture::None;
    scene_->setOffer({}, {});
    scene_->release();
    viewport()->unsetCursor();
    redraw();
    viewport()->update();
}

} // namespace lab
