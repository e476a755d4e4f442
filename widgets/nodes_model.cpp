#include "widgets/nodes_model.h"

#include "widgets/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_least_slowdown = 0.25;
constexpr double k_most_slowdown = 64;

} // namespace

void NodesModel::begin(const RunHistory& history)
{
    beginResetModel();
    history_ = &history;
    rows_ = static_cast<int>(history.nodeCount());
    groups_ = partitionOf(history.shown());
    endResetModel();
}

void NodesModel::refresh()
{
    if (rows_ > 0) {
        groups_ = partitionOf(history_->shown());
        Q_EMIT dataChanged(index(0, Group), index(rows_ - 1, ColumnCount - 1));
    }
}

int NodesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int NodesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

GroupId NodesModel::groupOf(NodeId node) const
{
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (std::ranges::count(groups_[g], node) > 0) {
            return GroupId{g};
        }
    }
    return {};
}

QVariant NodesModel::display(NodeId node, int column) const
{
    if (column == Name) {
        return history_->nameOf(node);
    }
    const Frame& frame = history_->shown();
    if (node.index() >= frame.nodes.size()) {
        return {};
    }
    const NodeFrame& state = frame.nodes[node.index()];
    switch (column) {
    case Group:
        return groupLetter(groupOf(node));
    case State:
        return activityWord(state.activity);
    case Slowdown:
        return QStringLiteral("%1×").arg(state.slowdown, 0, 'g', 4);
    case Idle:
        return tr("%1 %").arg(std::lround(100 * idleShare(state.times)));
    case CostOthers:
        return tr("%1 s").arg(toSeconds(state.cost_others), 0, 'f', 1);
    case Staleness:
        return QString::number(state.staleness_mean, 'f', 1);
    case Gradients:
        return tr("%L1").arg(state.gradients);
    default:
        return {};
    }
}

QVariant NodesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || history_ == nullptr) {
        return {};
    }
    const NodeId node{index.row()};
    if (role == Qt::DisplayRole) {
        return display(node, index.column());
    }
    if (role == Qt::EditRole && index.column() == Slowdown && node.index() < history_->shown().nodes.size()) {
        return history_->shown().nodes[node.index()].slowdown;
    }
    if (role == Qt::EditRole) {
        return display(node, index.column());
    }
    if (role == Qt::TextAlignmentRole && index.column() >= Slowdown) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    }
    return {};
}

QVariant NodesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Node");
    case Group:
        return tr("Group");
    case State:
        return tr("State");
    case Slowdown:
        return tr("Slowdown");
    case Idle:
        return tr("Idle");
    case CostOthers:
        return tr("Cost the others");
    case Staleness:
        return tr("Staleness");
    case Gradients:
        return tr("Gradients");
    default:
        return {};
    }
}

Qt::ItemFlags NodesModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
    const bool is_edited = index.isValid() && (index.column() == Group || index.column() == Slowdown);
    return is_edited ? usual | Qt::ItemIsEditable : usual;
}

bool NodesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole) {
        return false;
    }
    const NodeId node{index.row()};
    if (index.column() == Group) {
        const GroupId group = groupOfLetter(value.toString());
        if (!group.isValid() || group.index() > partitionOf(history_->shown()).size()) {
            return false;
        }
        Q_EMIT moveRequested(node, group);
        return true;
    }
    bool is_number = false;
    const double slowdown = value.toDouble(&is_number);
    if (index.column() != Slowdown || !is_number || slowdown < k_least_slowdown
        || slowdown > k_most_slowdown) {
        return false;
    }
    Q_EMIT slowdownRequested(node, slowdown);
    return true;
}

} // namespace lab
