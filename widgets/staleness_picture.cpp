#include "widgets/staleness_picture.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace lab {

namespace {

constexpr double k_bar = 0.79; ///< of the room that a bar has

QString shareText(double share)
{
    const double per_cent = 100 * share;
    return StalenessChart::tr("%1 %").arg(per_cent, 0, 'f', per_cent > 0 && per_cent < 10 ? 1 : 0);
}

} // namespace

void drawStaleness(QPainter& painter, const QRectF& area, const StalenessBars& bars, const Theme& theme,
                   const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontFor(TextRole::Tiny, font));
    const QFontMetricsF metrics(painter.font());
    const QRectF plot = area.adjusted(0, metrics.height() + 4, 0, -2 * metrics.height() - 6);
    const double pitch = plot.width() / static_cast<double>(bars.labels.size());
    const double total = std::accumulate(bars.gradients.begin(), bars.gradients.end(), 0.0);
    const double scale = plot.height() / std::max(1.0, bars.highest);
    const double base = plot.bottom() + 4 + metrics.ascent();
    const auto centred = [&](double x, double y, const QString& text) {
        painter.drawText(QPointF(x - metrics.horizontalAdvance(text) / 2, y), text);
    };
    for (qsizetype i = 0; i < bars.labels.size(); ++i) {
        const double middle = plot.left() + (static_cast<double>(i) + 0.5) * pitch;
        const double height = bars.gradients[i] * scale;
        painter.fillRect(QRectF(middle - k_bar * pitch / 2, plot.bottom() - height, k_bar * pitch, height),
                         theme.staleness);
        painter.setPen(theme.muted);
        centred(middle, base, bars.labels[i]);
        if (bars.gradients[i] > 0) {
            centred(middle, plot.bottom() - height - 4, shareText(bars.gradients[i] / total));
        }
    }
    painter.setPen(QPen(theme.muted, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    centred(plot.center().x(), base + metrics.height(),
            StalenessChart::tr("versions behind when applied; share of gradients"));
    QPen pen(theme.text, 1.5, Qt::CustomDashLine);
    pen.setDashPattern({2.5, 2.5});
    painter.setPen(pen);
    QList<QPointF> law;
    for (const QPointF& point : bars.law) {
        law.emplaceBack(plot.left() + (point.x() + 0.5) * pitch, plot.bottom() - point.y() * scale);
    }
    painter.drawPolyline(law.data(), static_cast<int>(law.size()));
    if (!law.isEmpty()) {
        const QString word = StalenessChart::tr("theory");
        painter.drawText(QPointF(plot.right() - metrics.horizontalAdvance(word), plot.top()), word);
    }
}

} // namespace lab
