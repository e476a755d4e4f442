#include "widgets/chart_legend.h"

#include "widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab {

namespace {

constexpr double k_line = 18;
constexpr double k_gap = 16;
constexpr double k_side = 12;

} // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Legend"));
    setWhatsThis(tr("Click a line's name to hide it or bring it back, with Ctrl to see it alone. Hiding a "
                    "line changes no "
                    "other line."));
}

void ChartLegend::setEntries(std::vector<Entry> entries)
{
    if (entries == entries_) {
        return;
    }
    const int before = heightForWidth(width());
    entries_ = std::move(entries);
    current_ = std::min(current_, entries_.empty() ? 0 : entries_.size() - 1);
    if (heightForWidth(width()) != before) {
        updateGeometry();
    }
    describe();
    update();
}

void ChartLegend::describe()
{
    QStringList lines;
    for (const Entry& entry : entries_) {
        lines << QStringLiteral("%1 %2").arg(entry.name, entry.is_hidden ? tr("hidden") : entry.value);
    }
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
}

QRectF ChartLegend::area(int width) const { return {k_side, 0, width - k_side - 4.0, 1e6}; }

int ChartLegend::heightForWidth(int width) const
{
    const QRectF room = area(width);
    double bottom = QFontMetricsF(fontFor(TextRole::Small, font())).height() + 2;
    for (const QRectF& place : layOutLegend(entries_, room.topLeft(), room.width(), font())) {
        bottom = std::max(bottom, place.bottom());
    }
    return static_cast<int>(std::ceil(bottom)) + 5;
}

QSize ChartLegend::sizeHint() const { return {200, heightForWidth(std::max(200, width()))}; }

QSize ChartLegend::minimumSizeHint() const { return {80, heightForWidth(std::max(80, width()))}; }

QRectF ChartLegend::placeOf(std::size_t entry) const
{
    const QRectF room = area(width());
    return layOutLegend(entries_, room.topLeft(), room.width(), font()).at(entry);
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawLegend(painter, area(width()), entries_, themeOf(palette()), font());
    if (hasFocus() && !entries_.empty()) {
        painter.setPen(QPen(themeOf(palette()).accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(placeOf(current_).adjusted(-3, 0.5, 3, -0.5), 3, 3);
    }
}

void ChartLegend::mousePressEvent(QMouseEvent* event)
{
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (placeOf(i).adjusted(-k_gap / 2, 0, k_gap / 2, 0).contains(event->position())) {
            current_ = i;
            event->modifiers().testFlag(Qt::ControlModifier) ? Q_EMIT isolated(i) : Q_EMIT toggled(i);
            return;
        }
    }
}

void ChartLegend::keyPressEvent(QKeyEvent* event)
{
    if (entries_.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        current_ = current_ == 0 ? entries_.size() - 1 : current_ - 1;
        break;
    case Qt::Key_Right:
        current_ = (current_ + 1) % entries_.size();
        break;
    case Qt::Key_Space:
        event->modifiers().testFlag(Qt::ControlModifier) ? Q_EMIT isolated(current_)
                                                         : Q_EMIT toggled(current_);
        break;
    case Qt::Key_Delete:
        if (entries_[current_].can_go) {
            Q_EMIT removed(current_);
        }
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    update();
}

void ChartLegend::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ChartLegend::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void ChartLegend::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (height() != heightForWidth(width())) {
        updateGeometry();
    }
}

bool ChartLegend::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key()
            == Qt::Key_Delete) { // else it would remove the selected nodes
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

std::vector<QRectF> layOutLegend(const std::vector<ChartLegend::Entry>& entries, QPointF top_left,
                                 double width, const QFont& font)
{
    const QFontMetricsF metrics(fontFor(TextRole::Small, font));
    const QFontMetricsF strong(fontFor(TextRole::SmallStrong, font));
    const double height = metrics.height() + 3;
    std::vector<QRectF> places;
    QPointF at = top_left;
    for (const ChartLegend::Entry& entry : entries) {
        double needed = k_line + 5 + metrics.horizontalAdvance(entry.name);
        needed += entry.value.isEmpty() ? 0 : 6 + strong.horizontalAdvance(entry.value);
        if (at.x() > top_left.x() && at.x() + needed > top_left.x() + width) {
            at = QPointF(top_left.x(), at.y() + height);
        }
        places.emplace_back(at, QSizeF(std::min(needed, width), height));
        at.rx() += needed + k_gap;
    }
    return places;
}

void drawLegend(QPainter& painter, const QRectF& area, const std::vector<ChartLegend::Entry>& entries,
                const Theme& theme, const QFont& font)
{
    const QFont plain = fontFor(TextRole::Small, font);
    const QFont strong = fontFor(TextRole::SmallStrong, font);
    const QFontMetricsF metrics(plain);
    const std::vector<QRectF> places = layOutLegend(entries, area.topLeft(), area.width(), font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const ChartLegend::Entry& entry = entries[i];
        const QRectF& place = places[i];
        const double middle = place.center().y();
        const double base = middle + metrics.capHeight() / 2;
        painter.setPen(QPen(entry.is_hidden ? theme.link : entry.colour, 2.6, entry.dash, Qt::FlatCap));
        painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + k_line, middle));
        const double left = place.left() + k_line + 5;
        const double room = place.right() - left;
        const QString name = metrics.elidedText(entry.name, Qt::ElideRight, room);
        painter.setPen(entry.is_hidden ? theme.muted : theme.text);
        painter.setFont(plain);
        painter.drawText(QPointF(left, base), name);
        if (entry.is_hidden) {
            painter.drawLine(QPointF(left, middle), QPointF(left + metrics.horizontalAdvance(name), middle));
            continue;
        }
        painter.setFont(strong);
        painter.drawText(QPointF(left + metrics.horizontalAdvance(name) + 6, base), entry.value);
    }
}

} // namespace lab
