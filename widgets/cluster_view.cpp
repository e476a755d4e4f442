#include "widgets/cluster_view.h"

#include "widgets/cluster_scene.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_usual_text_pixels = 12;
constexpr double k_least_zoom = 1.0 / 3;
constexpr double k_most_zoom = 4;

} // namespace

ClusterView::ClusterView(QWidget* parent) : QGraphicsView(parent), scene_(new ClusterScene(this))
{
    setObjectName(QStringLiteral("clusterView"));
    setScene(scene_);
    setFrameShape(QFrame::NoFrame);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Cluster"));
    setAccessibleDescription(
        tr("Nodes in their groups. Tab and the arrow keys choose a node, M moves it to another group, Enter "
           "goes to its controls. The nodes table offers the same."));
    setWhatsThis(tr(
        "The cluster. Each card is a node: what it does, how far it is, how much of its time it waited, and "
        "how stale (τ) its last gradient was. Drag a card into another group, or onto empty space for a "
        "new group; the change takes effect when the group's round in hand is over."));
    setMinimumSize(260, 200);
    viewport()->setAutoFillBackground(false);
}

void ClusterView::begin(const RunHistory& history, const QString& model, const QString& why_no_moves)
{
    endGesture();
    history_ = &history;
    why_no_moves_ = why_no_moves;
    const auto is_gone = [&](NodeId node) { return node.index() >= history.nodeCount(); };
    std::erase_if(selection_, is_gone);
    if (focus_.isValid() && is_gone(focus_)) {
        focus_ = {};
    }
    scene_->begin(history, model);
    redraw();
    Q_EMIT selectionChanged();
}

void ClusterView::refresh(const RunHistory& history)
{
    history_ = &history;
    redraw();
}

void ClusterView::redraw()
{
    if (history_ == nullptr) {
        return;
    }
    scene_->setSelection(selection_, hasFocus() ? focus_ : NodeId());
    const double unit = transform().m11();
    scene_->refresh(*history_, QSizeF(viewport()->size()) / unit, themeOf(palette()));
}

void ClusterView::fitUnit()
{
    // The scene is drawn for 12 px text; larger text enlarges all of it alike.
    const double unit = zoom_ * QFontInfo(font()).pixelSize() / k_usual_text_pixels;
    if (unit > 0 && transform().m11() != unit) {
        setTransform(QTransform::fromScale(unit, unit));
    }
}

void ClusterView::setZoom(double zoom)
{
    zoom_ = std::clamp(zoom, k_least_zoom, k_most_zoom);
    fitUnit();
    redraw();
}

void ClusterView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setZoom(zoom_ * std::pow(1.001, event->angleDelta().y()));
        event->accept();
        return;
    }
    QGraphicsView::wheelEvent(event);
}

void ClusterView::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    fitUnit();
    redraw();
}

void ClusterView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        fitUnit();
        redraw();
    }
}

void ClusterView::select(const std::set<NodeId>& nodes)
{
    if (nodes == selection_) {
        return;
    }
    selection_ = nodes;
    if (!nodes.empty() && !nodes.contains(focus_)) {
        focus_ = *nodes.begin();
    }
    redraw();
    Q_EMIT selectionChanged();
}

void ClusterView::expectMoves(const std::vector<Change>& changes)
{
    for (const Change& change : changes) {
        if (const auto* move = std::get_if<Move>(&change)) {
            scene_->setPending(move->node, move->group);
        }
    }
    redraw();
}

QRect ClusterView::cardOf(NodeId node) const
{
    const NodeItem* item = scene_->nodeItem(node);
    return mapFromScene(item->mapRectToScene(item->boundingRect())).boundingRect();
}

QRect ClusterView::boxOf(GroupId group) const
{
    const QRectF box = scene_->boxOf(group);
    return box.isNull() ? QRect() : mapFromScene(box).boundingRect();
}

void ClusterView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || history_ == nullptr) {
        event->ignore();
        return;
    }
    press_ = pointer_ = mapToScene(event->pos());
    press_pixel_ = event->pos();
    pressed_ = scene_->nodeAt(press_);
    const bool adds = event->modifiers().testFlag(Qt::ControlModifier);
    if (!pressed_.isValid()) {
        before_band_ = adds ? selection_ : std::set<NodeId>();
        gesture_ = Gesture::Banding;
        select(before_band_);
        return;
    }
    gesture_ = Gesture::Pressed;
    focus_ = pressed_;
    std::set<NodeId> wanted = selection_;
    if (adds) {
        if (!wanted.erase(pressed_)) {
            wanted.insert(pressed_);
        }
    } else if (!wanted.contains(pressed_)) {
        wanted = {pressed_}; // a press on one of several keeps them, so that all can be dragged
    }
    select(wanted);
    redraw();
}

void ClusterView::mouseMoveEvent(QMouseEvent* event)
{
    pointer_ = mapToScene(event->pos());
    if (gesture_ == Gesture::Pressed
        && (event->pos() - press_pixel_).manhattanLength() >= QApplication::startDragDistance()) {
        startDrag();
    }
    if (gesture_ == Gesture::Dragging) {
        dragTo(pointer_);
    } else if (gesture_ == Gesture::Banding) {
        std::set<NodeId> wanted = scene_->nodesIn(QRectF(press_, pointer_).normalized());
        wanted.insert(before_band_.begin(), before_band_.end());
        select(wanted);
        viewport()->update();
    }
}

void ClusterView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (gesture_ == Gesture::Dragging) {
        drop();
    } else if (gesture_ == Gesture::Pressed && !event->modifiers().testFlag(Qt::ControlModifier)) {
        select({pressed_});
    }
    endGesture();
}

void ClusterView::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void ClusterView::focusOutEvent(QFocusEvent* event)
{
    QGraphicsView::focusOutEvent(event);
    if (gesture_ != Gesture::None) {
        endGesture();
    }
    redraw();
}

void ClusterView::drawForeground(QPainter* painter, const QRectF&)
{
    const Theme& theme = themeOf(palette());
    painter->setRenderHint(QPainter::Antialiasing);
    if (gesture_ == Gesture::Banding && pointer_ != press_) {
        QColor soft = theme.accent;
        soft.setAlpha(28);
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(soft);
        painter->drawRoundedRect(QRectF(press_, pointer_).normalized(), 3, 3);
    }
    if (gesture_ == Gesture::Dragging && !scene_->groupAt(pointer_).isValid()) {
        QFont font = fontFor(TextRole::SmallStrong, scene_->font());
        font.setPixelSize(11);
        painter->setFont(font);
        painter->setPen(theme.accent_text);
        const GroupId fresh{scene_->groups().size()};
        painter->drawText(pointer_ + QPointF(14, -10), tr("New Group %1").arg(groupLetter(fresh)));
    }
}

} // namespace lab
