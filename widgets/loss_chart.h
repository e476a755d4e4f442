#pragma once

#include "widgets/loss_curves.h"

#include <QWidget>

class QLabel;

namespace lab {

class ChartLegend;
class ChartView;

/// The loss of the run as it goes on, beside those that are pinned.
class LossChart final : public QWidget {
    Q_OBJECT
public:
    explicit LossChart(QWidget* parent = nullptr);

    /// A new run, called `name` in the legend. Pinned runs stay.
    void begin(const QString& name);
    void refresh(const RunHistory& history);
    /// The runs to compare this one with; their names differ.
    void setPinned(std::vector<PinnedRun> runs);
    [[nodiscard]] const std::vector<PinnedRun>& pinned() const { return state_.pinned; }
    /// What it shows, and how.
    [[nodiscard]] const LossState& state() const { return state_; }
    void setLineScale(double scale);
    /// Draws the line that all charts share at this moment, with the values there; nothing: none.
    void showCursor(std::optional<TimePoint> moment);
    /// Moves that line so many evaluations on.
    void stepCursor(int evaluations);
    /// The small menus that belong in the card's header.
    [[nodiscard]] QWidget* makeAxisMenu();
    [[nodiscard]] QWidget* makeScaleMenu();
    [[nodiscard]] QWidget* makeSmoothingMenu();
    [[nodiscard]] LinePlot& plot() { return *plot_; }
    [[nodiscard]] ChartLegend& legend() { return *legend_; }

Q_SIGNALS:
    /// A person wants the pinned run of that name out of the chart.
    void unpinned(const QString& name);
    /// The pointer, or a key, is at this moment of the run; nothing: no longer at any.
    void cursorMoved(std::optional<lab::TimePoint> moment);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void redraw();
    void showLegend();
    void readOut(QPointF where);
    void readAt(TimePoint moment);
    void toggle(std::size_t entry);
    void isolate(std::size_t entry);
    void unpin(std::size_t entry);

    const RunHistory* history_ = nullptr;
    ChartView* view_;
    LinePlot* plot_;
    ChartLegend* legend_;
    QLabel* note_; ///< what the plot cannot show
    LossState state_;
    std::vector<Curve> curves_; ///< hidden ones too
    std::optional<TimePoint> cursor_;
};

} // namespace lab
