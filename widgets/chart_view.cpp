#include "widgets/chart_view.h"

#include "widgets/theme.h"

#include <QChart>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr int k_all_points = 1 << 30;

} // namespace

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

void ChartView::setReadOut(double x, std::vector<Reading> readings)
{
    cursor_ = x;
    readings_ = std::move(readings);
    viewport()->update();
}

void ChartView::clearReadOut()
{
    if (cursor_ >= 0) {
        setReadOut(-1, {});
    }
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        Q_EMIT stepped(-1);
        return;
    case Qt::Key_Right:
        Q_EMIT stepped(1);
        return;
    case Qt::Key_Home:
        Q_EMIT stepped(-k_all_points);
        return;
    case Qt::Key_End:
        Q_EMIT stepped(k_all_points);
        return;
    default:
        event->ignore();
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

void ChartView::focusOutEvent(QFocusEvent* event)
{
    Q_EMIT left();
    QChartView::focusOutEvent(event);
}

void ChartView::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF plot = chart()->plotArea();
    if (cursor_ < plot.left() || cursor_ > plot.right()) {
        return;
    }
    const Theme& theme = themeOf(palette());
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme.muted, 1, Qt::DashLine));
    painter->drawLine(QPointF(cursor_, plot.top()), QPointF(cursor_, plot.bottom()));
    const QFont font = fontFor(TextRole::Small, this->font());
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const Reading& reading : readings_) {
        width = std::max(width, metrics.horizontalAdvance(reading.text));
        if (reading.y >= plot.top() && reading.y <= plot.bottom()) {
            painter->setPen(QPen(theme.card, 1.5));
            painter->setBrush(reading.colour);
            painter->drawEllipse(QPointF(cursor_, reading.y), 4, 4);
        }
    }
    if (readings_.empty()) {
        return;
    }
    const double line = metrics.height() + 1;
    const QSizeF size(width + 30, static_cast<double>(readings_.size()) * line + 10);
    const double right = cursor_ + 12;
    const double left = right + size.width() <= viewport()->width() ? right : cursor_ - 12 - size.width();
    const QRectF box(QPointF(std::max(2.0, left), plot.top() + 4), size);
    painter->setPen(QPen(theme.border, 1));
    painter->setBrush(theme.card);
    painter->drawRoundedRect(box, 5, 5);
    painter->setFont(font);
    double top = box.top() + 5;
    for (const Reading& reading : readings_) {
        if (reading.colour.isValid()) {
            painter->fillRect(QRectF(box.left() + 8, top + line / 2 - 4, 8, 8), reading.colour);
        }
        painter->setPen(theme.text);
        painter->drawText(QPointF(box.left() + 22, top + metrics.ascent()), reading.text);
        top += line;
    }
}

} // namespace lab
