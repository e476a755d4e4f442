#include "widgets/timeline_view.h"

#include "widgets/style.h"
#include "widgets/texture.h"

#include <QFontMetricsF>
#include <QPainter>

namespace lab {

namespace {

constexpr double k_swatch = 12;
constexpr double k_gap = 14;

struct Entry {
    Activity activity;
    QString word;
};

std::vector<Entry> entries()
{
    return {{Activity::Computing, ActivityLegend::tr("computing")},
            {Activity::Waiting, ActivityLegend::tr("waiting")},
            {Activity::Communicating, ActivityLegend::tr("sending")},
            {Activity::Wasted, ActivityLegend::tr("wasted")},
            {Activity::Down, ActivityLegend::tr("failed")}};
}

} // namespace

ActivityLegend::ActivityLegend(QWidget* parent) : QWidget(parent)
{
    setTextRole(*this, TextRole::Small);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

QSize ActivityLegend::sizeHint() const
{
    const QFontMetricsF metrics(font());
    double width = 0;
    for (const Entry& entry : entries()) {
        width += k_swatch + 5 + metrics.horizontalAdvance(entry.word) + k_gap;
    }
    return {static_cast<int>(width), static_cast<int>(metrics.height())};
}

QSize ActivityLegend::minimumSizeHint() const { return {60, sizeHint().height()}; }

void ActivityLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawActivityLegend(painter, rect(), themeOf(palette()), font());
}

void drawActivityLegend(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font)
{
    const QFontMetricsF metrics(font);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    double x = area.left();
    for (const Entry& entry : entries()) {
        const double width = metrics.horizontalAdvance(entry.word);
        if (x + k_swatch + 5 + width > area.right()) {
            return; // a narrow header shows the first ones whole rather than all of them cut
        }
        fillActivityRounded(painter, QRectF(x, area.center().y() - 5, k_swatch, 10), 2,
                            theme.of(entry.activity));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(x + k_swatch + 5, area.center().y() + metrics.capHeight() / 2), entry.word);
        x += k_swatch + 5 + width + k_gap;
    }
}

} // namespace lab
