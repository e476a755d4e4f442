#include "widgets/line_picture.h"

#include "widgets/decimate.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_right = 16; ///< room for half of the last tick's number
constexpr double k_tick = 6;   ///< between the axis and its numbers
constexpr double k_per_x = 75; ///< width for each number of the horizontal axis
constexpr int k_y_ticks = 5;

/// Half-transparent lines make a PDF six times as large.
QColor opaque(const QColor& colour, const QColor& ground)
{
    const double share = colour.alphaF();
    const auto mix = [share](int over, int under) {
        return static_cast<int>(std::lround(share * over + (1 - share) * under));
    };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()),
            mix(colour.blue(), ground.blue())};
}

QPen penOf(const Curve& curve, const Theme& theme)
{
    QPen pen(opaque(curve.colour, theme.card), curve.width, curve.dash, Qt::FlatCap, Qt::RoundJoin);
    if (curve.dash == Qt::CustomDashLine) {
        pen.setDashPattern({5 / curve.width, 4 / curve.width});
    }
    return pen;
}

/// Where values stand on the page.
class Axes {
public:
    Axes(const std::vector<Curve>& curves, const LineAxes& wanted) : wanted_(wanted)
    {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        double right = 0;
        for (const Curve& curve : curves) {
            for (const QPointF& point : curve.points) {
                if (const double y = lifted(point.y()); std::isfinite(y)) {
                    low = std::min(low, y);
                    high = std::max(high, y);
                    right = std::max(right, point.x());
                }
            }
        }
        x_ = wanted.x.value_or(safeRange(0, std::max(right, 1e-9)));
        if (low > high) {
            low = wanted.is_logarithmic ? -1 : 0;
            high = wanted.is_logarithmic ? 0 : 1;
        }
        const double air = wanted.is_logarithmic ? std::max(0.05 * (high - low), 0.02) : 0.05 * (high - low);
        y_ = safeRange(low - air, high + air);
        if (!wanted.is_logarithmic && low >= 0) {
            y_.from = 0;
        }
    }

    [[nodiscard]] AxisRange x() const { return x_; }
    [[nodiscard]] std::vector<double> yTicks() const
    {
        return wanted_.is_logarithmic ? logarithmicTicks(y_, k_y_ticks) : linearTicks(y_, k_y_ticks);
    }
    void setPlot(const QRectF& plot) { plot_ = plot; }
    [[nodiscard]] const QRectF& plot() const { return plot_; }
    /// A value as the vertical axis counts it; not a number where the axis has no place for it.
    [[nodiscard]] double lifted(double y) const
    {
        if (!wanted_.is_logarithmic) {
            return y;
        }
        return y > 0 ? std::log10(y) : k_nan;
    }
    [[nodiscard]] QPointF place(QPointF lifted) const
    {
        return {plot_.left() + (lifted.x() - x_.from) / (x_.to - x_.from) * plot_.width(),
                plot_.bottom() - (lifted.y() - y_.from) / (y_.to - y_.from) * plot_.height()};
    }

private:
    const LineAxes& wanted_;
    AxisRange x_;
    AxisRange y_;
    QRectF plot_;
};

void drawAxes(QPainter& painter, const Axes& axes, const LineAxes& wanted, const Theme& theme)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF& plot = axes.plot();
    const auto write = [&](double left, double base, const QString& text) {
        painter.setPen(theme.muted);
        painter.drawText(QPointF(left, base), text);
    };
    for (const double tick : axes.yTicks()) {
        const double y = axes.place({axes.x().from, axes.lifted(tick)}).y();
        const QString text = tickText(tick);
        write(plot.left() - k_tick - metrics.horizontalAdvance(text), y + metrics.capHeight() / 2, text);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const double base = plot.bottom() + k_tick + metrics.ascent();
    const int count = std::max(2, static_cast<int>(plot.width() / k_per_x));
    for (const double tick : linearTicks(axes.x(), count)) {
        const double x = axes.place({tick, 0}).x();
        const QString text = tickText(tick);
        write(x - metrics.horizontalAdvance(text) / 2, base, text);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
    }
    write(plot.right() - metrics.horizontalAdvance(wanted.x_title), base + metrics.height(), wanted.x_title);
    write(plot.left(), plot.top() - k_tick, wanted.y_title);
}

void drawCurve(QPainter& painter, const Axes& axes, const Curve& curve, const Theme& theme)
{
    QList<QPointF> points;
    points.reserve(curve.points.size());
    for (const QPointF& point : curve.points) {
        points.emplaceBack(point.x(), axes.lifted(point.y()));
    }
    painter.setPen(penOf(curve, theme));
    painter.setBrush(Qt::NoBrush);
    const int columns = std::max(1, static_cast<int>(axes.plot().width()));
    for (QList<QPointF> run : decimate(points, axes.x().from, axes.x().to, columns)) {
        std::ranges::transform(run, run.begin(), [&](QPointF point) { return axes.place(point); });
        painter.drawPolyline(run.data(), static_cast<int>(run.size()));
    }
    painter.setPen(Qt::NoPen);
    if (curve.marks_end && !points.isEmpty() && std::isfinite(points.back().y())) {
        painter.setBrush(opaque(curve.colour, theme.card));
        painter.drawEllipse(axes.place(points.back()), 4.5, 4.5);
    }
    const auto broken =
        std::ranges::find_if(curve.points, [](const QPointF& point) { return !std::isfinite(point.y()); });
    if (broken != curve.points.end()) {
        const QPointF at(axes.place({broken->x(), 0}).x(), axes.plot().top());
        const QPointF corners[] = {at, at + QPointF(-5, 9), at + QPointF(5, 9)};
        painter.setBrush(theme.event);
        painter.drawPolygon(corners, 3);
    }
}

} // namespace

void drawCurves(QPainter& painter, const QRectF& area, const std::vector<Curve>& curves,
                const LineAxes& wanted, const Theme& theme, const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontFor(TextRole::Tiny, font));
    const QFontMetricsF metrics(painter.font());
    Axes axes(curves, wanted);
    double numbers = 0;
    for (const double tick : axes.yTicks()) {
        numbers = std::max(numbers, metrics.horizontalAdvance(tickText(tick)));
    }
    axes.setPlot(
        area.adjusted(numbers + k_tick, metrics.height() + k_tick, -k_right, -2 * metrics.height() - k_tick));
    drawAxes(painter, axes, wanted, theme);
    for (const Curve& curve : curves) {
        drawCurve(painter, axes, curve, theme);
    }
}

int notPositive(const std::vector<Curve>& curves)
{
    std::ptrdiff_t count = 0;
    for (const Curve& curve : curves) {
        count += std::ranges::count_if(
            curve.points, [](const QPointF& point) { return std::isfinite(point.y()) && point.y() <= 0; });
    }
    return static_cast<int>(count);
}

} // namespace lab
