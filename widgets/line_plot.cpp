#include "widgets/line_plot.h"

#include "widgets/decimate.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QScatterSeries>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr int k_most_columns = 500;

} // namespace

LinePlot::LinePlot(QChart* chart, QObject* parent)
    : QObject(parent),
      chart_(chart),
      x_(new QCategoryAxis),
      y_(new QCategoryAxis),
      marks_(new QScatterSeries),
      breaks_(new QScatterSeries)
{
    for (QCategoryAxis* axis : {x_, y_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setTruncateLabels(false);
    }
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    chart_->setAnimationOptions(QChart::NoAnimation);
    marks_->setMarkerSize(9);
    breaks_->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    breaks_->setMarkerSize(11);
    addScatter(marks_);
    addScatter(breaks_);
}

void LinePlot::addScatter(QScatterSeries* series)
{
    series->setBorderColor(Qt::transparent);
    chart_->addSeries(series);
    series->attachAxis(x_);
    series->attachAxis(y_);
}

void LinePlot::restart()
{
    end_ = 0;
    y_range_ = {0, 0};
}

void LinePlot::setLogarithmic(bool logarithmic)
{
    if (logarithmic != logarithmic_) {
        logarithmic_ = logarithmic;
        y_range_ = {0, 0};
    }
}

void LinePlot::setTheme(const Theme& theme, const QFont& font)
{
    chart_->setBackgroundVisible(false);
    chart_->setPlotAreaBackgroundVisible(false);
    chart_->setMargins(QMargins(4, 4, 16, 2));
    chart_->layout()->setContentsMargins(0, 0, 0, 0);
    for (QCategoryAxis* axis : {x_, y_}) {
        axis->setLabelsFont(fontFor(TextRole::Tiny, font));
        axis->setLabelsColor(theme.muted);
        axis->setGridLinePen(QPen(theme.border, 1));
        axis->setLinePen(QPen(theme.border, 1));
    }
    x_->setGridLineVisible(false);
    y_->setLineVisible(false);
    breaks_->setColor(theme.event);
}

QLineSeries* LinePlot::line(std::size_t index)
{
    while (lines_.size() <= index) {
        auto* series = new QLineSeries;
        chart_->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
        lines_.push_back(series);
    }
    return lines_[index];
}

QList<QPointF> LinePlot::transformed(const QList<QPointF>& points)
{
    if (!logarithmic_) {
        return points;
    }
    QList<QPointF> out;
    out.reserve(points.size());
    for (const QPointF& point : points) {
        const bool fits = point.y() > 0;
        hidden_ += std::isfinite(point.y()) && !fits ? 1 : 0;
        out.emplaceBack(point.x(), fits ? std::log10(point.y()) : k_nan);
    }
    return out;
}

void LinePlot::show(const std::vector<Curve>& curves, double end)
{
    hidden_ = 0;
    std::vector<Curve> shown = curves;
    for (Curve& curve : shown) {
        curve.points = transformed(curve.points);
    }
    fitAxes(shown, end);
    const int columns = std::clamp(static_cast<int>(chart_->plotArea().width()), 50, k_most_columns);
    std::size_t used = 0;
    QList<QPointF> marks;
    QColor mark_colour;
    for (const Curve& curve : shown) {
        for (const QList<QPointF>& run : decimate(curve.points, x_->min(), x_->max(), columns)) {
            QLineSeries* series = line(used++);
            QPen pen(curve.colour, curve.width * line_scale_, curve.dash, Qt::FlatCap, Qt::RoundJoin);
            if (curve.dash == Qt::CustomDashLine) {
                pen.setDashPattern({5 / curve.width, 4 / curve.width});
            }
            series->setPen(pen);
            series->setName(curve.name.toHtmlEscaped());
            series->replace(run);
            series->setVisible(true);
        }
        if (curve.marks_end && !curve.points.isEmpty() && std::isfinite(curve.points.back().y())) {
            marks << curve.points.back();
            mark_colour = curve.colour;
        }
    }
    for (std::size_t i = used; i < lines_.size(); ++i) {
        if (lines_[i]->isVisible()) {
            lines_[i]->replace(QList<QPointF>());
            lines_[i]->setVisible(false);
        }
    }
    marks_->setColor(mark_colour);
    marks_->replace(marks);
    markBreaks(curves);
}

void LinePlot::markBreaks(const std::vector<Curve>& curves)
{
    broken_ = 0;
    QList<QPointF> breaks;
    for (const Curve& curve : curves) {
        const auto at = std::ranges::find_if(curve.points,
                                             [](const QPointF& point) { return !std::isfinite(point.y()); });
        if (at != curve.points.end()) {
            ++broken_;
            breaks << QPointF(at->x(), y_->max() - 0.04 * (y_->max() - y_->min()));
        }
    }
    if (breaks_->points() != breaks) {
        breaks_->replace(breaks);
    }
}

void LinePlot::fitAxes(const std::vector<Curve>& curves, double end)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double right = end;
    for (const Curve& curve : curves) {
        for (const QPointF& point : curve.points) {
            if (std::isfinite(point.y())) {
                low = std::min(low, point.y());
                high = std::max(high, point.y());
                right = std::max(right, point.x());
            }
        }
    }
    end_ = end_ == 0 ? std::max(right, 1e-9) : growEnd(end_, right);
    const AxisRange x{0, end_};
    label(x_, linearTicks(x, std::max(2, static_cast<int>(chart_->plotArea().width() / 75))), x, false);
    if (low > high) {
        low = logarithmic_ ? -1 : 0;
        high = logarithmic_ ? 0 : 1;
    }
    // Grown, never shrunk, with some air, so that the picture does not tremble.
    if (y_range_.from == y_range_.to || low < y_range_.from || high > y_range_.to) {
        const double air = logarithmic_ ? std::max(0.05 * (high - low), 0.02) : 0.05 * (high - low);
        AxisRange wanted = safeRange(low - air, high + air);
        if (!logarithmic_ && low >= 0) {
            wanted.from = 0;
        }
        if (y_range_.from != y_range_.to) {
            wanted.from = std::min(wanted.from, y_range_.from);
            wanted.to = std::max(wanted.to, y_range_.to);
        }
        y_range_ = wanted;
    }
    label(y_, logarithmic_ ? logarithmicTicks(y_range_, 5) : linearTicks(y_range_, 5), y_range_, true);
}

void LinePlot::label(QCategoryAxis* axis, const std::vector<double>& ticks, AxisRange range, bool vertical)
{
    QString& shown = vertical ? y_labels_ : x_labels_;
    QString key = QStringLiteral("%1 %2").arg(range.from).arg(range.to);
    for (const double tick : ticks) {
        key += QLatin1Char(' ') + tickText(tick);
    }
    if (key == shown) {
        return;
    }
    shown = key;
    for (const QString& old : axis->categoriesLabels()) {
        axis->remove(old);
    }
    axis->setStartValue(range.from);
    for (const double tick : ticks) {
        const double at = vertical && logarithmic_ ? std::log10(tick) : tick;
        axis->append(vertical || unit_.isEmpty() ? tickText(tick) : tickText(tick) + QLatin1Char(' ') + unit_,
                     at);
    }
    axis->setRange(range.from, range.to);
}

double LinePlot::valueAt(double pixel) const
{
    const QRectF plot = chart_->plotArea();
    return plot.width() > 0 ? x_->min() + (pixel - plot.left()) / plot.width() * (x_->max() - x_->min()) : 0;
}

QPointF LinePlot::pixelOf(QPointF value) const
{
    const QRectF plot = chart_->plotArea();
    const double y = logarithmic_ ? std::log10(value.y()) : value.y();
    return {plot.left() + (value.x() - x_->min()) / (x_->max() - x_->min()) * plot.width(),
            plot.bottom() - (y - y_->min()) / (y_->max() - y_->min()) * plot.height()};
}

} // namespace lab
