#pragma once

#include "widgets/line_plot.h"
#include "widgets/run_history.h"

#include <QSet>

#include <optional>
#include <vector>

namespace lab {

/// What the horizontal axis of the loss chart counts.
enum class LossAxis : std::uint8_t { Time, Updates, Samples };

/// A run that is kept to compare others with.
struct PinnedRun {
    QString name;
    std::vector<Evaluation> curve;
};

/// What of a run's losses is drawn, and how.
struct LossLook {
    LossAxis axis = LossAxis::Time;
    double smoothing = 0;           ///< weight of the past, 0 … below 1
    std::optional<TimePoint> until; ///< a moment of the past that is looked at
};

/// All that decides what a loss chart shows of a run.
struct LossState {
    QString name; ///< of the run
    LossLook look;
    bool is_logarithmic = true;
    std::vector<PinnedRun> pinned;
    QSet<QString> hidden; ///< names of curves
};

/// Training loss of a run, with its raw values faint behind it where it is smoothed, and validation loss dashed.
[[nodiscard]] std::vector<Curve> lossCurves(const std::vector<Evaluation>& curve, const LossLook& look,
                                            const Theme& theme, const QString& run);

/// Training loss of a pinned run; `place` among the pinned ones decides its colour and dashes.
[[nodiscard]] Curve pinnedCurve(const PinnedRun& run, std::size_t place, const LossLook& look,
                                const Theme& theme);

/// The run's curves and those of the pinned runs, hidden ones too. `run` is what the run's own curve is called.
[[nodiscard]] std::vector<Curve> allLossCurves(const LossState& state, const std::vector<Evaluation>& curve,
                                               const Theme& theme, const QString& run);

/// Those that are not hidden.
[[nodiscard]] std::vector<Curve> visibleCurves(const std::vector<Curve>& curves, const QSet<QString>& hidden);

/// A loss in few digits.
[[nodiscard]] QString lossText(double value);

/// The point of a curve nearest in x; nothing where it has none that is finite there.
[[nodiscard]] std::optional<QPointF> nearestPoint(const Curve& curve, double x);

/// Where a moment of a run stands on the axis, between two evaluations in proportion; the axis's start before the first.
[[nodiscard]] double placeOf(const std::vector<Evaluation>& curve, TimePoint moment, LossAxis axis);

/// The moment that stands at this place of the axis: the other way round.
[[nodiscard]] TimePoint momentOf(const std::vector<Evaluation>& curve, double place, LossAxis axis);

/// Samples per second over the run, at about `points` moments up to `until`.
[[nodiscard]] QList<QPointF> throughput(const std::vector<Progress>& progress, TimePoint until, int points);

} // namespace lab
