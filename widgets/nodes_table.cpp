#include "widgets/nodes_table.h"

#include "widgets/nodes_model.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace lab {

NodesTable::NodesTable(QWidget* parent)
    : QWidget(parent),
      model_(new NodesModel(this)),
      filtered_(new QSortFilterProxyModel(this)),
      search_(new QLineEdit(this)),
      view_(new QTableView(this))
{
    search_->setObjectName(QStringLiteral("nodeSearch"));
    search_->setPlaceholderText(tr("Find a node by name"));
    search_->setAccessibleName(tr("Find a node by name"));
    search_->setClearButtonEnabled(true);
    filtered_->setSourceModel(model_);
    filtered_->setFilterKeyColumn(NodesModel::Name);
    filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    view_->setObjectName(QStringLiteral("nodesTable"));
    view_->setAccessibleName(tr("Nodes"));
    view_->setWhatsThis(
        tr("Every node in a row. Type a letter into Group to move a node, a number into Slowdown to slow "
           "it down; the menu of a row has all the rest."));
    view_->setModel(filtered_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setTabKeyNavigation(false); // Tab leaves the table, the arrow keys walk in it
    view_->setShowGrid(false);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    view_->horizontalHeader()->setMinimumSectionSize(40);
    view_->setMinimumSize(240, 80);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(13, 0, 13, 10);
    rows->addWidget(search_);
    rows->addWidget(view_, 1);

    connect(search_, &QLineEdit::textChanged, filtered_, &QSortFilterProxyModel::setFilterFixedString);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (filtered_->rowCount() > 0) {
            view_->selectRow(0);
            view_->setFocus();
        }
    });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &NodesTable::tellSelection);
    connect(view_, &QWidget::customContextMenuRequested, this,
            [this](QPoint at) { Q_EMIT menuRequested(view_->viewport()->mapToGlobal(at)); });
}

void NodesTable::begin(const RunHistory& history)
{
    is_following_ = true;
    model_->begin(history);
    is_following_ = false;
}

void NodesTable::refresh()
{
    if (isVisible()) {
        model_->refresh();
    }
}

void NodesTable::select(const std::set<NodeId>& nodes)
{
    QItemSelection rows;
    for (const NodeId node : nodes) {
        const QModelIndex index = filtered_->mapFromSource(model_->index(node.value(), 0));
        if (index.isValid()) {
            rows.select(index, index);
        }
    }
    is_following_ = true;
    view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    is_following_ = false;
}

void NodesTable::startSearch()
{
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void NodesTable::tellSelection()
{
    if (is_following_) {
        return;
    }
    std::set<NodeId> nodes;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
        nodes.insert(NodeId{filtered_->mapToSource(index).row()});
    }
    Q_EMIT selected(nodes);
}

} // namespace lab
