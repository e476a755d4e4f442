#pragma once

#include "core/base/ids.h"

#include <QWidget>

#include <set>

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace lab {

class NodesModel;
class RunHistory;

/// The nodes as a table, with a line that filters by name: everything that the canvas offers, without the canvas.
class NodesTable final : public QWidget {
    Q_OBJECT
public:
    explicit NodesTable(QWidget* parent = nullptr);

    [[nodiscard]] NodesModel& model() { return *model_; }
    void begin(const RunHistory& history);
    void refresh();
    /// Shows the canvas's selection.
    void select(const std::set<NodeId>& nodes);
    /// The line to type a name in gets the focus.
    void startSearch();

Q_SIGNALS:
    /// A person chose these.
    void selected(const std::set<lab::NodeId>& nodes);
    void menuRequested(QPoint where);

private:
    void tellSelection();

    NodesModel* model_;
    QSortFilterProxyModel* filtered_;
    QLineEdit* search_;
    QTableView* view_;
    bool is_following_ = false; ///< the selection comes from elsewhere
};

} // namespace lab
