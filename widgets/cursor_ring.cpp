#include "widgets/cursor_ring.h"

#include "widgets/theme.h"

#include <QApplication>
#include <QCursor>
#include <QMouseEvent>
#include <QPainter>

namespace lab {

namespace {

constexpr int k_diameter = 56;
constexpr int k_soft = 70; ///< alpha of the ring's inside

} // namespace

CursorRing::CursorRing(QWidget* window) : QWidget(window)
{
    setObjectName(QStringLiteral("cursorRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    resize(k_diameter, k_diameter);
    qApp->installEventFilter(this);
    follow(QCursor::pos());
    show();
}

void CursorRing::follow(QPoint pointer)
{
    move(parentWidget()->mapFromGlobal(pointer) - rect().center());
    raise();
}

bool CursorRing::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) { // of whichever widget, or the window that gets it first
        follow(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

void CursorRing::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(palette());
    QColor inside = theme.event;
    inside.setAlpha(k_soft);
    painter.setPen(QPen(theme.event, 3));
    painter.setBrush(inside);
    painter.drawEllipse(QRectF(rect()).adjusted(3, 3, -3, -3));
}

} // namespace lab
