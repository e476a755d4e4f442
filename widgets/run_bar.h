#pragma once

#include <QWidget>

#include <optional>
#include <vector>

class QAction;
class QDoubleSpinBox;
class QFrame;
class QLabel;
class QSlider;
class QToolButton;

namespace lab {

/// The bar on top: what is open, run and pause, step, reset, how fast, and the run's clock.
class RunBar final : public QWidget {
    Q_OBJECT
public:
    /// What the buttons do; they show the actions' text, icon and state.
    struct Buttons {
        QAction* run;
        QAction* step;
        QAction* reset;
        QAction* live; ///< is shown while a moment of the past is looked at
        QAction* pin;
        QAction* virtual_clock;
        QAction* live_threads;
    };
    explicit RunBar(const Buttons& buttons, QWidget* parent = nullptr);

    void setDocument(const QString& name, bool modified);
    void setClock(double seconds);
    /// `is_past`: the clock shows a moment of the past that is looked at.
    void setPast(bool is_past);
    void setSeed(const QString& seed);
    /// Virtual seconds per second; nothing: as fast as it can.
    void setPace(std::optional<double> pace);
    [[nodiscard]] std::optional<double> pace() const;
    /// Whether the run has a pace that can be chosen; a live one has not.
    void setPaced(bool is_paced);
    /// Without what goes where room is short.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void paceEdited(std::optional<double> pace);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void dress();
    /// What stands elsewhere too and goes where room is short, the last one first.
    [[nodiscard]] std::vector<QWidget*> extras() const;
    [[nodiscard]] int widthWithoutExtras() const;
    void makeRoom();

    QLabel* name_;
    QLabel* document_;
    QToolButton* run_;
    QToolButton* step_;
    QToolButton* reset_;
    QLabel* speed_name_;
    QSlider* speed_;
    QDoubleSpinBox* speed_box_;
    QFrame* clocks_; ///< which clock the run has, one of two
    QLabel* clock_;
    QLabel* seed_;
    QToolButton* live_;
    QToolButton* pin_;
    bool is_past_ = false;
};

} // namespace lab
