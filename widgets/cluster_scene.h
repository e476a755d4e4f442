#pragma once

#include "widgets/cluster_items.h"
#include "widgets/node_item.h"
#include "widgets/run_history.h"

#include <QGraphicsScene>

#include <map>
#include <set>
#include <vector>

namespace lab {

/// The cluster as items: server, groups, nodes, links and messages, kept up with the newest frame. Knows nothing of
/// mouse and keyboard.
class ClusterScene final : public QGraphicsScene {
    Q_OBJECT
public:
    explicit ClusterScene(QObject* parent = nullptr);

    /// Makes the items of a new run. `model` is what the server's card says it trains.
    void begin(const RunHistory& history, const QString& model);
    /// Follows the newest frame. `available` is the visible size in scene units.
    void refresh(const RunHistory& history, QSizeF available, const Theme& theme);

    void setSelection(const std::set<NodeId>& nodes, NodeId focus);
    /// Shows that nodes wait for their new group, until the frame says that they are there.
    void setPending(NodeId node, GroupId group) { pending_[node] = group; }
    /// What a group would do with the nodes dragged over it; an invalid group ends it.
    void setOffer(GroupId group, const QString& text);
    /// Nodes under the pointer's hand are not put back to their places.
    void hold(const std::set<NodeId>& nodes) { held_ = nodes; }
    void release();

    [[nodiscard]] NodeItem* nodeItem(NodeId node) const { return nodes_[node.index()]; }
    [[nodiscard]] std::size_t nodeCount() const { return nodes_.size(); }
    [[nodiscard]] NodeId nodeAt(QPointF where) const;   ///< invalid where there is none
    [[nodiscard]] GroupId groupOf(NodeId node) const;   ///< whose box it is drawn in
    [[nodiscard]] GroupId groupAt(QPointF where) const; ///< invalid where there is none
    [[nodiscard]] QRectF boxOf(GroupId group) const;    ///< null where there is none
    [[nodiscard]] std::set<NodeId> nodesIn(const QRectF& area) const;
    [[nodiscard]] const Partition& groups() const { return groups_; }

private:
    void arrange(QSizeF available);
    void place();
    void refreshNode(NodeId node, const RunHistory& history, const Theme& theme);
    void refreshGroups(const RunHistory& history, const Theme& theme);
    void refreshMessages(const Frame& frame, const Theme& theme);
    [[nodiscard]] QString noticeFor(GroupId group, const RunHistory& history) const;
    [[nodiscard]] QString kindOf(std::size_t group, const Frame& frame) const;

    ServerItem* server_ = nullptr;
    LinksItem* links_ = nullptr;
    std::vector<NodeItem*> nodes_;
    std::vector<GroupItem*> group_items_;
    QString model_;
    Partition groups_;
    ClusterLayout layout_;
    QSizeF available_;
    std::vector<std::size_t> link_of_group_;
    std::set<NodeId> selected_;
    NodeId focus_;
    std::map<NodeId, GroupId> pending_;
    std::set<NodeId> held_;
    GroupId offer_group_;
    QString offer_;
};

} // namespace lab
