#pragma once

#include "widgets/cluster_layout.h"
#include "widgets/text_label.h"
#include "widgets/theme.h"

#include <QGraphicsItem>

namespace lab {

/// What a node's card says.
struct NodeLook {
    QString name;
    QString slowdown; ///< `4.0×`
    QString state;    ///< `computing`, or `→ B` while it waits for its new group
    QString idle;     ///< `idle 3 %`
    QString badge;    ///< `τ 2`, or nothing
    Activity activity = Activity::Waiting;
    int progress = 100; ///< per cent of what it does now
    bool is_selected = false;
    bool has_focus = false; ///< the keyboard acts on it

    friend bool operator==(const NodeLook&, const NodeLook&) = default;
};

/// One node's card. Draws a NodeLook; decides nothing.
class NodeItem final : public QGraphicsItem {
public:
    enum { Type = UserType + 1 };

    NodeItem(NodeId node, const QFont& base);

    [[nodiscard]] NodeId node() const { return node_; }
    [[nodiscard]] const NodeLook& look() const { return look_; }
    void setLook(const NodeLook& look, const Theme& theme);
    void setShape(CardSize size, QSizeF extent);

    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintFrame(QPainter& painter) const;
    void paintBar(QPainter& painter, const QRectF& bar) const;
    void paintFull(QPainter& painter) const;
    void paintCompact(QPainter& painter) const;
    void paintDot(QPainter& painter) const;

    NodeId node_;
    NodeLook look_;
    const Theme* theme_ = nullptr;
    CardSize size_ = CardSize::Full;
    QSizeF extent_;
    TextLabel name_;
    TextLabel slowdown_;
    TextLabel state_;
    TextLabel idle_;
    TextLabel badge_;
};

} // namespace lab
