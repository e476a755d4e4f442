#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace lab {

struct Theme;

/// Which line is which, below a chart: a piece of the line, its name, and its newest value.
class ChartLegend final : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString name;
        QString value; ///< drawn bold behind the name; may be empty
        QColor colour;
        Qt::PenStyle dash = Qt::SolidLine;
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    explicit ChartLegend(QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    std::vector<Entry> entries_;
};

/// Draws a legend's entries side by side. The same on screen and in files.
void drawLegend(QPainter& painter, const QRectF& area, const std::vector<ChartLegend::Entry>& entries,
                const Theme& theme, const QFont& font);

} // namespace lab
