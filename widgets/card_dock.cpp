#include "widgets/card_dock.h"

#include "widgets/elided_label.h"
#include "widgets/style.h"
#include "widgets/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace lab {

namespace {

constexpr double k_radius = 8;
constexpr int k_side = 14; ///< from a card's edge to what it holds

void paintCard(QWidget& widget)
{
    const Theme& theme = themeOf(widget.palette());
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(0.5, 0.5, -0.5, -0.5), k_radius, k_radius);
}

/// Keeps the content off the card's border; the content brings its own inner margins.
QWidget* framed(QWidget* content)
{
    auto* frame = new QWidget;
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(1, 0, 1, 2);
    layout->addWidget(content);
    return frame;
}

} // namespace

CardHeader::CardHeader(const QString& title, QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(title, this)),
      remark_(new ElidedLabel(this)),
      row_(new QHBoxLayout(this))
{
    setTextRole(*title_, TextRole::Heading);
    title_->setObjectName(QStringLiteral("cardTitle"));
    setTextRole(*remark_, TextRole::Small);
    remark_->setProperty("muted", true);
    remark_->setObjectName(QStringLiteral("cardRemark"));
    remark_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    remark_->hide();
    remark_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    row_->setContentsMargins(k_side, 11, k_side, 7);
    row_->setSpacing(8);
    row_->addWidget(title_);
    row_->addStretch();
    row_->addWidget(remark_);
}

void CardHeader::setTitle(const QString& title) { title_->setText(title); }

void CardHeader::setRemark(const QString& remark)
{
    if (remark_->text() != remark) {
        remark_->setText(remark);
        remark_->setVisible(!remark.isEmpty());
    }
}

void CardHeader::addControl(QWidget* control) { row_->addWidget(control); }

void CardHeader::setMiddle(QWidget* middle)
{
    row_->insertWidget(1, middle);
    row_->insertStretch(1);
}

CardDock::CardDock(const QString& title, const QString& name, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent),
      header_(new CardHeader(title, this))
{
    setObjectName(name);
    setTitleBarWidget(header_);
    setWidget(framed(content));
}

void CardDock::paintEvent(QPaintEvent*) { paintCard(*this); }

Card::Card(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent),
      header_(new CardHeader(title, this))
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(header_);
    rows->addWidget(framed(content), 1);
}

void Card::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace lab
