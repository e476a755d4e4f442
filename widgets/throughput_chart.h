#pragma once

#include "widgets/loss_curves.h"

#include <QWidget>

#include <optional>

namespace lab {

class ChartView;

/// How many samples per second the cluster works off, over the run.
class ThroughputChart final : public QWidget {
    Q_OBJECT
public:
    explicit ThroughputChart(QWidget* parent = nullptr);

    void begin();
    void refresh(const RunHistory& history);
    /// Draws the line that all charts share at this moment, with the value there; nothing: none.
    void showCursor(std::optional<TimePoint> moment);
    void setLineScale(double scale) { plot_->setLineScale(scale); }

Q_SIGNALS:
    void remarkChanged(const QString& remark);
    /// The pointer, or a key, is at this moment of the run; nothing: no longer at any.
    void cursorMoved(std::optional<lab::TimePoint> moment);

protected:
    void changeEvent(QEvent* event) override;

private:
    void readOut(QPointF where);
    void stepCursor(int points);

    ChartView* view_;
    LinePlot* plot_;
    Curve curve_;
    std::optional<TimePoint> cursor_;
};

} // namespace lab
