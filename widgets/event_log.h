#pragma once

#include "core/base/time.h"

#include <QWidget>

#include <cstddef>
#include <optional>

class QListWidget;

namespace lab {

class RunHistory;

/// What happened in the run, a sentence each: failures, slowdowns, moves, and why nodes were grouped as they are.
/// Choosing an entry asks for a look at its moment.
class EventLog final : public QWidget {
    Q_OBJECT
public:
    /// So many rows are kept; of more, the newest, which the remark says.
    static constexpr int k_most_rows = 2000;

    explicit EventLog(QWidget* parent = nullptr);

    void begin();
    void refresh(const RunHistory& history);

Q_SIGNALS:
    void momentChosen(std::optional<lab::TimePoint> moment);
    void remarkChanged(const QString& remark);

private:
    QListWidget* list_;
    std::size_t shown_ = 0; ///< of the history's entries
};

} // namespace lab
