#include "widgets/cluster_items.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr double k_server_side = 12; ///< from the server's edge to its words

} // namespace

GroupItem::GroupItem(GroupId group, const QFont& base)
    : group_(group),
      name_(fontFor(TextRole::Heading, base)),
      kind_(fontFor(TextRole::Small, base)),
      pace_(fontFor(TextRole::Small, base)),
      notice_(fontFor(TextRole::SmallStrong, base)),
      offer_(fontFor(TextRole::SmallStrong, base))
{
}

void GroupItem::setLook(const Look& look, const Theme& theme)
{
    if (look == look_ && theme_ == &theme) {
        return;
    }
    look_ = look;
    theme_ = &theme;
    name_.set(look.name);
    kind_.set(look.kind);
    pace_.set(look.pace);
    notice_.set(look.notice);
    offer_.set(look.offer);
    update();
}

void GroupItem::setExtent(QSizeF extent, double header)
{
    if (extent != extent_ || header != header_) {
        prepareGeometryChange();
        extent_ = extent;
        header_ = header;
    }
}

QRectF GroupItem::boundingRect() const { return QRectF(QPointF(0, 0), extent_).adjusted(-2, -2, 2, 2); }

void GroupItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (theme_ == nullptr) {
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    const bool is_target = !look_.offer.isEmpty();
    painter->setPen(is_target ? QPen(theme_->accent, 2, Qt::DashLine) : QPen(theme_->border, 1.2));
    painter->setBrush(is_target ? theme_->accent_soft : theme_->inset);
    painter->drawRoundedRect(QRectF(QPointF(0, 0), extent_), 10, 10);
    const double base = header_ * 0.62;
    if (is_target) {
        offer_.draw(*painter, {12, base}, theme_->accent_text);
        return;
    }
    const double right = extent_.width() - 12;
    const bool has_room = extent_.width() > 60;
    const double kind_left = 12 + name_.width() + 7;
    if (!look_.notice.isEmpty()) {
        if (kind_left + notice_.width() < right) {
            name_.draw(*painter, {12, base}, theme_->text);
            notice_.draw(*painter, {right, base}, theme_->accent_text, Qt::AlignRight);
        } else {
            notice_.draw(*painter, {has_room ? 12.0 : 6.0, base}, theme_->accent_text);
        }
        return;
    }
    name_.draw(*painter, {has_room ? 12.0 : 6.0, base}, theme_->text);
    const bool pace_fits = kind_left + pace_.width() < right;
    if (kind_left + kind_.width() + (pace_fits ? pace_.width() + 8 : 0) < right) {
        kind_.draw(*painter, {kind_left, base}, theme_->muted);
    }
    if (pace_fits) {
        pace_.draw(*painter, {right, base}, theme_->muted, Qt::AlignRight);
    }
}

ServerItem::ServerItem(const QFont& base)
    : title_(fontFor(TextRole::Heading, base)),
      facts_(fontFor(TextRole::Tiny, base))
{
}

void ServerItem::setLook(const QString& title, const QString& facts, const Theme& theme)
{
    if (title == title_.text() && facts == facts_.text() && theme_ == &theme) {
        return;
    }
    prepareGeometryChange(); // more words need a wider box
    title_.set(title);
    facts_.set(facts);
    theme_ = &theme;
    update();
}

QRectF ServerItem::box() const
{
    const double width =
        std::max(extent_.width(), std::max(title_.width(), facts_.width()) + 2 * k_server_side);
    return {(extent_.width() - width) / 2, 0, width, extent_.height()};
}

void ServerItem::setExtent(QSizeF extent)
{
    if (extent != extent_) {
        prepareGeometryChange();
        extent_ = extent;
    }
}

QRectF ServerItem::boundingRect() const { return box().adjusted(-2, -2, 2, 2); }

void ServerItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (theme_ == nullptr) {
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme_->accent, 1.5));
    painter->setBrush(theme_->accent_soft);
    painter->drawRoundedRect(box(), 10, 10);
    title_.draw(*painter, {extent_.width() / 2, 21}, theme_->text, Qt::AlignHCenter);
    facts_.draw(*painter, {extent_.width() / 2, 39}, theme_->muted, Qt::AlignHCenter);
}

void LinksItem::setLinks(std::vector<Link> links, QRectF area)
{
    if (links != links_ || area != area_) {
        prepareGeometryChange();
        links_ = std::move(links);
        area_ = area;
        dots_.clear();
        update();
    }
}

void LinksItem::setDots(std::vector<Dot> dots, const Theme& theme)
{
    if (dots != dots_ || theme_ != &theme) {
        dots_ = std::move(dots);
        theme_ = &theme;
        update();
    }
}

void LinksItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (theme_ == nullptr) {
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    QPen pen(theme_->link, 1.6);
    pen.setDashPattern({1.25, 2.5});
    painter->setPen(pen);
    for (const Link& link : links_) {
        painter->drawLine(link.group, link.server);
    }
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme_->of(Activity::Communicating).ink);
    for (const Dot& dot : dots_) {
        const Link& link = links_[dot.link];
        painter->drawEllipse(link.group + dot.share * (link.server - link.group), 5, 5);
    }
}

} // namespace lab
