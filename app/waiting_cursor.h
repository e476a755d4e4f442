#pragma once

#include <QGuiApplication>

namespace lab {

/// The pointer says that the program is busy for as long as this lives.
class WaitingCursor {
public:
    WaitingCursor() { QGuiApplication::setOverrideCursor(Qt::WaitCursor); }
    ~WaitingCursor() { QGuiApplication::restoreOverrideCursor(); }
    WaitingCursor(const WaitingCursor&) = delete;
    WaitingCursor& operator=(const WaitingCursor&) = delete;
};

} // namespace lab
