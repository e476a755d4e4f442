#pragma once

#include <QChartView>
#include <QColor>
#include <QString>

#include <vector>

namespace lab {

/// Shows a chart and follows the pointer over it. Qt 6.4.2's own mouse handlers dereference an item that may not be
/// there (QTBUG-118669), so none of them is called.
class ChartView final : public QChartView {
    Q_OBJECT
public:
    /// Takes the chart.
    explicit ChartView(QChart* chart, QWidget* parent = nullptr);

    /// One line of a read-out: whose value, and what it is.
    struct Reading {
        QString text;
        QColor colour; ///< of a small square in front; none where it is invalid
        double y = -1; ///< pixel of a dot on the curve; none where it is negative
    };
    /// Shows a vertical line at this pixel of the view and the values there.
    void setReadOut(double x, std::vector<Reading> readings);
    void clearReadOut();
    /// What is shown at the line; empty where there is none.
    [[nodiscard]] const std::vector<Reading>& readings() const { return readings_; }

Q_SIGNALS:
    void hovered(QPointF where); ///< in pixels of the view
    void left();
    /// The arrow keys: so many points on, or to the first or last one where it is that many.
    void stepped(int points);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    double cursor_ = -1;
    std::vector<Reading> readings_;
};

} // namespace lab
