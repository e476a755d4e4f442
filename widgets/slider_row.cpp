#include "widgets/slider_row.h"

#include "widgets/style.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr int k_positions = 1000;

} // namespace

SliderRow::SliderRow(const QString& title, const Range& range, QWidget* parent)
    : QWidget(parent),
      range_(range),
      title_(new QLabel(title, this)),
      pending_(new QLabel(tr("at Reset"), this)),
      box_(new QDoubleSpinBox(this)),
      slider_(new QSlider(Qt::Horizontal, this))
{
    box_->setObjectName(QStringLiteral("value"));
    box_->setProperty("quiet", true);
    box_->setDecimals(range.decimals);
    box_->setRange(range.least, range.most);
    box_->setSuffix(range.suffix);
    box_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    box_->setFocusPolicy(Qt::StrongFocus);
    box_->setKeyboardTracking(false); // a half-typed number is no edit
    setTextRole(*box_, TextRole::Strong);
    box_->setAccessibleName(title);
    box_->setSingleStep(range.decimals == 0 ? 1 : std::pow(10.0, -range.decimals));

    slider_->setObjectName(QStringLiteral("slider"));
    slider_->setRange(0, k_positions);
    slider_->setPageStep(k_positions / 10);
    slider_->setFocusPolicy(Qt::StrongFocus);
    slider_->setAccessibleName(tr("%1, slider").arg(title));

    pending_->setProperty("pending", true);
    pending_->setToolTip(tr("Takes effect with the next run: Reset (Ctrl+R)"));
    pending_->hide();
    title_->setBuddy(box_);
    title_->setWordWrap(true); // large text needs no wider panel

    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(title_, 1);
    head->addWidget(pending_);
    head->addWidget(box_);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2);
    rows->addLayout(head);
    rows->addWidget(slider_);

    connect(slider_, &QSlider::valueChanged, this, &SliderRow::slide);
    connect(box_, &QDoubleSpinBox::valueChanged, this, &SliderRow::type);
    setValue(range.least);
}

double SliderRow::value() const { return box_->value(); }

void SliderRow::setValue(double value)
{
    const QSignalBlocker quiet_box(box_);
    const QSignalBlocker quiet_slider(slider_);
    // What is being typed or dragged right now is newer than what comes back from the document.
    const auto* typed = box_->findChild<QLineEdit*>();
    if (!typed->isModified() || !box_->hasFocus()) {
        box_->setValue(value);
    }
    if (!slider_->isSliderDown()) {
        slider_->setValue(positionOf(value));
    }
}

void SliderRow::setLeastText(const QString& text) { box_->setSpecialValueText(text); }

void SliderRow::setMixed(bool mixed) { box_->setPrefix(mixed ? tr("mixed, ") : QString()); }

void SliderRow::setTitle(const QString& title)
{
    title_->setText(title);
    box_->setAccessibleName(title);
}

void SliderRow::focusValue()
{
    box_->setFocus(Qt::ShortcutFocusReason);
    box_->selectAll();
}

void SliderRow::setPending(bool pending) { pending_->setVisible(pending); }

int SliderRow::positionOf(double value) const
{
    const double x = std::clamp(value, range_.least, range_.most);
    const double share = range_.scale == Scale::Linear
        ? (x - range_.least) / (range_.most - range_.least)
        : std::log(x / range_.least) / std::log(range_.most / range_.least);
    return static_cast<int>(std::lround(share * k_positions));
}

double SliderRow::valueAt(int position) const
{
    const double share = static_cast<double>(position) / k_positions;
    return range_.scale == Scale::Linear ? range_.least + share * (range_.most - range_.least)
                                         : range_.least * std::pow(range_.most / range_.least, share);
}

void SliderRow::slide(int position)
{
    const double before = box_->value();
    {
        const QSignalBlocker quiet(box_);
        box_->setValue(valueAt(position));
    }
    if (box_->value() != before) {
        Q_EMIT edited(box_->value());
    }
}

void SliderRow::type(double value)
{
    {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(positionOf(value));
    }
    Q_EMIT edited(value);
}

} // namespace lab
