#pragma once

#include <QObject>

namespace lab {

/// Keeps the wheel from changing spin boxes, sliders and combo boxes that do not have the focus: scrolling over a panel
/// must not edit it. Install on the application; the wheel goes to the scroll area underneath instead.
class WheelGuard final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lab
