#pragma once

#include "core/cluster/change.h"
#include "widgets/run_history.h"

#include <QGraphicsView>
#include <QMap>

#include <set>
#include <vector>

class QMenu;

namespace lab {

class ClusterScene;

/// The canvas: shows the cluster and lets a person select nodes and move them between groups, with the mouse or the
/// keyboard, while the run goes on. Edits nothing: it emits what is wanted, and follows what the frames say.
class ClusterView final : public QGraphicsView {
    Q_OBJECT
public:
    explicit ClusterView(QWidget* parent = nullptr);

    /// A new run. `model` is what the server trains; `why_no_moves` says why nodes cannot change groups, empty where
    /// they can.
    void begin(const RunHistory& history, const QString& model, const QString& why_no_moves);
    void refresh(const RunHistory& history);

    [[nodiscard]] const std::set<NodeId>& selection() const { return selection_; }
    void select(const std::set<NodeId>& nodes);
    /// Asks for these nodes to join a group, by whatever way a person chose it. A group one past the last is a new one.
    void requestMove(const std::set<NodeId>& nodes, GroupId target);
    /// The same with a group for each node.
    void requestMoves(const std::vector<Change>& moves);
    /// Fills a menu with the groups that the selection can move to.
    void fillMoveMenu(QMenu& menu);
    /// 1 is the usual size; it stays within a third and four times that.
    void setZoom(double zoom);
    [[nodiscard]] double zoom() const { return zoom_; }
    /// Marks nodes that the run will move at its next boundary.
    void expectMoves(const std::vector<Change>& changes);
    /// Where a node's card is now, in viewport coordinates.
    [[nodiscard]] QRect cardOf(NodeId node) const;
    /// Where a group's box is now, in viewport coordinates; null where there is none.
    [[nodiscard]] QRect boxOf(GroupId group) const;

Q_SIGNALS:
    void selectionChanged();
    /// All of it is one step for the undo list.
    void changesRequested(const std::vector<lab::Change>& changes);
    /// A person wants the controls of the selected node.
    void inspectRequested();
    /// The menu of all that can be done with the selection should open there.
    void menuRequested(QPoint where);
    /// Something cannot be done; the sentence says why.
    void refused(const QString& why);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    bool focusNextPrevChild(bool next) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    enum class Gesture { None, Pressed, Dragging, Banding };

    void fitUnit();
    void redraw();
    void startDrag();
    void dragTo(QPointF where);
    void drop();
    void endGesture();
    [[nodiscard]] GroupId targetAt(QPointF where) const;
    [[nodiscard]] bool wouldMove(GroupId target) const;
    [[nodiscard]] QString whyNoMoveNow() const;
    void showMoveMenu(QPoint where);
    bool moveFocus(int step, bool extends);

    ClusterScene* scene_;
    const RunHistory* history_ = nullptr;
    QString why_no_moves_;
    std::set<NodeId> selection_;
    NodeId focus_;
    double zoom_ = 1;
    Gesture gesture_ = Gesture::None;
    NodeId pressed_;
    QPointF press_; ///< scene
    QPointF pointer_;
    QPoint press_pixel_;
    std::set<NodeId> before_band_;
    QMap<int, QPointF> grips_; ///< by node: its place when the drag began
};

} // namespace lab
