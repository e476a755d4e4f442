#pragma once

#include "widgets/loss_curves.h"

#include <QWidget>

namespace lab {

class ChartView;

/// How many samples per second the cluster works off, over the run.
class ThroughputChart final : public QWidget {
    Q_OBJECT
public:
    explicit ThroughputChart(QWidget* parent = nullptr);

    void begin();
    void refresh(const RunHistory& history);
    void setLineScale(double scale) { plot_->setLineScale(scale); }

Q_SIGNALS:
    void remarkChanged(const QString& remark);

protected:
    void changeEvent(QEvent* event) override;

private:
    void readOut(double x);

    ChartView* view_;
    LinePlot* plot_;
    Curve curve_;
};

} // namespace lab
