#pragma once

#include "widgets/timeline_picture.h"

#include <QWidget>

namespace lab {

/// The timeline: a lane per node by group. Follows the run's clock until a person pans or zooms; the strip below the
/// axis shows which part of the run is in view.
///
/// Drag pans, the wheel zooms about the pointer, F or a double click follows again.
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

Q_SIGNALS:
    /// What is shown, in words: `last 6 s`.
    void windowChanged(const QString& words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    enum class Grip { None, Lanes, Strip };

    void setWindow(TimeWindow window);
    void keepInside(TimeWindow& window) const;
    void arrange();
    [[nodiscard]] double secondsAt(double x) const;
    [[nodiscard]] QRectF strip() const;
    void paintStrip(QPainter& painter) const;

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
    TimeWindow grip_window_;
};

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
