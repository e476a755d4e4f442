#include "widgets/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace lab {

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Wheel) {
        return QObject::eventFilter(watched, event);
    }
    const auto* widget = qobject_cast<QWidget*>(watched);
    const bool is_editor = qobject_cast<QAbstractSpinBox*>(watched) != nullptr
        || qobject_cast<QSlider*>(watched) != nullptr || qobject_cast<QComboBox*>(watched) != nullptr;
    if (!is_editor || widget->hasFocus()) {
        return QObject::eventFilter(watched, event);
    }
    event->ignore(); // not accepted: Qt offers it to the parent
    return true;
}

} // namespace lab
