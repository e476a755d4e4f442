#pragma once

#include "widgets/run_history.h"
#include "widgets/theme.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace lab {

/// One node's bar.
struct IdleBar {
    QString name;
    ActivityTimes times;
    bool is_down = false;
};

/// The bars of a frame, in node order.
[[nodiscard]] std::vector<IdleBar> idleBars(const Frame& frame, const RunHistory& history);

/// Height that a bar per node needs at this text size.
[[nodiscard]] double idleHeight(std::size_t nodes, const QFont& font);

/// Draws a bar per node: what it did, its waiting hatched, and the share in figures. The same on screen and in files.
void drawIdle(QPainter& painter, const QRectF& area, const std::vector<IdleBar>& bars, const Theme& theme,
              const QFont& font);

/// How each node's time was spent so far.
class IdleChart final : public QWidget {
    Q_OBJECT
public:
    explicit IdleChart(QWidget* parent = nullptr);
    /// Shows `frame`, one of the run's: as it is now or at a moment of its past.
    void refresh(const RunHistory& history, const Frame& frame);
    /// Speaks of this stretch of the run only, from the next refresh on; nothing: of all of it.
    void setStretch(const std::optional<std::pair<TimePoint, TimePoint>>& stretch);
    [[nodiscard]] const std::vector<IdleBar>& bars() const { return bars_; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] QRectF area() const { return QRectF(rect()).adjusted(8, 2, -14, -8); }

    std::vector<IdleBar> bars_;
    std::optional<std::pair<TimePoint, TimePoint>> stretch_;
};

} // namespace lab
