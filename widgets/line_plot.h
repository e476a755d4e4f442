#pragma once

#include "widgets/axis_range.h"
#include "widgets/theme.h"

#include <QList>
#include <QObject>
#include <QPointF>
#include <QString>

#include <vector>

class QCategoryAxis;
class QChart;
class QLineSeries;
class QScatterSeries;

namespace lab {

/// One line of a plot: all of its points, ascending in x. Values that are not finite are gaps.
struct Curve {
    QString name;
    QList<QPointF> points;
    QColor colour;
    Qt::PenStyle dash = Qt::SolidLine;
    double width = 1.8;
    bool marks_end = false; ///< a dot at its newest point
};

/// Curves in a QChart, for the window and for files: decimated, with gaps, and a vertical axis that may be logarithmic.
///
/// The logarithm is taken here and the axes are linear with labels of their own: Qt's logarithmic axis drops a whole
/// line for one value that is not positive, and has no labels within a decade.
class LinePlot final : public QObject {
    Q_OBJECT
public:
    /// Adds its axes and lines to `chart`, which outlives it.
    explicit LinePlot(QChart* chart, QObject* parent = nullptr);

    void setUnit(const QString& unit) { unit_ = unit; } ///< of the horizontal axis, after the number
    void setLogarithmic(bool logarithmic);
    [[nodiscard]] bool isLogarithmic() const { return logarithmic_; }
    /// All lines this many times as wide: for a projector.
    void setLineScale(double scale) { line_scale_ = scale; }
    void setTheme(const Theme& theme, const QFont& font);
    /// Shows these curves; the horizontal axis starts at 0 and ends at `end` at least.
    void show(const std::vector<Curve>& curves, double end);
    /// The axes forget how far they have grown.
    void restart();

    /// Points that a logarithmic axis cannot show: at or below zero.
    [[nodiscard]] int hiddenPoints() const { return hidden_; }
    /// Curves with a value that is not finite; a mark at the upper edge shows where the first one is.
    [[nodiscard]] int brokenCurves() const { return broken_; }
    [[nodiscard]] double valueAt(double pixel) const; ///< of the horizontal axis
    [[nodiscard]] QPointF pixelOf(QPointF value) const;

private:
    [[nodiscard]] QList<QPointF> transformed(const QList<QPointF>& points);
    void fitAxes(const std::vector<Curve>& curves, double end);
    void label(QCategoryAxis* axis, const std::vector<double>& ticks, AxisRange range, bool vertical);
    QLineSeries* line(std::size_t index);
    void addScatter(QScatterSeries* series);
    void markBreaks(const std::vector<Curve>& curves);

    QChart* chart_;
    QCategoryAxis* x_;
    QCategoryAxis* y_;
    std::vector<QLineSeries*>
        lines_; ///< re-used: adding and removing series is slow and leaks until the next loop
    QScatterSeries* marks_;
    QScatterSeries* breaks_;
    QString unit_;
    double line_scale_ = 1;
    bool logarithmic_ = false;
    double end_ = 0;
    AxisRange y_range_{0, 0};
    int hidden_ = 0;
    int broken_ = 0;
    QString x_labels_; ///< what the axes show now, so that nothing is laid out twice
    QString y_labels_;
};

} // namespace lab
