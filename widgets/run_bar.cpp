#include "widgets/run_bar.h"

#include "widgets/elided_label.h"
#include "widgets/style.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr double k_slowest = 0.1;
constexpr double k_fastest = 100;
constexpr int k_positions = 900; ///< three decades
constexpr int k_unlimited = 960; ///< the far end: no pacing
constexpr int k_normal = 300;    ///< 1×
constexpr int k_detent = 12;

/// The pace as a number that can be typed; its largest value reads Max.
class PaceBox final : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    static constexpr double k_max = 1000;

    [[nodiscard]] QString textFromValue(double value) const override
    {
        if (value > k_fastest) {
            return tr("Max");
        }
        return locale().toString(value, 'g', 3) + QStringLiteral("×");
    }
    [[nodiscard]] double valueFromText(const QString& text) const override
    {
        QString number = text.trimmed();
        if (number.compare(tr("Max"), Qt::CaseInsensitive) == 0) {
            return k_max;
        }
        number.remove(QStringLiteral("×"));
        return locale().toDouble(number);
    }
    [[nodiscard]] QValidator::State validate(QString& text, int&) const override
    {
        const double value = valueFromText(text);
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
    }
    void stepBy(int steps) override { setValue(value() * std::pow(1.25, steps)); }
};

int positionOf(std::optional<double> pace)
{
    if (!pace) {
        return k_unlimited;
    }
    const double share =
        std::log(std::clamp(*pace, k_slowest, k_fastest) / k_slowest) / std::log(k_fastest / k_slowest);
    return static_cast<int>(std::lround(share * k_positions));
}

std::optional<double> paceAt(int position)
{
    if (position > (k_positions + k_unlimited) / 2) {
        return std::nullopt;
    }
    if (std::abs(position - k_normal) <= k_detent) {
        return 1.0;
    }
    const double share = std::min(1.0, static_cast<double>(position) / k_positions);
    return k_slowest * std::pow(k_fastest / k_slowest, share);
}

QToolButton* buttonFor(QAction* action, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("button", true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    return button;
}

} // namespace

RunBar::RunBar(const Buttons& buttons, QWidget* parent)
    : QWidget(parent),
      name_(new QLabel(tr("Straggler Lab"), this)),
      document_(new ElidedLabel(this)),
      run_(buttonFor(buttons.run, this)),
      step_(buttonFor(buttons.step, this)),
      reset_(buttonFor(buttons.reset, this)),
      speed_name_(new QLabel(tr("Speed"), this)),
      speed_(new QSlider(Qt::Horizontal, this)),
      speed_box_(new PaceBox(this)),
      clocks_(new QFrame(this)),
      clock_(new QLabel(this)),
      seed_(new QLabel(this)),
      live_(buttonFor(buttons.live, this)),
      pin_(buttonFor(buttons.pin, this))
{
    setObjectName(QStringLiteral("topBar"));
    setTextRole(*name_, TextRole::Title);
    setTextRole(*clock_, TextRole::Clock);
    run_->setProperty("primary", true);
    live_->setProperty("primary", true);
    live_->hide();
    for (QToolButton* button : {step_, reset_, live_, pin_}) {
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    }
    document_->setProperty("muted", true);
    speed_name_->setProperty("muted", true);
    speed_name_->setBuddy(speed_box_);
    seed_->setProperty("muted", true);
    clock_->setObjectName(QStringLiteral("clock"));
    speed_->setObjectName(QStringLiteral("speed"));
    speed_->setRange(0, k_unlimited);
    speed_->setPageStep(k_positions / 6);
    speed_->setMinimumWidth(80);
    speed_->setMaximumWidth(150);
    speed_->setFocusPolicy(Qt::StrongFocus);
    speed_->setAccessibleName(tr("Speed, slider"));
    speed_->setToolTip(tr("Seconds of the run per second; at the right end as fast as the machine can"));
    speed_box_->setObjectName(QStringLiteral("speedValue"));
    speed_box_->setProperty("quiet", true);
    speed_box_->setDecimals(2);
    speed_box_->setRange(k_slowest, PaceBox::k_max);
    speed_box_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    speed_box_->setKeyboardTracking(false);
    speed_box_->setFocusPolicy(Qt::StrongFocus);
    speed_box_->setAccessibleName(tr("Speed"));

    clocks_->setObjectName(QStringLiteral("clocks"));
    auto* pair = new QHBoxLayout(clocks_);
    pair->setContentsMargins(2, 2, 2, 2);
    pair->setSpacing(0);
    for (QAction* action : {buttons.virtual_clock, buttons.live_threads}) {
        QToolButton* button = buttonFor(action, clocks_);
        button->setProperty("button", QVariant());
        button->setProperty("segment", true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        pair->addWidget(button);
    }

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 9, 16, 11);
    row->setSpacing(8);
    row->addWidget(name_);
    row->addWidget(document_, 2);
    row->addSpacing(8);
    row->addWidget(run_);
    row->addWidget(step_);
    row->addWidget(reset_);
    row->addSpacing(12);
    row->addWidget(speed_name_);
    row->addWidget(speed_, 3);
    row->addWidget(speed_box_);
    row->addSpacing(12);
    row->addWidget(clocks_);
    row->addSpacing(8);
    row->addWidget(clock_);
    row->addWidget(live_);
    row->addSpacing(8);
    row->addWidget(seed_);
    row->addStretch(3);
    row->addWidget(pin_);
    dress();
    setClock(0);
    setPace(1.0);

    connect(speed_, &QSlider::valueChanged, this, [this](int position) {
        const auto pace = paceAt(position);
        const QSignalBlocker quiet(speed_box_);
        speed_box_->setValue(pace.value_or(PaceBox::k_max));
        Q_EMIT paceEdited(pace);
    });
    connect(speed_box_, &QDoubleSpinBox::valueChanged, this, [this] {
        const QSignalBlocker quiet(speed_);
        speed_->setValue(positionOf(pace()));
        Q_EMIT paceEdited(pace());
    });
}

void RunBar::setDocument(const QString& name, bool modified)
{
    document_->setText(modified ? tr("— %1, changed").arg(name) : QStringLiteral("— %1").arg(name));
    document_->setToolTip(name);
}

void RunBar::setClock(double seconds)
{
    clock_->setText((is_past_ ? tr("viewing t = %1 s") : tr("t = %1 s")).arg(seconds, 0, 'f', 2));
}

void RunBar::setPast(bool is_past)
{
    is_past_ = is_past;
    live_->setVisible(is_past);
    clock_->setProperty("accent", is_past);
    clock_->style()->unpolish(clock_); // a property in the style sheet counts when the widget is polished
    clock_->style()->polish(clock_);
    makeRoom();
}

void RunBar::setSeed(const QString& seed) { seed_->setText(tr("seed %1").arg(seed)); }

std::optional<double> RunBar::pace() const
{
    const double value = speed_box_->value();
    return value > k_fastest ? std::nullopt : std::optional<double>(value);
}

void RunBar::setPace(std::optional<double> pace)
{
    const QSignalBlocker quiet_box(speed_box_);
    const QSignalBlocker quiet_slider(speed_);
    speed_box_->setValue(pace.value_or(PaceBox::k_max));
    speed_->setValue(positionOf(pace));
}

void RunBar::setPaced(bool is_paced)
{
    for (QWidget* part : std::initializer_list<QWidget*>{speed_name_, speed_, speed_box_}) {
        part->setEnabled(is_paced);
    }
}

void RunBar::dress()
{
    // As wide as it will get, so that nothing beside it moves while the digits do.
    clock_->setMinimumWidth(
        clock_->fontMetrics().horizontalAdvance(tr("t = %1 s").arg(QStringLiteral("000.00"))));
    speed_box_->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.123×")) + 18);
    run_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Pause")) + 50);
    makeRoom();
}

void RunBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        dress();
    }
}

void RunBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

std::vector<QWidget*> RunBar::extras() const
{
    // The slider's value is in the box beside it, the seed in the file, the program and the file in the window's title,
    // the clocks in the menu.
    return {speed_, seed_, speed_name_, name_, clocks_, document_};
}

int RunBar::widthWithoutExtras() const
{
    const std::vector<QWidget*> more = extras();
    const QMargins margins = layout()->contentsMargins();
    int width = margins.left() + margins.right();
    for (int i = 0; i < layout()->count(); ++i) {
        const QLayoutItem* item = layout()->itemAt(i);
        if (item->widget() == nullptr) {
            width += item->minimumSize().width();
        } else if (!item->widget()->isHidden() && std::ranges::count(more, item->widget()) == 0) {
            width += item->minimumSize().width() + layout()->spacing();
        }
    }
    return width;
}

void RunBar::makeRoom()
{
    int room = width() - widthWithoutExtras();
    for (QWidget* extra : extras()) {
        const QSize least = extra->minimumSizeHint().expandedTo(extra->minimumSize());
        room -= least.width() + layout()->spacing(); // after the first that does not fit, nothing does
        extra->setVisible(room >= 0);
    }
}

QSize RunBar::minimumSizeHint() const { return {widthWithoutExtras(), QWidget::minimumSizeHint().height()}; }

} // namespace lab
