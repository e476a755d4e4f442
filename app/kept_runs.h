#pragma once

#include "core/compare/target.h"
#include "core/experiment/experiment.h"
#include "core/record/frame.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lab {

/// A run that is kept to compare others with.
struct KeptRun {
    QString name;
    Experiment experiment; ///< with everything that was done to the run as events
    Frame last;            ///< where it stood; its fresh lists are empty
    std::vector<Evaluation> curve;
    bool is_shown = true; ///< in the loss chart
};

/// The runs that were kept, a row each, and their figures. Names can be edited; a check mark shows a run in the chart.
class KeptRuns final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Strategy, Seed, Seconds, Updates, Loss, Best, ToTarget, Idle, Staleness, k_columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// A name that is taken gets a number.
    void keep(KeptRun run);
    void remove(std::size_t row);
    void show(std::size_t row, bool is_shown);
    [[nodiscard]] const std::vector<KeptRun>& runs() const { return runs_; }

    /// The training loss that runs are to reach; nothing: the lowest that all of them reach.
    void setTarget(std::optional<double> loss);
    /// The one in force; not-a-number without runs.
    [[nodiscard]] double target() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Qt::UserRole: the number behind a cell, for sorting.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// Other runs are shown, or the same under another name.
    void shownChanged();

private:
    [[nodiscard]] double number(const KeptRun& run, int column) const;
    void figuresChanged();

    std::vector<KeptRun> runs_;
    std::optional<double> target_;
};

/// The highest seed of an experiment and of the runs that differ from it in nothing else.
[[nodiscard]] std::uint64_t highestSeed(const std::vector<KeptRun>& runs, const Experiment& experiment);

/// What runs that differ in nothing but the seed say together, a line for each set of two or more: means with 95 %
/// intervals, and how many never reached the target.
[[nodiscard]] QStringList seedLines(const std::vector<KeptRun>& runs, double target);

} // namespace lab
