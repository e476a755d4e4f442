#pragma once

#include "widgets/line_plot.h"

#include <QWidget>

#include <vector>

class QTableWidget;

namespace lab {

class BranchRunner;
class ChartLegend;
class ChartView;

/// The training loss of a run and of its branch, side by side, and their figures.
class BranchView final : public QWidget {
    Q_OBJECT
public:
    explicit BranchView(QWidget* parent = nullptr);

    void clear();
    /// The curves as they are now.
    void refresh(const BranchRunner& runner);
    void showFigures(const BranchRunner& runner);

protected:
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    void readOut(double x);

    ChartView* view_;
    LinePlot* plot_;
    ChartLegend* legend_;
    QTableWidget* figures_;
    std::vector<Curve> curves_; ///< as it was, the branch; empty: none yet
    double moment_ = 0;         ///< of the branch, seconds
};

} // namespace lab
