#include "app/what_if_dialog.h"

#include "app/branch_view.h"
#include "core/strategy/strategy_catalog.h"
#include "widgets/run_history.h"
#include "widgets/style.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lab {

WhatIfDialog::WhatIfDialog(Run run, QWidget* parent) : QDialog(parent), run_(std::move(run))
{
    setObjectName(QStringLiteral("whatIfDialog"));
    setWindowTitle(tr("What if"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* rows = new QVBoxLayout(this);
    rows->setSpacing(12);
    rows->addWidget(makeQuestion());
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("How much of both runs is done"));
    answer_ = new QLabel(this);
    answer_->setObjectName(QStringLiteral("whatIfAnswer"));
    answer_->setWordWrap(true);
    answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTextRole(*answer_, TextRole::Strong);
    view_ = new BranchView(this);
    rows->addWidget(progress_);
    rows->addWidget(answer_);
    rows->addWidget(view_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    open_ = buttons->addButton(tr("&Open as experiment"), QDialogButtonBox::ActionRole);
    open_->setObjectName(QStringLiteral("openBranch"));
    open_->setToolTip(tr("Opens the branch as an experiment of its own, ready to run."));
    rows->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(open_, &QPushButton::clicked, this,
            [this] { Q_EMIT experimentWanted(branchOf(run_.journal, asked())); });
    connect(&runner_, &BranchRunner::progressed, this, [this] {
        view_->refresh(runner_);
        progress_->setValue(static_cast<int>(1000 * runner_.share()));
    });
    connect(&runner_, &BranchRunner::finished, this, [this] {
        const auto sideOf = [](const BranchRunner::Side& side) {
            return BranchSide{.curve = side.curve, .idle = side.idle()};
        };
        say(QString::fromStdString(
            answerTo(runner_.whatIf(), sideOf(runner_.asItWas()), sideOf(runner_.branch()))));
        view_->showFigures(runner_);
    });
    connect(&runner_, &BranchRunner::failed, this,
            [this](const QString& why) { say(tr("The run failed: %1").arg(why)); });
    offerObjects();
    showState();
    resize(720, 640);
}

WhatIfDialog::~WhatIfDialog() = default;

QWidget* WhatIfDialog::makeQuestion()
{
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    moment_ = new QDoubleSpinBox(line);
    moment_->setObjectName(QStringLiteral("whatIfMoment"));
    moment_->setAccessibleName(tr("Moment of the branch"));
    moment_->setDecimals(2);
    moment_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    moment_->setRange(0, run_.journal.stop.seconds.value_or(1e9));
    moment_->setSuffix(tr(" s"));
    moment_->setValue(toSeconds(run_.at));
    moment_->setToolTip(tr("Until then the branch is the run as it was."));

    question_ = new QComboBox(line);
    question_->setObjectName(QStringLiteral("whatIfQuestion"));
    question_->setAccessibleName(tr("What is otherwise"));
    const auto offer = [this](Question question, const QString& text) {
        questions_.push_back(question);
        question_->addItem(text);
    };
    offer(Question::NotSlow, tr("a node runs at normal speed:"));
    offer(Question::NeverFails, tr("a node does not fail:"));
    offer(Question::Strategy, tr("another strategy takes over:"));
    const bool has_pairs =
        std::ranges::any_of(run_.groups, [](const auto& group) { return group.size() > 1; });
    const StrategyInfo* info = findStrategy(run_.journal.strategy.kind);
    if (info != nullptr && info->uses_groups && has_pairs) {
        offer(Question::Split, tr("a group is split in two:"));
    }
    object_ = new QComboBox(line);
    object_->setObjectName(QStringLiteral("whatIfObject"));
    object_->setAccessibleName(tr("Which one"));
    start_ = new QPushButton(tr("&Run both"), line);
    start_->setObjectName(QStringLiteral("whatIfStart"));
    start_->setDefault(true);

    row->addWidget(new QLabel(tr("From"), line));
    row->addWidget(moment_);
    row->addWidget(new QLabel(tr("on,"), line));
    row->addWidget(question_);
    row->addWidget(object_, 1);
    row->addWidget(start_);
    connect(question_, &QComboBox::currentIndexChanged, this, &WhatIfDialog::offerObjects);
    connect(start_, &QPushButton::clicked, this, &WhatIfDialog::ask);
    return line;
}

void WhatIfDialog::offerObjects()
{
    object_->clear();
    switch (questions_[static_cast<std::size_t>(question_->currentIndex())]) {
    case Question::NotSlow:
    case Question::NeverFails: {
        std::size_t slowest = 0;
        const std::vector<NodeSpec>& nodes = run_.journal.cluster.nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            object_->addItem(QString::fromStdString(nodes[i].name), static_cast<int>(i));
            slowest = nodes[i].slowdown > nodes[slowest].slowdown ? i : slowest;
        }
        object_->setCurrentIndex(run_.offered.isValid() ? run_.offered.value() : static_cast<int>(slowest));
        break;
    }
    case Question::Strategy:
        for (const StrategyInfo& info : strategyCatalog()) {
            if (info.id != run_.journal.strategy.kind) {
                object_->addItem(QString::fromStdString(info.title), QString::fromStdString(info.id));
            }
        }
        break;
    case Question::Split:
        for (std::size_t g = 0; g < run_.groups.size(); ++g) {
            if (run_.groups[g].size() > 1) {
                object_->addItem(tr("group %1").arg(groupLetter(GroupId{g})), static_cast<int>(g));
            }
        }
        break;
    }
}

WhatIf WhatIfDialog::asked() const
{
    const TimePoint at = atSeconds(moment_->value());
    const auto number = static_cast<std::size_t>(std::max(object_->currentData().toInt(), 0));
    switch (questions_[static_cast<std::size_t>(question_->currentIndex())]) {
    case Question::NotSlow:
        return notSlow(run_.journal, NodeId{number}, at);
    case Question::NeverFails:
        return neverFails(run_.journal, NodeId{number}, at);
    case Question::Strategy:
        return otherStrategy(
            {.kind = object_->currentData().toString().toStdString(), .values = {}},
            run_.journal.groups.by == Grouping::By::Coding ? Grouping{} : run_.journal.groups, at);
    case Question::Split:
        break;
    }
    return splitGroup(run_.groups[number], GroupId{number}, GroupId{run_.groups.size()}, at);
}

void WhatIfDialog::ask()
{
    if (runner_.isRunning()) {
        runner_.stop();
        say(tr("Stopped."));
        return;
    }
    view_->clear();
    say({});
    if (const QString why = runner_.start(run_.journal, asked()); !why.isEmpty()) {
        say(tr("That cannot be run: %1").arg(why));
        return;
    }
    showState();
}

void WhatIfDialog::say(const QString& answer)
{
    answer_->setText(answer);
    showState();
}

void WhatIfDialog::showState()
{
    const bool is_running = runner_.isRunning();
    start_->setText(is_running ? tr("&Stop") : tr("&Run both"));
    for (QWidget* part :
         {static_cast<QWidget*>(moment_), static_cast<QWidget*>(question_), static_cast<QWidget*>(object_)}) {
        part->setEnabled(!is_running);
    }
    progress_->setVisible(is_running);
    answer_->setVisible(!answer_->text().isEmpty());
}

} // namespace lab
