#include "widgets/run_pictures.h"

#include "widgets/chart_legend.h"
#include "widgets/cluster_scene.h"
#include "widgets/idle_chart.h"
#include "widgets/line_picture.h"
#include "widgets/loss_chart.h"
#include "widgets/staleness_picture.h"
#include "widgets/throughput_chart.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr int k_width = 900;
constexpr std::size_t k_most_lanes = 200; ///< of their usual height; more share it
constexpr double k_legend = 24;
constexpr int k_letters = 40;  ///< of a node's name beside its lane
constexpr int k_moments = 120; ///< of the throughput
constexpr double k_least_cluster = 260;
constexpr double k_most_cluster = 4000;

QString words(const char* text) { return QCoreApplication::translate("lab::Pictures", text); }

int lanesOf(const RunHistory& history)
{
    return static_cast<int>(std::min(history.nodeCount(), k_most_lanes));
}

/// Where more nodes share the room of the most, not every name has a place.
QString crowd(const RunHistory& history)
{
    return history.nodeCount() > k_most_lanes
        ? words("%1 nodes, named where there is room").arg(history.nodeCount())
        : QString();
}

QString joined(QStringList notes)
{
    notes.removeAll(QString());
    return notes.join(QStringLiteral(" · "));
}

bool isWithin(TimePoint time, const std::optional<TimeWindow>& stretch)
{
    return !stretch || (time >= atSeconds(stretch->from) && time <= atSeconds(stretch->to));
}

/// The canvas groups digits as a person's country does; a file is the same everywhere.
class PlainNumbers {
public:
    PlainNumbers() { QLocale::setDefault(QLocale::c()); }
    ~PlainNumbers() { QLocale::setDefault(before_); }
    PlainNumbers(const PlainNumbers&) = delete;
    PlainNumbers& operator=(const PlainNumbers&) = delete;

private:
    QLocale before_;
};

void drawActivities(QPainter& painter, const QRectF& area, const Theme& theme)
{
    drawActivityLegend(painter, QRectF(area.left(), area.bottom() - k_legend, area.width(), k_legend), theme,
                       fontFor(TextRole::Small, pictureFont()));
}

class LossDrawing {
public:
    LossDrawing(const PictureSource& source, const std::optional<TimeWindow>& stretch)
        : state_(source.loss),
          stretch_(stretch)
    {
        state_.look.until.reset();
        const auto is_outside = [&](const Evaluation& one) { return !isWithin(one.time, stretch); };
        curve_ = source.history.curve();
        std::erase_if(curve_, is_outside);
        for (PinnedRun& run : state_.pinned) {
            std::erase_if(run.curve, is_outside);
        }
        if (const std::size_t seen = source.history.evaluationsSeen();
            seen != source.history.curve().size()) {
            notes_ << words("%1 of %2 evaluations").arg(source.history.curve().size()).arg(seen);
        }
        const auto curves = curvesIn(lightTheme());
        if (const int hidden = notPositive(curves); state_.is_logarithmic && hidden > 0) {
            notes_ << LossChart::tr("not shown on a log scale, being at or below zero: %1").arg(hidden);
        }
        const auto is_finite = [](const QPointF& point) { return std::isfinite(point.y()); };
        if (!std::ranges::all_of(
                curves, [&](const Curve& curve) { return std::ranges::all_of(curve.points, is_finite); })) {
            notes_ << LossChart::tr("▲ from here the loss is not finite");
        }
    }

    [[nodiscard]] QString note() const { return joined(notes_); }

    void operator()(QPainter& painter, const QRectF& area, const Theme& theme) const
    {
        const std::vector<Curve> curves = curvesIn(theme);
        std::vector<ChartLegend::Entry> entries;
        for (const Curve& curve : curves) {
            entries.push_back({curve.name,
                               curve.points.isEmpty() ? QString() : lossText(curve.points.back().y()),
                               curve.colour, curve.dash == Qt::SolidLine ? Qt::SolidLine : Qt::DashLine});
        }
        const auto places = layOutLegend(entries, {}, area.width(), pictureFont());
        const double legend = places.empty() ? 0 : places.back().bottom() + 4;
        drawCurves(painter, area.adjusted(0, 0, 0, -legend), curves, axes(curves), theme, pictureFont());
        drawLegend(painter, QRectF(area.left(), area.bottom() - legend + 2, area.width(), legend), entries,
                   theme, pictureFont());
    }

private:
    /// The run goes by its own name where no pinned one has it: on paper nothing is live.
    [[nodiscard]] std::vector<Curve> curvesIn(const Theme& theme) const
    {
        const QString live = LossChart::tr("%1 (live)").arg(state_.name);
        auto curves = visibleCurves(allLossCurves(state_, curve_, theme, live), state_.hidden);
        const QString name = state_.name.isEmpty() ? LossChart::tr("training") : state_.name;
        const auto has_name = [&](const Curve& curve) { return curve.name == name; };
        if (std::ranges::none_of(curves, has_name)) {
            for (Curve& curve : curves) {
                curve.name = curve.name == live ? name : curve.name;
            }
        }
        return curves;
    }
    [[nodiscard]] LineAxes axes(const std::vector<Curve>& curves) const
    {
        LineAxes axes;
        axes.is_logarithmic = state_.is_logarithmic;
        axes.y_title = state_.is_logarithmic ? words("loss, logarithmic") : words("loss");
        if (state_.look.smoothing > 0) {
            axes.y_title += words(", smoothed with %1").arg(state_.look.smoothing);
        }
        switch (state_.look.axis) {
        case LossAxis::Time:
            axes.x_title = words("time of the run, s");
            break;
        case LossAxis::Updates:
            axes.x_title = words("updates");
            break;
        case LossAxis::Samples:
            axes.x_title = words("samples");
            break;
        }
        if (stretch_ && state_.look.axis == LossAxis::Time) {
            axes.x = AxisRange{stretch_->from, stretch_->to};
        } else if (stretch_ && !curves.empty() && !curves.front().points.isEmpty()) {
            axes.x = safeRange(curves.front().points.front().x(), curves.front().points.back().x());
        }
        return axes;
    }

    LossState state_;
    std::optional<TimeWindow> stretch_;
    std::vector<Evaluation> curve_;
    QStringList notes_;
};

Picture lossPicture(const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    const LossDrawing drawing(source, stretch);
    return {QStringLiteral("loss"), LossChart::tr("Loss"), drawing.note(), {k_width, 500}, drawing};
}

Picture idlePicture(const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    std::vector<IdleBar> bars = idleBars(source.history.latest(), source.history);
    const QString note =
        joined({words("how each node spent its time, and the share that it waited"), crowd(source.history)});
    if (stretch) {
        for (std::size_t i = 0; i < bars.size(); ++i) {
            bars[i].times =
                source.history.timesWithin(NodeId{i}, atSeconds(stretch->from), atSeconds(stretch->to));
            bars[i].is_down = false;
        }
    }
    return {QStringLiteral("idle"),
            IdleChart::tr("Idle time"),
            note,
            {k_width, std::max(180, 100 + 24 * lanesOf(source.history))},
            [bars](QPainter& painter, const QRectF& area, const Theme& theme) {
                drawIdle(painter, area.adjusted(0, 0, 0, -k_legend - 4), bars, theme, pictureFont());
                drawActivities(painter, area, theme);
            }};
}

Picture stalenessPicture(const PictureSource& source)
{
    const Frame& frame = source.history.latest();
    const StalenessBars bars = stalenessBars(frame.staleness, frame.theory.geometric_staleness);
    QString note = words("mean %1").arg(frame.staleness.mean(), 0, 'f', 2);
    if (frame.theory.mean_staleness) {
        note += words(" · theory %1").arg(*frame.theory.mean_staleness, 0, 'f', 2);
    }
    return {QStringLiteral("staleness"),
            StalenessChart::tr("Staleness"),
            note,
            {k_width, 400},
            [bars](QPainter& painter, const QRectF& area, const Theme& theme) {
                drawStaleness(painter, area, bars, theme, pictureFont());
            }};
}

Picture throughputPicture(const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    const Frame& frame = source.history.latest();
    const double seconds = toSeconds(frame.now);
    const QList<QPointF> points = throughputShown(source.history, stretch);
    const double mean = seconds > 0 ? static_cast<double>(frame.samples) / seconds : 0;
    return {QStringLiteral("throughput"),
            ThroughputChart::tr("Throughput"),
            words("samples per second · mean of the run %1").arg(mean, 0, 'f', 0),
            {k_width, 360},
            [points, stretch](QPainter& painter, const QRectF& area, const Theme& theme) {
                LineAxes axes{words("time of the run, s"), words("samples per second"), false, {}};
                if (stretch) {
                    axes.x = AxisRange{stretch->from, stretch->to};
                }
                const Curve curve{QString(), points, theme.series[0], Qt::SolidLine, 2, true};
                drawCurves(painter, area, {curve}, axes, theme, pictureFont());
            }};
}

Picture timelinePicture(const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    const RunHistory& history = source.history;
    const TimeWindow window =
        stretch.value_or(TimeWindow{0, std::max(toSeconds(history.latest().now), 1e-9)});
    const double merged = toSeconds(history.mergedBefore());
    const QString note =
        joined({merged > window.from ? words("before %1 s short spans are merged").arg(merged, 0, 'f', 1)
                                     : QString(),
                crowd(history)});
    return {QStringLiteral("timeline"),
            QCoreApplication::translate("lab::TimelineView", "Timeline"),
            note,
            {k_width, std::max(200, 150 + 29 * lanesOf(history))},
            [&history, window](QPainter& painter, const QRectF& area, const Theme& theme) {
                const double names = timelineNamesWidth(history, pictureFont(), k_letters);
                drawTimeline(
                    painter,
                    layOutTimeline(partitionOf(history.latest()), area.adjusted(0, 0, 0, -k_legend), names),
                    history, flagsOf(history.log(), history), window, theme, pictureFont());
                drawActivities(painter, area, theme);
            }};
}

/// The height at which the cards of all nodes are as full as they can be.
QSize clusterSize(const RunHistory& history)
{
    const Partition groups = partitionOf(history.shown());
    double height = k_least_cluster;
    ClusterLayout layout = layOutCluster(groups, history.nodeCount(), {k_width - 32, height});
    while (layout.size != CardSize::Full && height < k_most_cluster) {
        height *= 1.1;
        layout = layOutCluster(groups, history.nodeCount(), {k_width - 32, height});
    }
    return {k_width, static_cast<int>(std::ceil(std::max(height, layout.extent.height()))) + 52};
}

Picture clusterPicture(const PictureSource& source)
{
    const RunHistory& history = source.history;
    return {QStringLiteral("cluster"), words("Cluster"),
            words("at %1 s").arg(toSeconds(history.shown().now), 0, 'f', 2),
            clusterSize(history) + QSize(0, 16),
            [&history, model = source.model](QPainter& painter, const QRectF& area, const Theme& theme) {
                const PlainNumbers plain;
                ClusterScene scene;
                scene.begin(history, model);
                scene.refresh(history, area.size(), theme);
                scene.render(&painter, area, scene.sceneRect(), Qt::KeepAspectRatio);
            }};
}

Picture untitled(PictureKind kind, const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    switch (kind) {
    case PictureKind::Loss:
        return lossPicture(source, stretch);
    case PictureKind::Idle:
        return idlePicture(source, stretch);
    case PictureKind::Staleness:
        return stalenessPicture(source);
    case PictureKind::Throughput:
        return throughputPicture(source, stretch);
    case PictureKind::Timeline:
        return timelinePicture(source, stretch);
    case PictureKind::Cluster:
        return clusterPicture(source);
    }
    return {};
}

} // namespace

bool takesStretch(PictureKind kind) { return kind != PictureKind::Staleness && kind != PictureKind::Cluster; }

QList<QPointF> throughputShown(const RunHistory& history, const std::optional<TimeWindow>& stretch)
{
    QList<QPointF> points = throughput(history.progress(), history.latest().now, k_moments);
    points.removeIf([&](const QPointF& point) { return !isWithin(atSeconds(point.x()), stretch); });
    return points;
}

Picture pictureOf(PictureKind kind, const PictureSource& source, const std::optional<TimeWindow>& stretch)
{
    Picture picture = untitled(kind, source, takesStretch(kind) ? stretch : std::nullopt);
    if (!source.title.isEmpty()) {
        picture.title = QStringLiteral("%1 · %2").arg(picture.title, source.title);
    }
    if (stretch && takesStretch(kind)) {
        const QString of = words("%1–%2 s").arg(stretch->from, 0, 'f', 2).arg(stretch->to, 0, 'f', 2);
        picture.note = joined({of, picture.note});
    }
    return picture;
}

} // namespace lab
