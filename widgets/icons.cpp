#include "widgets/icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace lab {

namespace {

constexpr double k_size = 14;

/// The symbol in a square of 14 units.
QPainterPath pathOf(Glyph glyph)
{
    QPainterPath path;
    const auto triangle = [&](double left, double right) {
        path.moveTo(left, 2);
        path.lineTo(right, 7);
        path.lineTo(left, 12);
        path.closeSubpath();
    };
    switch (glyph) {
    case Glyph::Run:
        triangle(4, 12);
        break;
    case Glyph::Pause:
        path.addRoundedRect(QRectF(3, 2, 3, 10), 0.8, 0.8);
        path.addRoundedRect(QRectF(8, 2, 3, 10), 0.8, 0.8);
        break;
    case Glyph::Step:
        triangle(2.5, 9);
        path.addRoundedRect(QRectF(9.5, 2, 2.2, 10), 0.6, 0.6);
        break;
    case Glyph::Reset:
        path.addRoundedRect(QRectF(2, 2, 2.2, 10), 0.6, 0.6);
        path.moveTo(12, 2);
        path.lineTo(5, 7);
        path.lineTo(12, 12);
        path.closeSubpath();
        break;
    }
    return path;
}

} // namespace

QIcon glyphIcon(Glyph glyph, const QColor& colour)
{
    QIcon icon;
    for (const int scale : {1, 2, 3}) {
        QPixmap pixmap(static_cast<int>(k_size) * scale, static_cast<int>(k_size) * scale);
        pixmap.setDevicePixelRatio(scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(pathOf(glyph), colour);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace lab
