#pragma once

#include "widgets/timeline_picture.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace lab {

/// The timeline: a lane per node by group. Follows the run's clock until a person pans or zooms; the strip below the
/// axis shows which part of the run is in view.
///
/// Drag pans, the wheel zooms about the pointer, F or a double click follows again. A click looks at that moment, Shift and
/// drag selects a stretch of time. A click on an event's flag looks at exactly that event.
class TimelineView final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// A new run; `seconds` is the length that is shown at first.
    void begin(const RunHistory& history, double seconds);
    void refresh(const RunHistory& history);
    [[nodiscard]] TimeWindow window() const { return window_; }
    [[nodiscard]] bool follows() const { return follows_; }
    void follow();
    void zoom(double factor, double about);
    /// The same about the middle of what is shown.
    void zoom(double factor) { zoom(factor, (window_.from + window_.to) / 2); }
    /// Shows all of the run.
    void showAll();
    /// Marks the moment that is looked at; nothing: the newest.
    void setMoment(std::optional<TimePoint> moment);
    /// Draws the line that all charts share at this moment; nothing: none.
    void showCursor(std::optional<TimePoint> moment);
    [[nodiscard]] std::optional<TimePoint> cursorMoment() const { return cursor_; }
    /// The stretch that is selected, in seconds.
    [[nodiscard]] const std::optional<TimeWindow>& selection() const { return selection_; }
    void select(std::optional<TimeWindow> stretch);
    /// `12.0–18.5 s ×`, a button that ends the selection; belongs in the card's header.
    [[nodiscard]] QPushButton* chip() const { return chip_; }
    /// Where a moment is, in pixels.
    [[nodiscard]] double pixelOf(double seconds) const;

Q_SIGNALS:
    /// What is shown, in words: `last 6 s`.
    void windowChanged(const QString& words);
    /// A person wants to look at this moment; nothing: at the newest again.
    void momentChosen(std::optional<lab::TimePoint> moment);
    void selectionChanged();
    /// The pointer is at this moment of the run; nothing: no longer at any.
    void cursorMoved(std::optional<lab::TimePoint> moment);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    enum class Grip { None, Lanes, Strip, Selecting };

    void setWindow(TimeWindow window);
    void keepInside(TimeWindow& window) const;
    void arrange();
    [[nodiscard]] double secondsAt(double x) const;
    [[nodiscard]] QRectF strip() const;
    void paintStrip(QPainter& painter) const;
    void paintSelection(QPainter& painter) const;
    void paintMoment(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    /// What the node under the pointer did at a moment; empty where there is none.
    [[nodiscard]] QString activityAt(TimePoint moment) const;
    /// The flag under the pointer.
    [[nodiscard]] const TimelineFlag* flagAt(QPointF where) const;
    void hover(QPointF where);
    void tellWindow();
    void stepMoment(int pixels);

    const RunHistory* history_ = nullptr;
    Partition groups_;
    TimelineLayout layout_;
    TimeWindow window_;
    double usual_length_ = 6;
    double end_ = 0; ///< the run's clock
    bool follows_ = true;
    std::size_t flagged_ = 0;
    std::vector<TimelineFlag> flags_;
    Grip grip_ = Grip::None;
    double grip_x_ = 0;
    bool has_moved_ = false; ///< since the button went down
    TimeWindow grip_window_;
    std::optional<TimePoint> moment_;
    std::optional<TimePoint> cursor_;
    QPointF pointer_{-1, -1}; ///< negative: elsewhere
    std::optional<TimeWindow> selection_;
    QPushButton* chip_;
};

/// What a node does, in a word: `computing`, `waiting`, `sending`, `wasted`, `failed`.
[[nodiscard]] QString activityWord(Activity activity);

/// Which look means what, for the timeline's header.
class ActivityLegend final : public QWidget {
    Q_OBJECT
public:
    explicit ActivityLegend(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
};

} // namespace lab
