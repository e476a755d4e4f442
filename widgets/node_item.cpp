#include "widgets/node_item.h"

#include "widgets/texture.h"

#include <QPainter>

namespace lab {

namespace {

constexpr double k_outline = 2; ///< room for the frame of a selected card

QFont badgeFont(const QFont& base)
{
    QFont font = fontFor(TextRole::Tiny, base);
    font.setBold(true);
    return font;
}

} // namespace

NodeItem::NodeItem(NodeId node, const QFont& base)
    : node_(node),
      name_(fontFor(TextRole::Name, base)),
      slowdown_(fontFor(TextRole::Strong, base)),
      state_(fontFor(TextRole::SmallStrong, base)),
      idle_(fontFor(TextRole::Tiny, base)),
      badge_(badgeFont(base))
{
}

void NodeItem::setLook(const NodeLook& look, const Theme& theme)
{
    if (look == look_ && theme_ == &theme) {
        return;
    }
    look_ = look;
    theme_ = &theme;
    name_.set(look.name);
    slowdown_.set(look.slowdown);
    state_.set(look.state);
    idle_.set(look.idle);
    badge_.set(look.badge);
    setToolTip(QStringLiteral("%1 · %2 · %3 · %4").arg(look.name, look.slowdown, look.state, look.idle));
    update();
}

void NodeItem::setShape(CardSize size, QSizeF extent)
{
    if (size != size_ || extent != extent_) {
        prepareGeometryChange();
        size_ = size;
        extent_ = extent;
    }
}

QRectF NodeItem::boundingRect() const
{
    return QRectF(QPointF(0, 0), extent_).adjusted(-k_outline, -k_outline, k_outline, k_outline);
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (theme_ == nullptr) {
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    switch (size_) {
    case CardSize::Full:
        paintFull(*painter);
        break;
    case CardSize::Compact:
        paintCompact(*painter);
        break;
    case CardSize::Dot:
        paintDot(*painter);
        break;
    }
}

void NodeItem::paintFrame(QPainter& painter) const
{
    const QRectF box(QPointF(0, 0), extent_);
    const bool is_down = look_.activity == Activity::Down;
    QPen pen(theme_->border, 1.2);
    if (look_.is_selected || look_.has_focus) {
        pen = QPen(theme_->accent, look_.is_selected ? 2.2 : 1.2);
    } else if (is_down) {
        pen.setStyle(Qt::DashLine);
    }
    painter.setPen(pen);
    painter.setBrush(theme_->card);
    painter.drawRoundedRect(box, size_ == CardSize::Full ? 8 : 6, size_ == CardSize::Full ? 8 : 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_->of(look_.activity).ink);
    painter.drawRoundedRect(QRectF(0, 0, 5, extent_.height()), 2.5, 2.5);
}

void NodeItem::paintBar(QPainter& painter, const QRectF& bar) const
{
    const double radius = bar.height() / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_->track);
    painter.drawRoundedRect(bar, radius, radius);
    const double filled = bar.width() * look_.progress / 100.0;
    if (filled >= bar.height()) {
        fillActivityRounded(painter, QRectF(bar.topLeft(), QSizeF(filled, bar.height())), radius,
                            theme_->of(look_.activity));
    }
}

void NodeItem::paintFull(QPainter& painter) const
{
    paintFrame(painter);
    const double right = extent_.width() - 10;
    name_.draw(painter, {16, 21}, theme_->text);
    slowdown_.draw(painter, {right, 21}, theme_->text, Qt::AlignRight);
    state_.draw(painter, {16, 39}, theme_->of(look_.activity).text);
    paintBar(painter, QRectF(16, 48, extent_.width() - 28, 8));
    idle_.draw(painter, {16, 75}, theme_->muted);
    if (!look_.badge.isEmpty()) {
        const double width = badge_.width() + 12;
        const QRectF pill(extent_.width() - 8 - width, 64, width, 16);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_->badge);
        painter.drawRoundedRect(pill, 8, 8);
        badge_.draw(painter, {pill.center().x(), 75.5}, theme_->badge_text, Qt::AlignHCenter);
    }
}

void NodeItem::paintCompact(QPainter& painter) const
{
    paintFrame(painter);
    name_.draw(painter, {11, 17}, theme_->text);
    if (name_.width() + slowdown_.width() + 22 < extent_.width()) {
        slowdown_.draw(painter, {extent_.width() - 6, 17}, theme_->muted, Qt::AlignRight);
    }
    idle_.draw(painter, {11, 30}, theme_->of(look_.activity).text);
    paintBar(painter, QRectF(11, 34.5, extent_.width() - 18, 5));
}

void NodeItem::paintDot(QPainter& painter) const
{
    const QRectF box(QPointF(0, 0), extent_);
    fillActivityRounded(painter, box, 4, theme_->of(look_.activity));
    if (look_.is_selected || look_.has_focus) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->text, 2));
        painter.drawRoundedRect(box, 4, 4);
    }
}

} // namespace lab
