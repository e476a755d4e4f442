#pragma once

#include "widgets/run_history.h"
#include "widgets/theme.h"

#include <QObject>
#include <QWidget>

#include <optional>

class QBarCategoryAxis;
class QBarSet;
class QChart;
class QLineSeries;
class QValueAxis;

namespace lab {

class ChartView;

/// A histogram of staleness as it is drawn: its last bar holds everything beyond.
struct StalenessBars {
    QStringList labels;      ///< `0`, `1`, …, `15+`
    QList<double> gradients; ///< the heights of the bars
    QList<QPointF>
        law; ///< by bar, what P(k) = p (1 - p)^k says of as many gradients; empty where there is no p
    double highest = 0; ///< of bars and law
};

[[nodiscard]] StalenessBars stalenessBars(const StalenessHistogram& histogram, std::optional<double> p);

/// The histogram of staleness in a QChart.
class StalenessPlot final : public QObject {
    Q_OBJECT
public:
    /// Adds its axes and bars to `chart`, which outlives it.
    explicit StalenessPlot(QChart* chart, QObject* parent = nullptr);

    void setTheme(const Theme& theme, const QFont& font);
    /// With the line of the law P(k) = p (1 - p)^k where theory gives its `p`, drawn for as many gradients.
    void show(const StalenessHistogram& histogram, std::optional<double> p = std::nullopt);
    /// How many bars there are, the last one gathering all beyond where there are more.
    [[nodiscard]] qsizetype barCount() const { return shown_.size(); }
    [[nodiscard]] double gradientsOf(qsizetype bar) const { return shown_[bar]; }
    [[nodiscard]] const QString& labelOf(qsizetype bar) const { return labels_[bar]; }
    [[nodiscard]] QLineSeries& theoryLine() { return *theory_; }

private:
    QChart* chart_;
    QBarSet* bars_;
    QLineSeries* theory_;
    QBarCategoryAxis* x_;
    QValueAxis* y_;
    QList<double> shown_;
    std::optional<double> shown_p_;
    QStringList labels_;
};

/// How stale the gradients were when they were applied.
class StalenessChart final : public QWidget {
    Q_OBJECT
public:
    explicit StalenessChart(QWidget* parent = nullptr);
    /// Shows `frame`, one of the run's: as it is now or at a moment of its past.
    void refresh(const Frame& frame);

Q_SIGNALS:
    void remarkChanged(const QString& remark);
    /// The arrow keys: the line that all charts share is to move so many evaluations on.
    void stepped(int evaluations);

protected:
    void changeEvent(QEvent* event) override;

private:
    void readOut(QPointF where);

    ChartView* view_;
    StalenessPlot* plot_;
    std::int64_t total_ = -1;
    Prediction theory_;
};

} // namespace lab
