#pragma once

#include <QChartView>

namespace lab {

/// Shows a chart and follows the pointer over it. Qt 6.4.2's own mouse handlers dereference an item that may not be
/// there (QTBUG-118669), so none of them is called.
class ChartView final : public QChartView {
    Q_OBJECT
public:
    /// Takes the chart.
    explicit ChartView(QChart* chart, QWidget* parent = nullptr);

    /// Shows a vertical line at this pixel of the view; nothing where it is negative.
    void setCursorLine(double x);

Q_SIGNALS:
    void hovered(QPointF where); ///< in pixels of the view
    void left();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    double cursor_ = -1;
};

} // namespace lab
