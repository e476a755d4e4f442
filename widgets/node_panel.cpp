#include "widgets/node_panel.h"

#include "widgets/choice_row.h"
#include "widgets/folding_layout.h"
#include "widgets/slider_row.h"
#include "widgets/style.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <utility>

namespace lab {

namespace {

/// One number of a jitter law and the kind it belongs to.
struct JitterField {
    JitterKind kind;
    double Jitter::*member;
    const char* title;
    SliderRow::Range range;
};

const std::vector<JitterField>& jitterFields()
{
    using Scale = SliderRow::Scale;
    static const std::vector<JitterField> fields = {
        {JitterKind::ShiftedExponential,
         &Jitter::scale,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Scale"),
         {0.01, 5, 2, Scale::Logarithmic, {}}},
        {JitterKind::Pareto,
         &Jitter::shape,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Shape"),
         {1.05, 10, 2, Scale::Logarithmic, {}}},
        {JitterKind::Lognormal,
         &Jitter::sigma,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Sigma"),
         {0.01, 2, 2, Scale::Logarithmic, {}}},
        {JitterKind::Bimodal,
         &Jitter::probability,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Chance to be slow"),
         {0, 1, 3, Scale::Linear, {}}},
        {JitterKind::Bimodal,
         &Jitter::factor,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Times slower"),
         {1, 100, 1, Scale::Logarithmic, {}}},
        {JitterKind::Markov,
         &Jitter::enter,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Chance to turn slow"),
         {0, 1, 3, Scale::Linear, {}}},
        {JitterKind::Markov,
         &Jitter::leave,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Chance to recover"),
         {0, 1, 3, Scale::Linear, {}}},
        {JitterKind::Markov,
         &Jitter::factor,
         QT_TRANSLATE_NOOP("lab::NodePanel", "Times slower"),
         {1, 100, 1, Scale::Logarithmic, {}}},
    };
    return fields;
}

/// A box for seconds that asks for no more room than usual times need: two stand side by side.
class MomentBox final : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    [[nodiscard]] QSize sizeHint() const override
    {
        return {fontMetrics().horizontalAdvance(tr("00.0 s")) + 14, QDoubleSpinBox::sizeHint().height()};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
};

QStringList jitterNames()
{
    return {NodePanel::tr("None"),   NodePanel::tr("Shifted exponential"), NodePanel::tr("Exponential"),
            NodePanel::tr("Pareto"), NodePanel::tr("Lognormal"),           NodePanel::tr("Bimodal"),
            NodePanel::tr("Markov")};
}

} // namespace

NodePanel::NodePanel(QWidget* parent)
    : QWidget(parent),
      hint_(
          new QLabel(tr("Click a node to see and change how it behaves. Ctrl+click selects several."), this)),
      controls_(new QWidget(this)),
      slowdown_(new SliderRow(tr("Slowdown"),
                              {0.25, 64, 2, SliderRow::Scale::Logarithmic, QStringLiteral(" ×")}, controls_)),
      jitter_kind_(new ChoiceRow(tr("Jitter"), jitterNames(), controls_)),
      fails_at_(makeMoment("failsAt", tr("Fails at"),
                           tr("Seconds after the start of the run when the node dies; — means never"))),
      back_after_(makeMoment("backAfter", tr("Back after so long"),
                             tr("Seconds after which it comes back by itself; — means never"))),
      failure_pending_(new QLabel(tr("at Reset"), controls_)),
      facts_(new QLabel(controls_)),
      fail_(new QPushButton(tr("Fail now"), controls_)),
      fail_for_(new QPushButton(tr("Fail for 5 s"), controls_)),
      slow_(new QPushButton(tr("Slow 10× for 5 s"), controls_)),
      trace_(new QPushButton(controls_))
{
    hint_->setWordWrap(true);
    hint_->setProperty("muted", true);
    slowdown_->setObjectName(QStringLiteral("slowdown"));
    slowdown_->setToolTip(tr("How many times as long a task takes on this node; takes effect at once"));
    jitter_kind_->setObjectName(QStringLiteral("jitterKind"));
    jitter_kind_->setToolTip(tr("The law of the chance in each task's time"));
    failure_pending_->setProperty("pending", true);
    failure_pending_->setToolTip(tr("Takes effect with the next run: Reset (Ctrl+R)"));
    facts_->setProperty("muted", true);
    setTextRole(*facts_, TextRole::Small);
    facts_->setWordWrap(true);
    fail_->setObjectName(QStringLiteral("failNow"));
    fail_->setToolTip(tr("The node dies and loses the work in hand (Ctrl+K)"));
    fail_for_->setObjectName(QStringLiteral("failForAWhile"));
    fail_for_->setToolTip(tr("The node dies and comes back five seconds of the run's clock later"));
    slow_->setObjectName(QStringLiteral("slowForAWhile"));
    slow_->setToolTip(tr("Ten times slower for five seconds of the run's clock"));
    trace_->setObjectName(QStringLiteral("traceFile"));
    trace_->setProperty("link", true);
    trace_->setToolTip(tr("Takes the compute times of all nodes from a CSV file: node,iteration,seconds"));
    layOut();

    connect(slowdown_, &SliderRow::edited, this, &NodePanel::slowdownEdited);
    connect(jitter_kind_, &ChoiceRow::edited, this, &NodePanel::chooseJitter);
    for (QDoubleSpinBox* box : {fails_at_, back_after_}) {
        connect(box, &QDoubleSpinBox::valueChanged, this,
                [this] { Q_EMIT failurePlanned(fails_at_->value(), back_after_->value()); });
    }
    connect(slow_, &QPushButton::clicked, this, &NodePanel::slowForAWhileRequested);
    connect(fail_for_, &QPushButton::clicked, this, &NodePanel::failForAWhileRequested);
    connect(trace_, &QPushButton::clicked, this, &NodePanel::traceRequested);
    connect(fail_, &QPushButton::clicked, this, [this] {
        fail_->property("recovers").toBool() ? Q_EMIT recoverRequested() : Q_EMIT failRequested();
    });
    showNothing();
}

QDoubleSpinBox* NodePanel::makeMoment(const char* name, const QString& title, const QString& tip)
{
    auto* box = new MomentBox(controls_);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, 1e6);
    box->setDecimals(1);
    box->setSuffix(tr(" s"));
    box->setSpecialValueText(QStringLiteral("—"));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setAccessibleName(title);
    box->setToolTip(tip);
    return box;
}

void NodePanel::layOut()
{
    auto* rows = new QVBoxLayout(controls_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    rows->addWidget(slowdown_);
    rows->addWidget(jitter_kind_);
    for (std::size_t i = 0; i < jitterFields().size(); ++i) {
        auto* field = new SliderRow(tr(jitterFields()[i].title), jitterFields()[i].range, controls_);
        connect(field, &SliderRow::edited, this, [this, i](double value) { editJitter(i, value); });
        rows->addWidget(field);
        jitter_fields_.push_back(field);
    }
    const auto pair = [&](QWidget* left, QWidget* right) {
        auto* row = new FoldingLayout;
        for (QWidget* button : {left, right}) {
            button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
            row->addWidget(button);
        }
        rows->addLayout(row);
    };
    auto* failure = new FoldingLayout;
    auto* at = new QLabel(tr("Fails at"), controls_);
    at->setBuddy(fails_at_);
    auto* back = new QLabel(tr("back"), controls_);
    back->setBuddy(back_after_);
    back->setProperty("muted", true);
    for (const auto& [label, box] : {std::pair(at, fails_at_), std::pair(back, back_after_)}) {
        auto* half = new QHBoxLayout;
        half->setSpacing(6);
        half->addWidget(label);
        half->addWidget(box, 1);
        failure->addItem(half);
    }
    rows->addLayout(failure);
    rows->addWidget(failure_pending_, 0, Qt::AlignRight);
    rows->addWidget(facts_);
    pair(fail_, fail_for_);
    rows->addWidget(slow_);
    rows->addWidget(trace_);

    // The law's numbers are made last and stand in the middle.
    QWidget* before = jitter_kind_->findChild<QComboBox*>();
    for (SliderRow* field : jitter_fields_) {
        for (const char* name : {"value", "slider"}) {
            auto* control = field->findChild<QWidget*>(QLatin1String(name));
            setTabOrder(before, control);
            before = control;
        }
    }
    setTabOrder(before, fails_at_);

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(13, 2, 13, 12);
    outer->addWidget(hint_);
    outer->addWidget(controls_);
    outer->addStretch();
}

void NodePanel::showNothing()
{
    hint_->show();
    controls_->hide();
}

void NodePanel::showValues(const NodeValues& values)
{
    hint_->hide();
    controls_->show();
    slowdown_->setMixed(values.slowdown_mixed);
    slowdown_->setValue(values.slowdown);
    showJitter(values);
    showFailure(values);
    if (facts_->text() != values.facts) {
        facts_->setText(values.facts);
    }
    fail_->setProperty("recovers", values.all_down);
    fail_->setText(values.all_down ? tr("Recover") : tr("Fail now"));
    slow_->setEnabled(!values.all_down);
    fail_for_->setEnabled(!values.all_down);
    QString trace = values.trace.isEmpty() ? tr("Trace file…") : tr("Trace: %1…").arg(values.trace);
    trace_->setText(values.trace_pending ? tr("%1 (at Reset)").arg(trace) : trace);
}

QWidget* NodePanel::lastControl() const { return trace_; }

void NodePanel::focusFirst() { slowdown_->focusValue(); }

void NodePanel::showFailure(const NodeValues& values)
{
    const QSignalBlocker quiet_at(fails_at_);
    const QSignalBlocker quiet_back(back_after_);
    if (!fails_at_->hasFocus()) {
        fails_at_->setValue(values.fails_at);
    }
    if (!back_after_->hasFocus()) {
        back_after_->setValue(values.back_after);
    }
    fails_at_->setPrefix(values.failure_mixed ? tr("mixed, ") : QString());
    back_after_->setEnabled(fails_at_->value() > 0);
    failure_pending_->setVisible(values.failure_pending);
}

void NodePanel::showJitter(const NodeValues& values)
{
    const Jitter& jitter = values.jitter;
    jitter_ = jitter;
    jitter_kind_->setIndex(values.jitter_mixed ? -1 : static_cast<int>(jitter.kind));
    jitter_kind_->setPending(values.jitter_pending);
    for (std::size_t i = 0; i < jitter_fields_.size(); ++i) {
        const JitterField& field = jitterFields()[i];
        jitter_fields_[i]->setVisible(!values.jitter_mixed && field.kind == jitter.kind);
        jitter_fields_[i]->setValue(jitter.*field.member);
    }
}

void NodePanel::chooseJitter(int index)
{
    Jitter jitter = jitter_;
    jitter.kind = static_cast<JitterKind>(index);
    Q_EMIT jitterEdited(jitter);
}

void NodePanel::editJitter(std::size_t field, double value)
{
    Jitter jitter = jitter_;
    jitter.*jitterFields()[field].member = value;
    Q_EMIT jitterEdited(jitter);
}

} // namespace lab
