#include "widgets/message_strip.h"

#include "widgets/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace lab {

namespace {

constexpr int k_note_ms = 9000;

} // namespace

MessageStrip::MessageStrip(QWidget* parent) : QWidget(parent), label_(new QLabel(this))
{
    setObjectName(QStringLiteral("messageStrip"));
    label_->setObjectName(QStringLiteral("message"));
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::PlainText);
    auto* close = new QPushButton(tr("Close"), this);
    close->setProperty("quiet", true);
    close->setObjectName(QStringLiteral("closeMessage"));
    close->setAccessibleName(tr("Close this message"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->addWidget(label_, 1);
    row->addWidget(close);
    timer_.setSingleShot(true);
    timer_.setInterval(k_note_ms);
    connect(&timer_, &QTimer::timeout, this, &MessageStrip::dismiss);
    connect(close, &QPushButton::clicked, this, [this] {
        dismiss();
        Q_EMIT dismissed();
    });
    hide();
}

QString MessageStrip::text() const { return isHidden() ? QString() : last_; }

void MessageStrip::showGuidance(const QString& text) { say(Kind::Guidance, text); }

void MessageStrip::showNote(const QString& text) { say(Kind::Note, text); }

void MessageStrip::showError(const QString& text) { say(Kind::Error, text); }

void MessageStrip::say(Kind kind, const QString& text)
{
    repeats_ = !isHidden() && text == last_ ? repeats_ + 1 : 1;
    last_ = text;
    kind_ = kind;
    label_->setText(repeats_ > 1 ? tr("%1 (%2 times)").arg(text).arg(repeats_) : text);
    kind == Kind::Note ? timer_.start() : timer_.stop();
    show();
    update();
}

void MessageStrip::dismiss()
{
    timer_.stop();
    hide();
}

void MessageStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(kind_ == Kind::Error ? theme.event : theme.accent, 1));
    painter.setBrush(kind_ == Kind::Error ? theme.card : theme.accent_soft);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(kind_ == Kind::Error ? theme.event : theme.accent);
    painter.drawRoundedRect(QRectF(0, 0, 5, height()), 2.5, 2.5);
}

} // namespace lab
