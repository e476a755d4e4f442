#include "widgets/chart_view.h"

#include "widgets/theme.h"

#include <QChart>
#include <QMouseEvent>
#include <QPainter>

namespace lab {

ChartView::ChartView(QChart* chart, QWidget* parent) : QChartView(chart, parent)
{
    setFrameShape(QFrame::NoFrame);
    setRubberBand(QChartView::NoRubberBand);
    setRenderHint(QPainter::Antialiasing);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setBackgroundBrush(Qt::NoBrush);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(180, 90);
}

void ChartView::setCursorLine(double x)
{
    if (x != cursor_) {
        cursor_ = x;
        viewport()->update();
    }
}

void ChartView::mousePressEvent(QMouseEvent* event) { event->ignore(); }

void ChartView::mouseMoveEvent(QMouseEvent* event) { Q_EMIT hovered(event->position()); }

void ChartView::mouseReleaseEvent(QMouseEvent* event) { event->ignore(); }

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) { event->ignore(); }

void ChartView::leaveEvent(QEvent* event)
{
    Q_EMIT left();
    QChartView::leaveEvent(event);
}

void ChartView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF plot = chart()->plotArea();
    if (cursor_ >= plot.left() && cursor_ <= plot.right()) {
        painter->setPen(QPen(themeOf(palette()).muted, 1, Qt::DashLine));
        painter->drawLine(QPointF(cursor_, plot.top()), QPointF(cursor_, plot.bottom()));
    }
}

} // namespace lab
