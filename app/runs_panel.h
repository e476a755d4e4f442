#pragma once

#include "app/kept_runs.h"
#include "app/seed_runs.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTableView;
class QTableWidget;

namespace lab {

/// The runs that were kept, side by side: their figures, where the selected ones differ, and what several seeds say
/// together.
class RunsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RunsPanel(QWidget* parent = nullptr);

    [[nodiscard]] KeptRuns& runs() { return *runs_; }
    [[nodiscard]] SeedRuns& seeds() { return *seeds_; }

Q_SIGNALS:
    /// So many more seeds of the experiment at hand.
    void seedsWanted(int count);
    void failed(const QString& why);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QWidget* makeControls();
    [[nodiscard]] std::vector<std::size_t> selected() const;
    void removeSelected();
    void showDifferences();
    void showSeeds();
    void showProgress();

    KeptRuns* runs_;
    SeedRuns* seeds_;
    QSortFilterProxyModel* sorted_;
    QTableView* view_;
    QDoubleSpinBox* target_;
    QSpinBox* count_;
    QPushButton* more_;
    QLabel* summary_;
    QTableWidget* differences_;
};

} // namespace lab
