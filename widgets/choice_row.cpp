#include "widgets/choice_row.h"

#include "widgets/folding_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace lab {

ChoiceRow::ChoiceRow(const QString& title, const QStringList& choices, QWidget* parent)
    : QWidget(parent),
      pending_(new QLabel(tr("at Reset"), this)),
      box_(new QComboBox(this))
{
    auto* label = new QLabel(title, this);
    label->setBuddy(box_);
    pending_->setProperty("pending", true);
    pending_->setToolTip(tr("Takes effect with the next run: Reset (Ctrl+R)"));
    pending_->hide();
    box_->setObjectName(QStringLiteral("choice"));
    box_->addItems(choices);
    box_->setAccessibleName(title);
    box_->setFocusPolicy(Qt::StrongFocus);
    box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box_->setPlaceholderText(tr("(mixed)")); // shown where no choice is

    auto* words = new QHBoxLayout;
    words->setSpacing(6);
    words->addWidget(label);
    words->addWidget(pending_);
    auto* row = new FoldingLayout(this);
    row->addItem(words);
    row->addWidget(box_);
    connect(box_, &QComboBox::activated, this, &ChoiceRow::edited);
}

int ChoiceRow::index() const { return box_->currentIndex(); }

void ChoiceRow::setIndex(int index) { box_->setCurrentIndex(index); }

void ChoiceRow::setPending(bool pending) { pending_->setVisible(pending); }

} // namespace lab
