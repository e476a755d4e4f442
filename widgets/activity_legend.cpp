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
    std::vector<Entry> all;
    for (const Activity activity : {Activity::Computing, Activity::Waiting, Activity::Communicating,
                                    Activity::Wasted, Activity::Down}) {
        all.push_back({activity, activityWord(activity)});
    }
    return all;
}

} // namespace

QString activityWord(Activity activity)
{
    switch (activity) {
    case Activity::Computing:
        return ActivityLegend::tr("computing");
    case Activity::Wasted:
        return ActivityLegend::tr("wasted");
    case Activity::Communicating:
        return ActivityLegend::tr("sending");
    case Activity::Waiting:
        return ActivityLegend::tr("waiting");
    case Activity::Down:
        return ActivityLegend::tr("failed");
    }
    return {};
}

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

QSize ActivityLegend::minimumSizeHint() const { return {0, sizeHint().height()}; }

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
