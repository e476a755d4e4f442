#include "widgets/loss_curves.h"

#include "widgets/smoothing.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace lab {

namespace {

constexpr int k_faint_alpha = 80;
constexpr std::array<std::size_t, 5> k_pinned_colours{
    2, 4, 5, 3, 6}; ///< of the theme's series; 0 and 1 are the live run's

QString tr(const char* text) { return QCoreApplication::translate("lab::LossChart", text); }

double placeOf(const Evaluation& one, LossAxis axis)
{
    switch (axis) {
    case LossAxis::Time:
        return toSeconds(one.time);
    case LossAxis::Updates:
        return static_cast<double>(one.update);
    case LossAxis::Samples:
        return static_cast<double>(one.samples);
    }
    return 0;
}

/// Where `x` on one axis lies on another, by the evaluations on both sides. Requires that there is one.
double between(double x, const std::vector<Evaluation>& curve, LossAxis from, LossAxis to)
{
    const auto after =
        std::ranges::upper_bound(curve, x, {}, [from](const Evaluation& one) { return placeOf(one, from); });
    if (after == curve.begin() || after == curve.end()) {
        return placeOf(after == curve.begin() ? curve.front() : curve.back(), to);
    }
    const Evaluation& before = *std::prev(after);
    const double share = (x - placeOf(before, from)) / (placeOf(*after, from) - placeOf(before, from));
    return placeOf(before, to) + share * (placeOf(*after, to) - placeOf(before, to));
}

} // namespace

std::vector<Curve> lossCurves(const std::vector<Evaluation>& curve, const LossLook& look, const Theme& theme,
                              const QString& run)
{
    Curve training{run, {}, theme.series[0], Qt::SolidLine, 2.6, true};
    Curve validation{tr("validation"), {}, theme.series[1], Qt::CustomDashLine, 1.8, false};
    bool has_validation = false;
    for (const Evaluation& one : curve) {
        if (look.until && one.time > *look.until) {
            break;
        }
        training.points.emplaceBack(placeOf(one, look.axis), one.train_loss);
        validation.points.emplaceBack(placeOf(one, look.axis), one.validation_loss);
        has_validation = has_validation || !std::isnan(one.validation_loss);
    }
    std::vector<Curve> curves;
    if (look.smoothing > 0) {
        Curve raw = training;
        raw.name = tr("raw");
        raw.colour.setAlpha(k_faint_alpha);
        raw.width = 1;
        raw.marks_end = false;
        training.points = smoothed(training.points, look.smoothing);
        validation.points = smoothed(validation.points, look.smoothing);
        curves.push_back(std::move(raw));
    }
    curves.push_back(std::move(training));
    if (has_validation) {
        curves.push_back(std::move(validation));
    }
    return curves;
}

Curve pinnedCurve(const PinnedRun& run, std::size_t place, const LossLook& look, const Theme& theme)
{
    Curve curve{run.name,           {},  theme.series[k_pinned_colours[place % k_pinned_colours.size()]],
                Qt::CustomDashLine, 1.8, false};
    for (const Evaluation& one : run.curve) {
        curve.points.emplaceBack(placeOf(one, look.axis), one.train_loss);
    }
    curve.points = smoothed(curve.points, look.smoothing);
    return curve;
}

std::vector<Curve> allLossCurves(const LossState& state, const std::vector<Evaluation>& curve,
                                 const Theme& theme, const QString& run)
{
    std::vector<Curve> curves = lossCurves(curve, state.look, theme, run);
    for (std::size_t i = 0; i < state.pinned.size(); ++i) {
        curves.push_back(pinnedCurve(state.pinned[i], i, state.look, theme));
    }
    return curves;
}

std::vector<Curve> visibleCurves(const std::vector<Curve>& curves, const QSet<QString>& hidden)
{
    std::vector<Curve> visible;
    std::ranges::copy_if(curves, std::back_inserter(visible),
                         [&](const Curve& curve) { return !hidden.contains(curve.name); });
    return visible;
}

QString lossText(double value)
{
    return std::isfinite(value)
        ? QString::number(value, std::abs(value) < 1e5 ? 'f' : 'e', std::abs(value) < 0.1 ? 4 : 3)
        : tr("not finite");
}

std::optional<QPointF> nearestPoint(const Curve& curve, double x)
{
    const auto& points = curve.points;
    if (points.isEmpty() || x > points.back().x()) {
        return std::nullopt;
    }
    const auto after = std::ranges::lower_bound(points, x, {}, [](const QPointF& p) { return p.x(); });
    const bool before_is_nearer = after != points.begin() && x - std::prev(after)->x() < after->x() - x;
    const QPointF found = before_is_nearer ? *std::prev(after) : *after;
    return std::isfinite(found.y()) ? std::optional<QPointF>(found) : std::nullopt;
}

double placeOf(const std::vector<Evaluation>& curve, TimePoint moment, LossAxis axis)
{
    if (axis == LossAxis::Time || curve.empty()) {
        return toSeconds(moment);
    }
    return between(toSeconds(moment), curve, LossAxis::Time, axis);
}

TimePoint momentOf(const std::vector<Evaluation>& curve, double place, LossAxis axis)
{
    if (axis == LossAxis::Time || curve.empty()) {
        return atSeconds(place);
    }
    return atSeconds(between(place, curve, axis, LossAxis::Time));
}

QList<QPointF> throughput(const std::vector<Progress>& progress, TimePoint until, int points)
{
    QList<QPointF> rates;
    if (progress.size() < 2) {
        return rates;
    }
    const double step = std::max(toSeconds(until) / std::max(points, 1), 1e-9);
    const Progress* from = &progress.front();
    for (const Progress& now : progress) {
        if (now.at > until) {
            break;
        }
        const double seconds = toSeconds(now.at - from->at);
        if (seconds >= step) {
            rates.emplaceBack(toSeconds(now.at), static_cast<double>(now.samples - from->samples) / seconds);
            from = &now;
        }
    }
    return rates;
}

} // namespace lab
