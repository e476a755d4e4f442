#pragma once

#include "widgets/run_history.h"

#include <QAbstractTableModel>

namespace lab {

/// The nodes of a run as a table: a row for each, what the canvas shows as columns. Group and slowdown can be edited; the
/// model changes nothing itself: it says what is wanted.
class NodesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Group, State, Slowdown, Idle, CostOthers, Staleness, Gradients, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// A new run; `history` outlives the model or its next begin().
    void begin(const RunHistory& history);
    /// Follows what the history shows.
    void refresh();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void moveRequested(lab::NodeId node, lab::GroupId group);
    void slowdownRequested(lab::NodeId node, double slowdown);

private:
    [[nodiscard]] QVariant display(NodeId node, int column) const;
    [[nodiscard]] GroupId groupOf(NodeId node) const;

    const RunHistory* history_ = nullptr;
    int rows_ = 0;
    Partition groups_;
};

} // namespace lab
