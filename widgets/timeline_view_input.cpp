// The timeline's mouse and keyboard, and the line under the pointer.

#include "widgets/timeline_view.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lab {

void TimelineView::wheelEvent(QWheelEvent* event)
{
    zoom(std::pow(0.999, event->angleDelta().y()), secondsAt(event->position().x()));
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    const bool on_strip = event->position().y() >= strip().top() - 4;
    const bool selects = event->modifiers().testFlag(Qt::ShiftModifier);
    grip_ = on_strip ? Grip::Strip : selects ? Grip::Selecting : Grip::Lanes;
    grip_x_ = event->position().x();
    grip_window_ = window_;
    has_moved_ = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    hover(event->position());
    const double pixels = event->position().x() - grip_x_;
    if (grip_ == Grip::None || layout_.plot.width() <= 0
        || (!has_moved_ && std::abs(pixels) < QApplication::startDragDistance())) {
        return;
    }
    has_moved_ = true;
    if (grip_ == Grip::Selecting) {
        const double one = std::clamp(secondsAt(grip_x_), 0.0, end_);
        const double other = std::clamp(secondsAt(event->position().x()), 0.0, end_);
        if (one != other) {
            select(TimeWindow{std::min(one, other), std::max(one, other)});
        }
        return;
    }
    const double whole = std::max(end_, grip_window_.to);
    const double seconds = grip_ == Grip::Strip ? pixels / layout_.plot.width() * whole
                                                : -pixels / layout_.plot.width() * grip_window_.length();
    TimeWindow window{grip_window_.from + seconds, grip_window_.to + seconds};
    keepInside(window);
    follows_ = window.to >= end_ && !moment_;
    setWindow(window);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool is_click = grip_ == Grip::Lanes && !has_moved_ && grip_x_ >= layout_.plot.left();
    grip_ = Grip::None;
    const double at = secondsAt(grip_x_);
    if (const TimelineFlag* flag = is_click ? flagAt(event->position()) : nullptr; flag != nullptr) {
        Q_EMIT momentChosen(flag->at);
    } else if (is_click && at >= 0 && at < end_) {
        Q_EMIT momentChosen(atSeconds(at));
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent*)
{
    Q_EMIT momentChosen(std::nullopt);
    follow();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const double step = window_.length() / 10;
    const bool looks = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_End:
        Q_EMIT momentChosen(std::nullopt);
        follow();
        return;
    case Qt::Key_Escape:
        if (moment_) {
            Q_EMIT momentChosen(std::nullopt);
            return;
        }
        if (selection_) {
            select(std::nullopt);
            return;
        }
        break;
    case Qt::Key_Left:
        if (looks) {
            stepMoment(-4);
            return;
        }
        follows_ = false;
        setWindow({window_.from - step, window_.to - step});
        return;
    case Qt::Key_Right:
        if (looks) {
            stepMoment(+4);
            return;
        }
        follows_ = window_.to + step >= end_;
        setWindow({window_.from + step, window_.to + step});
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.8);
        return;
    case Qt::Key_Minus:
        zoom(1.25);
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    pointer_ = {-1, -1};
    Q_EMIT cursorMoved(std::nullopt);
}

void TimelineView::hover(QPointF where)
{
    pointer_ = where;
    const bool is_inside = layout_.plot.adjusted(0, -4, 0, 8).contains(where);
    const double at = secondsAt(where.x());
    flagAt(where) != nullptr ? setCursor(Qt::PointingHandCursor) : unsetCursor();
    Q_EMIT cursorMoved(is_inside && at >= 0 && at <= end_ ? std::optional(atSeconds(at)) : std::nullopt);
}

const TimelineFlag* TimelineView::flagAt(QPointF where) const
{
    constexpr double reach = 4;
    for (const FlagPlace& place : placeFlags(layout_.plot, flags_, window_, font())) {
        const bool on_line = std::abs(where.x() - place.x) <= reach
            && layout_.plot.adjusted(0, -reach, 0, reach).contains(QPointF(place.x, where.y()));
        if (on_line || place.label.contains(where)) {
            return &flags_[place.flag];
        }
    }
    return nullptr;
}

void TimelineView::showCursor(std::optional<TimePoint> moment)
{
    if (moment != cursor_) {
        cursor_ = moment;
        update();
    }
}

QString TimelineView::activityAt(TimePoint moment) const
{
    const auto lane = std::ranges::find_if(
        layout_.lanes, [this](const TimelineLayout::Lane& one) { return one.bar.contains(pointer_); });
    if (lane == layout_.lanes.end()) {
        return {};
    }
    const auto words = [&](const Span& span) {
        return tr("%1 %2 for %3 s")
            .arg(history_->nameOf(lane->node), activityWord(span.activity))
            .arg(toSeconds(span.end - span.start), 0, 'g', 3);
    };
    for (const Span& span : history_->lane(lane->node).spansFrom(moment)) {
        if (span.start <= moment) {
            return words(span);
        }
        break;
    }
    for (const Span& span : history_->latest().open) {
        if (span.node == lane->node && span.start <= moment && moment <= span.end) {
            return words(span);
        }
    }
    return {};
}

void TimelineView::paintCursor(QPainter& painter) const
{
    const double x = cursor_ ? pixelOf(toSeconds(*cursor_)) : -1;
    if (x < layout_.plot.left() || x > layout_.plot.right()) {
        return;
    }
    const Theme& theme = themeOf(palette());
    painter.setPen(QPen(theme.muted, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, layout_.plot.top() - 4), QPointF(x, layout_.plot.bottom() + 6));
    QString words = tr("%1 s").arg(toSeconds(*cursor_), 0, 'f', 2);
    if (const QString activity = activityAt(*cursor_); !activity.isEmpty()) {
        words += QStringLiteral(" · ") + activity;
    }
    painter.setFont(fontFor(TextRole::Small, font()));
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(words) + 12, metrics.height() + 4);
    const double left =
        std::clamp(x - size.width() / 2, layout_.plot.left(), layout_.plot.right() - size.width());
    const QRectF box(QPointF(left, layout_.plot.bottom() + 12),
                     size); // over the axis, so that no lane is covered
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(theme.text);
    painter.drawText(box, Qt::AlignCenter, words);
}

} // namespace lab
