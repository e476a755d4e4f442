#pragma once

#include "widgets/line_plot.h"
#include "widgets/run_history.h"

#include <QWidget>

namespace lab {

class ChartLegend;
class ChartView;

/// What the horizontal axis of the loss chart counts.
enum class LossAxis : std::uint8_t { Time, Updates, Samples };

/// Training and validation loss of a run's curve, in one colour: solid and dashed.
[[nodiscard]] std::vector<Curve> lossCurves(const std::vector<Evaluation>& curve, LossAxis axis,
                                            const Theme& theme, const QString& run);

/// The loss of the run as it goes on.
class LossChart final : public QWidget {
    Q_OBJECT
public:
    explicit LossChart(QWidget* parent = nullptr);

    /// A new run, called `name` in the legend.
    void begin(const QString& name);
    void refresh(const RunHistory& history);
    /// The small menus that belong in the card's header.
    [[nodiscard]] QWidget* makeAxisMenu();
    [[nodiscard]] QWidget* makeScaleMenu();

protected:
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    void readOut(QPointF where);

    const RunHistory* history_ = nullptr;
    QString name_;
    ChartView* view_;
    LinePlot* plot_;
    ChartLegend* legend_;
    LossAxis axis_ = LossAxis::Time;
    bool logarithmic_ = true;
    std::vector<Curve> curves_;
};

} // namespace lab
