#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QStaticText>

class QPainter;

namespace lab {

/// One line of text that is laid out when it changes, not each time it is drawn.
class TextLabel {
public:
    explicit TextLabel(const QFont& font);

    /// True if this changed what will be drawn.
    bool set(const QString& text);
    [[nodiscard]] QString text() const { return text_.text(); }
    [[nodiscard]] double width() const { return text_.size().width(); }
    /// Draws with the start, the end or the middle of its base line at `at`.
    void draw(QPainter& painter, QPointF at, const QColor& colour, Qt::Alignment align = Qt::AlignLeft) const;

private:
    QFont font_;
    double ascent_;
    QStaticText text_;
};

} // namespace lab
