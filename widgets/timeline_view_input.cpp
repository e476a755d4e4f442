// The timeline's mouse and keyboard.

#include "widgets/timeline_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
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

void TimelineView::mouseReleaseEvent(QMouseEvent*)
{
    const bool is_click = grip_ == Grip::Lanes && !has_moved_ && grip_x_ >= layout_.plot.left();
    grip_ = Grip::None;
    const double at = secondsAt(grip_x_);
    if (is_click && at >= 0 && at < end_) {
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

} // namespace lab
