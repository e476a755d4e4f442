#include "widgets/text_label.h"

#include <QFontMetricsF>
#include <QPainter>

namespace lab {

TextLabel::TextLabel(const QFont& font) : font_(font), ascent_(QFontMetricsF(font).ascent())
{
    text_.setTextFormat(Qt::PlainText);
}

bool TextLabel::set(const QString& text)
{
    if (text == text_.text()) {
        return false;
    }
    text_.setText(text);
    text_.prepare({}, font_);
    return true;
}

void TextLabel::draw(QPainter& painter, QPointF at, const QColor& colour, Qt::Alignment align) const
{
    double left = at.x();
    if (align == Qt::AlignRight) {
        left -= width();
    } else if (align == Qt::AlignHCenter) {
        left -= width() / 2;
    }
    painter.setFont(font_);
    painter.setPen(colour);
    painter.drawStaticText(QPointF(left, at.y() - ascent_), text_);
}

} // namespace lab
