#include "app/runs_panel.h"

#include "core/compare/differences.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lab {

namespace {

QString valueText(const std::string& json)
{
    QString text = json.empty() ? QStringLiteral("–") : QString::fromStdString(json);
    if (text.startsWith(QLatin1Char('"')) && text.endsWith(QLatin1Char('"')) && text.size() > 1) {
        text = text.mid(1, text.size() - 2);
    }
    return text;
}

void makePlain(QTableView& view)
{
    view.setShowGrid(false);
    view.setTabKeyNavigation(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

} // namespace

RunsPanel::RunsPanel(QWidget* parent)
    : QWidget(parent),
      runs_(new KeptRuns(this)),
      seeds_(new SeedRuns(this)),
      sorted_(new QSortFilterProxyModel(this)),
      view_(new QTableView(this)),
      summary_(new QLabel(this)),
      differences_(new QTableWidget(this))
{
    sorted_->setSourceModel(runs_);
    sorted_->setSortRole(Qt::UserRole);
    view_->setObjectName(QStringLiteral("runsTable"));
    view_->setAccessibleName(tr("Kept runs"));
    view_->setWhatsThis(
        tr("Every run that was pinned. The check mark shows its curve in the loss chart, a double click "
           "renames it, Delete takes it away. Select two or more to see where they differ."));
    view_->setModel(sorted_);
    view_->setSortingEnabled(true);
    view_->sortByColumn(-1, Qt::AscendingOrder); // as they came, until somebody sorts
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setStretchLastSection(true);
    view_->setMinimumSize(240, 80);
    makePlain(*view_);
    summary_->setObjectName(QStringLiteral("seedSummary"));
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setToolTip(tr("Mean ± t(0.975, N − 1) · s / √N over the seeds: half of the 95 % interval."));
    differences_->setObjectName(QStringLiteral("differences"));
    differences_->setAccessibleName(tr("Where the selected runs differ"));
    differences_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    differences_->setSelectionMode(QAbstractItemView::NoSelection);
    makePlain(*differences_);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(13, 0, 13, 10);
    rows->addWidget(makeControls());
    rows->addWidget(view_, 2);
    rows->addWidget(summary_);
    rows->addWidget(differences_, 1);

    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPanel::showDifferences);
    for (const auto signal : {&KeptRuns::rowsInserted, &KeptRuns::rowsRemoved}) {
        connect(runs_, signal, this, [this] {
            showSeeds();
            showDifferences();
        });
    }
    connect(seeds_, &SeedRuns::ended, runs_, &KeptRuns::keep);
    connect(seeds_, &SeedRuns::progressed, this, &RunsPanel::showProgress);
    connect(seeds_, &SeedRuns::failed, this, &RunsPanel::failed);
    showSeeds();
    showDifferences();
    showProgress();
}

QWidget* RunsPanel::makeControls()
{
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    target_ = new QDoubleSpinBox(line);
    target_->setObjectName(QStringLiteral("targetLoss"));
    target_->setAccessibleName(tr("Target training loss"));
    target_->setDecimals(4);
    target_->setRange(0, 1000);
    target_->setSingleStep(0.01);
    target_->setSpecialValueText(tr("auto"));
    target_->setToolTip(
        tr("The training loss whose time is compared; auto: the lowest that every run reaches."));
    count_ = new QSpinBox(line);
    count_->setObjectName(QStringLiteral("seedCount"));
    count_->setAccessibleName(tr("How many more seeds"));
    count_->setRange(1, 100);
    count_->setValue(4);
    more_ = new QPushButton(line);
    more_->setObjectName(QStringLiteral("moreSeeds"));
    more_->setToolTip(tr("Runs the experiment with more seeds in the background and keeps them."));
    row->addWidget(new QLabel(tr("Target loss"), line));
    row->addWidget(target_);
    row->addStretch(1);
    row->addWidget(count_);
    row->addWidget(more_);
    connect(target_, &QDoubleSpinBox::valueChanged, this, [this](double loss) {
        runs_->setTarget(loss > 0 ? std::optional(loss) : std::nullopt);
        showSeeds();
    });
    connect(more_, &QPushButton::clicked, this, [this] {
        if (seeds_->isRunning()) {
            seeds_->stop();
        } else {
            Q_EMIT seedsWanted(count_->value());
        }
    });
    return line;
}

std::vector<std::size_t> RunsPanel::selected() const
{
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
        rows.push_back(static_cast<std::size_t>(sorted_->mapToSource(index).row()));
    }
    std::ranges::sort(rows);
    return rows;
}

void RunsPanel::removeSelected()
{
    const std::vector<std::size_t> rows = selected();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        runs_->remove(*row);
    }
}

void RunsPanel::showDifferences()
{
    const std::vector<std::size_t> rows = selected();
    differences_->setVisible(rows.size() > 1);
    differences_->clear();
    differences_->setRowCount(0);
    if (rows.size() < 2) {
        return;
    }
    const std::vector<KeptRun>& runs = runs_->runs();
    QStringList titles{tr("Parameter")};
    std::vector<std::string> paths;
    std::vector<std::vector<ParameterDifference>> found;
    for (const std::size_t row : rows) {
        titles << runs[row].name;
        found.push_back(differencesOf(runs[rows.front()].experiment, runs[row].experiment));
        for (const ParameterDifference& one : found.back()) {
            if (std::ranges::find(paths, one.path) == paths.end()) {
                paths.push_back(one.path);
            }
        }
    }
    differences_->setColumnCount(static_cast<int>(titles.size()));
    differences_->setHorizontalHeaderLabels(titles);
    differences_->setRowCount(static_cast<int>(paths.size()));
    for (std::size_t p = 0; p < paths.size(); ++p) {
        const auto at = [&](std::size_t run) {
            return std::ranges::find(found[run], paths[p], &ParameterDifference::path);
        };
        std::string first; // what the first run has; a run that does not differ from it has the same
        for (std::size_t run = 0; run < rows.size(); ++run) {
            first = at(run) != found[run].end() ? at(run)->a : first;
        }
        differences_->setItem(static_cast<int>(p), 0, new QTableWidgetItem(QString::fromStdString(paths[p])));
        for (std::size_t run = 0; run < rows.size(); ++run) {
            const std::string& value = at(run) != found[run].end() ? at(run)->b : first;
            differences_->setItem(static_cast<int>(p), static_cast<int>(run + 1),
                                  new QTableWidgetItem(valueText(value)));
        }
    }
    differences_->resizeColumnsToContents();
}

void RunsPanel::showSeeds()
{
    if (runs_->runs().empty()) {
        summary_->setText(tr("Pin a run to keep it here and compare the next one with it."));
        return;
    }
    summary_->setText(seedLines(runs_->runs(), runs_->target()).join(QLatin1Char('\n')));
    summary_->setVisible(!summary_->text().isEmpty());
}

void RunsPanel::showProgress()
{
    const bool is_running = seeds_->isRunning();
    more_->setText(is_running ? tr("Stop (%1 of %2 done)").arg(seeds_->done()).arg(seeds_->wanted())
                              : tr("Run more seeds"));
    count_->setEnabled(!is_running);
}

void RunsPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete) {
        removeSelected();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace lab
