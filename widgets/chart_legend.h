#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <vector>

class QPainter;

namespace lab {

struct Theme;

/// Which line is which, below a chart: a piece of the line, its name, and its newest value, in as many rows as it takes.
///
/// A click or Space hides a line and brings it back, Ctrl+click shows it alone, Delete takes away a line that can go. Qt's
/// own legend cannot be reached by keyboard and drops what is hidden.
class ChartLegend final : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString name;
        QString value; ///< drawn bold behind the name; may be empty
        QColor colour;
        Qt::PenStyle dash = Qt::SolidLine;
        bool is_hidden = false;
        bool can_go = false; ///< a person may take it away
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    explicit ChartLegend(QWidget* parent = nullptr);
    void setEntries(std::vector<Entry> entries);
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// Where an entry is drawn.
    [[nodiscard]] QRectF placeOf(std::size_t entry) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void toggled(std::size_t entry);
    void isolated(std::size_t entry);
    void removed(std::size_t entry);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF area(int width) const;
    void describe();

    std::vector<Entry> entries_;
    std::size_t current_ = 0; ///< that the keyboard acts on
};

/// Where each entry stands when they are set side by side, row under row, in a width.
[[nodiscard]] std::vector<QRectF> layOutLegend(const std::vector<ChartLegend::Entry>& entries,
                                               QPointF top_left, double width, const QFont& font);

/// Draws a legend's entries. The same on screen and in files.
void drawLegend(QPainter& painter, const QRectF& area, const std::vector<ChartLegend::Entry>& entries,
                const Theme& theme, const QFont& font);

} // namespace lab
