#include "widgets/chart_legend.h"

#include "widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <utility>

namespace lab {

namespace {

constexpr double k_line = 18;
constexpr double k_gap = 16;

} // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChartLegend::setEntries(std::vector<Entry> entries)
{
    if (entries != entries_) {
        entries_ = std::move(entries);
        update();
    }
}

QSize ChartLegend::sizeHint() const
{
    return {200, static_cast<int>(QFontMetricsF(fontFor(TextRole::Small, font())).height()) + 8};
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawLegend(painter, QRectF(rect()).adjusted(12, 0, 0, -4), entries_, themeOf(palette()), font());
}

void drawLegend(QPainter& painter, const QRectF& area, const std::vector<ChartLegend::Entry>& entries,
                const Theme& theme, const QFont& font)
{
    const QFont plain = fontFor(TextRole::Small, font);
    const QFont strong = fontFor(TextRole::SmallStrong, font);
    const QFontMetricsF metrics(plain);
    const QFontMetricsF strong_metrics(strong);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = area.center().y();
    const double base = middle + metrics.capHeight() / 2;
    double x = area.left();
    for (const ChartLegend::Entry& entry : entries) {
        painter.setPen(QPen(entry.colour, 2.6, entry.dash, Qt::FlatCap));
        painter.drawLine(QPointF(x, middle), QPointF(x + k_line, middle));
        x += k_line + 5;
        painter.setPen(theme.text);
        painter.setFont(plain);
        painter.drawText(QPointF(x, base), entry.name);
        x += metrics.horizontalAdvance(entry.name) + 6;
        painter.setFont(strong);
        painter.drawText(QPointF(x, base), entry.value);
        x += strong_metrics.horizontalAdvance(entry.value) + k_gap;
    }
}

} // namespace lab
