#include "widgets/strategy_form.h"

#include "widgets/choice_row.h"
#include "widgets/param_editor.h"
#include "widgets/slider_row.h"
#include "widgets/style.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr int k_most_groups_listed = 6;
constexpr int k_whole_name = 208; ///< pixels for the longest name of a strategy; only larger text cuts it

/// The entries of the groups box: automatic, 1 … 6 groups, as drawn on the canvas.
QStringList groupingChoices()
{
    QStringList list{StrategyForm::tr("Auto by speed")};
    for (int count = 1; count <= k_most_groups_listed; ++count) {
        list << StrategyForm::tr("%1 by speed", "number of groups").arg(count);
    }
    list << StrategyForm::tr("For coding") << StrategyForm::tr("As drawn");
    return list;
}

int indexOf(const Grouping& grouping)
{
    switch (grouping.by) {
    case Grouping::By::Speed:
        return std::clamp(grouping.count.value_or(0), 0, k_most_groups_listed);
    case Grouping::By::Coding:
        return k_most_groups_listed + 1;
    case Grouping::By::Members:
        return k_most_groups_listed + 2;
    }
    return 0;
}

} // namespace

StrategyForm::StrategyForm(std::span<const StrategyInfo> catalog, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      kind_(new QComboBox(this)),
      explanation_(new QLabel(this)),
      params_(new QWidget(this)),
      params_layout_(new QVBoxLayout(params_)),
      rate_(new SliderRow(tr("Learning rate"), {0.001, 2.0, 3, SliderRow::Scale::Logarithmic, {}}, this)),
      batch_(new SliderRow(tr("Batch per node"), {1, 512, 0, SliderRow::Scale::Logarithmic, {}}, this)),
      groups_(new ChoiceRow(tr("Groups"), groupingChoices(), this)),
      finding_(new QLabel(this)),
      reset_(new QPushButton(tr("Changes apply at Reset (Ctrl+R)"), this))
{
    kind_->setObjectName(QStringLiteral("strategyKind"));
    kind_->setProperty("wide", true);
    kind_->setAccessibleName(tr("Strategy"));
    kind_->setFocusPolicy(Qt::StrongFocus);
    kind_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kind_->setMinimumWidth(k_whole_name);
    for (const StrategyInfo& info : catalog_) {
        kind_->addItem(QString::fromStdString(shortTitle(info)));
        kind_->setItemData(kind_->count() - 1, QString::fromStdString(info.title), Qt::ToolTipRole);
    }
    explanation_->setWordWrap(true);
    explanation_->setProperty("muted", true);
    setTextRole(*explanation_, TextRole::Tiny);
    finding_->setProperty("accent", true);
    finding_->setObjectName(QStringLiteral("finding"));
    setTextRole(*finding_, TextRole::Small);
    finding_->setWordWrap(true);
    finding_->hide();
    reset_->setProperty("link", true);
    reset_->setObjectName(QStringLiteral("applyAtReset"));
    reset_->hide();
    rate_->setObjectName(QStringLiteral("learningRate"));
    batch_->setObjectName(QStringLiteral("batch"));
    groups_->setObjectName(QStringLiteral("groups"));
    params_layout_->setContentsMargins(0, 0, 0, 0);
    params_layout_->setSpacing(8);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(13, 2, 13, 10);
    rows->setSpacing(8);
    rows->addWidget(kind_);
    rows->addWidget(explanation_);
    rows->addWidget(params_);
    rows->addWidget(rate_);
    rows->addWidget(batch_);
    rows->addWidget(groups_);
    rows->addWidget(finding_);
    rows->addWidget(reset_);
    rows->addStretch();

    connect(kind_, &QComboBox::activated, this, &StrategyForm::chooseStrategy);
    connect(groups_, &ChoiceRow::edited, this, &StrategyForm::chooseGrouping);
    connect(rate_, &SliderRow::edited, this, [this](double rate) {
        values_.learning_rate = rate;
        Q_EMIT edited(values_, tr("learning rate"));
    });
    connect(batch_, &SliderRow::edited, this, [this](double batch) {
        values_.batch = static_cast<int>(std::lround(batch));
        Q_EMIT edited(values_, tr("batch per node"));
    });
    connect(reset_, &QPushButton::clicked, this, &StrategyForm::resetRequested);
}

void StrategyForm::showValues(const StrategyValues& wanted, const StrategyValues& running)
{
    values_ = wanted;
    const StrategyInfo* info = infoOf(wanted.choice.kind);
    if (shown_kind_ != wanted.choice.kind) {
        shown_kind_ = wanted.choice.kind;
        rebuildParams(info);
    }
    kind_->setToolTip(info == nullptr ? QString() : QString::fromStdString(info->title));
    kind_->setCurrentIndex(info == nullptr ? -1 : static_cast<int>(info - catalog_.data()));
    for (ParamEditor* editor : editors_) {
        editor->setValue(paramValue(*info, wanted.choice, editor->name()));
    }
    rate_->setValue(wanted.learning_rate);
    batch_->setValue(wanted.batch);
    groups_->setIndex(indexOf(wanted.grouping));
    markPending(running);
}

void StrategyForm::markPending(const StrategyValues& running)
{
    const StrategyInfo* info = infoOf(values_.choice.kind);
    const bool same_kind = running.choice.kind == values_.choice.kind;
    for (ParamEditor* editor : editors_) {
        editor->setPending(same_kind
                           && paramValue(*info, values_.choice, editor->name())
                               != paramValue(*info, running.choice, editor->name()));
    }
    rate_->setPending(running.learning_rate != values_.learning_rate);
    batch_->setPending(running.batch != values_.batch);
    groups_->setPending(running.grouping != values_.grouping);
    reset_->setVisible(values_ != running);
}

void StrategyForm::setFinding(const QString& text, const QString& basis)
{
    if (finding_->toolTip() != basis) {
        finding_->setToolTip(basis);
        finding_->setWhatsThis(basis);
    }
    if (finding_->text() != text) {
        finding_->setText(text);
        finding_->setVisible(!text.isEmpty());
    }
}

const StrategyInfo* StrategyForm::infoOf(const std::string& kind) const
{
    const auto at = std::ranges::find(catalog_, kind, &StrategyInfo::id);
    return at == catalog_.end() ? nullptr : &*at;
}

void StrategyForm::rebuildParams(const StrategyInfo* info)
{
    for (ParamEditor* editor : editors_) {
        editor->hide();
        editor->deleteLater(); // it may be the one whose signal brought us here
    }
    editors_.clear();
    explanation_->setText(info == nullptr ? QString() : QString::fromStdString(info->explanation));
    explanation_->setToolTip(info == nullptr ? QString() : QString::fromStdString(info->source));
    groups_->setVisible(info != nullptr && info->uses_groups);
    params_->setVisible(info != nullptr && !info->params.empty());
    if (info == nullptr) {
        return;
    }
    for (const ParamSpec& spec : info->params) {
        auto* editor = new ParamEditor(spec, params_);
        params_layout_->addWidget(editor);
        editors_.push_back(editor);
        connect(editor, &ParamEditor::edited, this, [this, spec](const ParamValue& value) {
            values_.choice.values[spec.name] = value;
            Q_EMIT edited(values_, QString::fromStdString(spec.title).toLower());
        });
    }
}

void StrategyForm::chooseStrategy(int index)
{
    values_.choice = {};
    values_.choice.kind = catalog_[static_cast<std::size_t>(index)].id;
    Q_EMIT edited(values_, tr("strategy"));
}

void StrategyForm::chooseGrouping(int index)
{
    if (index <= k_most_groups_listed) {
        values_.grouping = {Grouping::By::Speed, index == 0 ? std::nullopt : std::optional<int>(index), {}};
    } else if (index == k_most_groups_listed + 1) {
        values_.grouping = {Grouping::By::Coding, std::nullopt, {}};
    } else {
        // The members are those on the canvas; whoever holds the document fills them in.
        values_.grouping = {Grouping::By::Members, std::nullopt, {}};
    }
    Q_EMIT edited(values_, tr("groups"));
}

} // namespace lab
