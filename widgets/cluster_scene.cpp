#include "widgets/cluster_scene.h"

#include "widgets/counted.h"

#include <QApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab {

namespace {

constexpr double k_links_depth = -2;
constexpr double k_groups_depth = -1;
constexpr int k_text_pixels = 12; ///< of ordinary text in scene units

QFont sceneFont()
{
    QFont font = QApplication::font();
    font.setPixelSize(k_text_pixels);
    return font;
}

QString stateWord(const NodeFrame& node)
{
    switch (node.activity) {
    case Activity::Computing:
        return ClusterScene::tr("computing");
    case Activity::Wasted:
        return ClusterScene::tr("wasted");
    case Activity::Communicating:
        return ClusterScene::tr("sending");
    case Activity::Waiting:
        return ClusterScene::tr("waiting");
    case Activity::Down:
        return ClusterScene::tr("× failed");
    }
    return {};
}

/// How far the node is with what it does, in per cent; all of it where the end is not known.
int progressOf(const NodeFrame& node, TimePoint now)
{
    if (!node.due || *node.due <= node.since) {
        return 100;
    }
    const double share = toSeconds(now - node.since) / toSeconds(*node.due - node.since);
    return static_cast<int>(std::lround(100 * std::clamp(share, 0.0, 1.0)));
}

QString factor(double slowdown) { return QStringLiteral("%1×").arg(slowdown, 0, 'f', slowdown < 10 ? 1 : 0); }

} // namespace

ClusterScene::ClusterScene(QObject* parent) : QGraphicsScene(parent)
{
    setItemIndexMethod(QGraphicsScene::NoIndex); // most items change with each frame
}

void ClusterScene::begin(const RunHistory& history, const QString& model)
{
    clear();
    nodes_.clear();
    group_items_.clear();
    groups_.clear();
    pending_.clear();
    held_.clear();
    offer_group_ = {};
    available_ = {};
    model_ = model;
    const QFont font = sceneFont();
    server_ = new ServerItem(font);
    links_ = new LinksItem;
    links_->setZValue(k_links_depth);
    addItem(links_);
    addItem(server_);
    for (std::size_t i = 0; i < history.nodeCount(); ++i) {
        nodes_.push_back(new NodeItem(NodeId{i}, font));
        addItem(nodes_.back());
    }
}

void ClusterScene::refresh(const RunHistory& history, QSizeF available, const Theme& theme)
{
    const Frame& frame = history.shown();
    if (server_ == nullptr || frame.nodes.size() != nodes_.size()) {
        return;
    }
    Partition groups = partitionOf(frame);
    if (groups != groups_ || available != available_) {
        groups_ = std::move(groups);
        arrange(available);
    }
    server_->setLook(tr("Parameter server"), tr("version %L1 · %2").arg(frame.version).arg(model_), theme);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        refreshNode(NodeId{i}, history, theme);
    }
    refreshGroups(history, theme);
    refreshMessages(frame, theme);
}

void ClusterScene::arrange(QSizeF available)
{
    available_ = available;
    layout_ = layOutCluster(groups_, nodes_.size(), available);
    setSceneRect(QRectF(QPointF(0, 0), layout_.extent));
    while (group_items_.size() < groups_.size()) {
        auto* item = new GroupItem(GroupId{group_items_.size()}, sceneFont());
        item->setZValue(k_groups_depth);
        addItem(item);
        group_items_.push_back(item);
    }
    server_->setPos(layout_.server.topLeft());
    server_->setExtent(layout_.server.size());
    std::vector<LinksItem::Link> links;
    link_of_group_.assign(groups_.size(), 0);
    for (std::size_t g = 0; g < group_items_.size(); ++g) {
        const QRectF box = g < groups_.size() ? layout_.groups[g] : QRectF();
        group_items_[g]->setVisible(!box.isNull());
        if (box.isNull()) {
            continue;
        }
        group_items_[g]->setPos(box.topLeft());
        group_items_[g]->setExtent(box.size(), headerHeight(layout_.size));
        link_of_group_[g] = links.size();
        // The ends fan out along the server's lower edge in the order of the groups below it.
        const double share = std::clamp(box.center().x() / layout_.extent.width(), 0.0, 1.0);
        links.push_back({QPointF(box.center().x(), box.top()),
                         QPointF(layout_.server.left() + layout_.server.width() * (0.2 + 0.6 * share),
                                 layout_.server.bottom())});
    }
    links_->setLinks(std::move(links), QRectF(QPointF(0, 0), layout_.extent));
    place();
}

void ClusterScene::place()
{
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i]->setShape(layout_.size, layout_.nodes[i].size());
        if (!held_.contains(NodeId{i})) {
            nodes_[i]->setPos(layout_.nodes[i].topLeft());
        }
    }
}

void ClusterScene::release()
{
    held_.clear();
    place();
}

void ClusterScene::refreshNode(NodeId node, const RunHistory& history, const Theme& theme)
{
    const Frame& frame = history.shown();
    const NodeFrame& state = frame.nodes[node.index()];
    NodeLook look;
    look.name = history.nameOf(node);
    look.activity = state.activity;
    look.slowdown = state.activity == Activity::Down ? QStringLiteral("—") : factor(state.slowdown);
    look.state = stateWord(state);
    look.progress = progressOf(state, frame.now);
    if (state.activity == Activity::Down) {
        look.idle = tr("down %1 s").arg(toSeconds(frame.now - state.since), 0, 'f', 1);
    } else {
        const int idle = static_cast<int>(std::lround(100 * idleShare(state.times)));
        const double width = layout_.nodes[node.index()].width();
        const bool shares_line = layout_.size == CardSize::Full && state.staleness_last > 0;
        const bool is_narrow = width < (shares_line ? 112 : 66);
        look.idle = is_narrow ? tr("%1 %").arg(idle) : tr("idle %1 %").arg(idle);
    }
    if (state.staleness_last > 0 && state.activity != Activity::Down) {
        look.badge = QStringLiteral("τ %1").arg(state.staleness_last);
    }
    if (const auto waits = pending_.find(node); waits != pending_.end()) {
        if (waits->second == history.latest().nodes[node.index()].group) {
            pending_.erase(waits);
        } else {
            look.state = QStringLiteral("→ %1").arg(groupLetter(waits->second));
        }
    }
    look.is_selected = selected_.contains(node);
    look.has_focus = focus_ == node;
    nodes_[node.index()]->setLook(look, theme);
}

void ClusterScene::refreshGroups(const RunHistory& history, const Theme& theme)
{
    const Frame& frame = history.shown();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        GroupItem::Look look;
        look.name = layout_.size == CardSize::Full ? tr("Group %1").arg(groupLetter(GroupId{g}))
                                                   : groupLetter(GroupId{g});
        look.kind = kindOf(g, frame);
        if (frame.is_measuring) {
            look.name = tr("Measuring speeds");
            look.kind = tr("every node runs alone, then groups are made");
        } else if (g < frame.groups.size()) {
            const double seconds = toSeconds(frame.now - frame.groups[g].formed);
            if (seconds > 0 && frame.groups[g].updates > 0) {
                look.pace =
                    tr("%1 rounds/s").arg(static_cast<double>(frame.groups[g].updates) / seconds, 0, 'f', 1);
            }
        }
        look.notice = noticeFor(GroupId{g}, history);
        if (offer_group_ == GroupId{g}) {
            look.offer = offer_;
        }
        group_items_[g]->setLook(look, theme);
    }
}

QString ClusterScene::noticeFor(GroupId group, const RunHistory& history) const
{
    QStringList names;
    for (const auto& [node, to] : pending_) {
        if (to == group) {
            names << history.nameOf(node);
        }
    }
    if (names.isEmpty()) {
        return {};
    }
    return counted(names.size(), tr("%1 joins next round").arg(names.front()), tr("%L1 join next round"));
}

GroupId ClusterScene::groupOf(NodeId node) const
{
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (std::ranges::count(groups_[g], node) > 0) {
            return GroupId{g};
        }
    }
    return {};
}

QString ClusterScene::kindOf(std::size_t group, const Frame& frame) const
{
    // Words only where there are few groups to compare.
    if (groups_.size() < 2 || groups_.size() > 3) {
        return {};
    }
    std::vector<double> pace;
    for (const auto& members : groups_) {
        double slowest = 0;
        for (const NodeId node : members) {
            slowest = std::max(slowest, frame.nodes[node.index()].slowdown);
        }
        pace.push_back(slowest);
    }
    std::vector<double> order;
    std::ranges::copy_if(pace, std::back_inserter(order), [](double one) { return one > 0; });
    std::ranges::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    if (order.size() < 2 || groups_[group].empty()) {
        return {};
    }
    return pace[group] == order.front() ? tr("fast")
        : pace[group] == order.back()   ? tr("slow")
                                        : tr("medium");
}

void ClusterScene::refreshMessages(const Frame& frame, const Theme& theme)
{
    std::vector<LinksItem::Dot> dots;
    for (const TransferFrame& transfer : frame.transfers) {
        const GroupId group = groupOf(transfer.node);
        if (!group.isValid() || group.index() >= groups_.size() || transfer.end <= transfer.start) {
            continue;
        }
        const double share = std::clamp(
            toSeconds(frame.now - transfer.start) / toSeconds(transfer.end - transfer.start), 0.0, 1.0);
        dots.push_back(
            {link_of_group_[group.index()], std::round(100 * (transfer.up ? share : 1 - share)) / 100});
    }
    links_->setDots(std::move(dots), theme);
}

void ClusterScene::setSelection(const std::set<NodeId>& nodes, NodeId focus)
{
    selected_ = nodes;
    focus_ = focus;
}

void ClusterScene::setOffer(GroupId group, const QString& text)
{
    offer_group_ = group;
    offer_ = text;
}

NodeId ClusterScene::nodeAt(QPointF where) const
{
    for (const NodeItem* item : nodes_) {
        if (QRectF(item->pos(), layout_.nodes[item->node().index()].size()).contains(where)) {
            return item->node();
        }
    }
    return {};
}

GroupId ClusterScene::groupAt(QPointF where) const
{
    for (std::size_t g = 0; g < layout_.groups.size(); ++g) {
        if (layout_.groups[g].contains(where)) {
            return GroupId{g};
        }
    }
    return {};
}

QRectF ClusterScene::boxOf(GroupId group) const
{
    return group.isValid() && group.index() < layout_.groups.size() ? layout_.groups[group.index()]
                                                                    : QRectF();
}

std::set<NodeId> ClusterScene::nodesIn(const QRectF& area) const
{
    std::set<NodeId> found;
    for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
        if (layout_.nodes[i].intersects(area)) {
            found.insert(NodeId{i});
        }
    }
    return found;
}

} // namespace lab
