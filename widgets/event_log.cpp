#include "widgets/event_log.h"

#include "widgets/run_history.h"

#include <QListWidget>
#include <QScrollBar>
#include <QVBoxLayout>

namespace lab {

EventLog::EventLog(QWidget* parent) : QWidget(parent), list_(new QListWidget(this))
{
    setObjectName(QStringLiteral("eventLog"));
    list_->setObjectName(QStringLiteral("eventList"));
    list_->setAccessibleName(tr("Event log"));
    list_->setWordWrap(true);
    list_->setSpacing(2);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setWhatsThis(
        tr("What happened in this run, and why nodes were grouped as they are. Enter or a double click "
           "looks at the run at that moment."));
    setFocusProxy(list_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 0, 6, 10);
    layout->addWidget(list_);
    connect(list_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        Q_EMIT momentChosen(TimePoint{Duration{item->data(Qt::UserRole).toLongLong()}});
    });
}

void EventLog::begin()
{
    list_->clear();
    shown_ = 0;
    Q_EMIT remarkChanged({});
}

void EventLog::refresh(const RunHistory& history)
{
    const auto& log = history.log();
    if (shown_ == log.size()) {
        return;
    }
    const QScrollBar* bar = list_->verticalScrollBar();
    const bool follows = bar->value() == bar->maximum();
    for (; shown_ < log.size(); ++shown_) {
        const LogEntry& entry = log[shown_];
        auto* item = new QListWidgetItem(
            tr("%1 s   %2").arg(toSeconds(entry.time), 0, 'f', 2).arg(QString::fromStdString(entry.text)),
            list_);
        item->setData(Qt::UserRole, QVariant::fromValue<qlonglong>(entry.time.time_since_epoch().count()));
    }
    while (list_->count() > k_most_rows) {
        delete list_->takeItem(0);
    }
    Q_EMIT remarkChanged(log.size() > k_most_rows ? tr("the last %L1 of %L2").arg(k_most_rows).arg(log.size())
                                                  : QString());
    if (follows) {
        list_->scrollToBottom();
    }
}

} // namespace lab
