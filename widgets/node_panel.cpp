#include "widgets/node_panel.h"

#include "widgets/choice_row.h"
#include "widgets/slider_row.h"
#include "widgets/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

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
      facts_(new QLabel(controls_)),
      fail_(new QPushButton(tr("Fail now"), controls_)),
      slow_(new QPushButton(tr("Slow 10× for 5 s"), controls_))
{
    hint_->setWordWrap(true);
    hint_->setProperty("muted", true);
    slowdown_->setObjectName(QStringLiteral("slowdown"));
    slowdown_->setToolTip(tr("How many times as long a task takes on this node; takes effect at once"));
    jitter_kind_->setObjectName(QStringLiteral("jitterKind"));
    facts_->setProperty("muted", true);
    facts_->setFont(fontFor(TextRole::Small, font()));
    facts_->setWordWrap(true);
    fail_->setObjectName(QStringLiteral("failNow"));
    fail_->setToolTip(tr("The node dies and loses the work in hand (Ctrl+K)"));
    slow_->setObjectName(QStringLiteral("slowForAWhile"));
    slow_->setToolTip(tr("Ten times slower for five seconds of the run's clock"));

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
    rows->addWidget(facts_);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(fail_, 1);
    buttons->addWidget(slow_, 1);
    rows->addLayout(buttons);

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(13, 2, 13, 12);
    outer->addWidget(hint_);
    outer->addWidget(controls_);
    outer->addStretch();

    connect(slowdown_, &SliderRow::edited, this, &NodePanel::slowdownEdited);
    connect(jitter_kind_, &ChoiceRow::edited, this, &NodePanel::chooseJitter);
    connect(slow_, &QPushButton::clicked, this, &NodePanel::slowForAWhileRequested);
    connect(fail_, &QPushButton::clicked, this, [this] {
        fail_->property("recovers").toBool() ? Q_EMIT recoverRequested() : Q_EMIT failRequested();
    });
    showNothing();
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
    showJitter(values.jitter, values.jitter_pending);
    if (facts_->text() != values.facts) {
        facts_->setText(values.facts);
    }
    fail_->setProperty("recovers", values.all_down);
    fail_->setText(values.all_down ? tr("Recover") : tr("Fail now"));
    slow_->setEnabled(!values.all_down);
}

void NodePanel::showJitter(const Jitter& jitter, bool pending)
{
    jitter_ = jitter;
    jitter_kind_->setIndex(static_cast<int>(jitter.kind));
    jitter_kind_->setPending(pending);
    for (std::size_t i = 0; i < jitter_fields_.size(); ++i) {
        const JitterField& field = jitterFields()[i];
        jitter_fields_[i]->setVisible(field.kind == jitter.kind);
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
