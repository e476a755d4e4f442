#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace lab {

/// One number: its name, a box to type it, and a slider under both.
///
///     Learning rate            0.10
///     ------o----------------------
///
/// Emits edited() for what a person does, never for setValue().
class SliderRow final : public QWidget {
    Q_OBJECT
public:
    enum class Scale { Linear, Logarithmic };
    struct Range {
        double least = 0; ///< above zero where the scale is logarithmic
        double most = 1;
        int decimals = 0;
        Scale scale = Scale::Linear;
        QString suffix;
    };

    SliderRow(const QString& title, const Range& range, QWidget* parent = nullptr);

    [[nodiscard]] double value() const;
    void setValue(double value);
    /// The text shown for the least value, such as "auto".
    void setLeastText(const QString& text);
    /// What the box says while the things it speaks of differ; empty ends it.
    void setMixed(bool mixed);
    void setTitle(const QString& title);
    void focusValue();
    /// Marks a value that waits for the next run.
    void setPending(bool pending);

Q_SIGNALS:
    void edited(double value);

private:
    [[nodiscard]] int positionOf(double value) const;
    [[nodiscard]] double valueAt(int position) const;
    void slide(int position);
    void type(double value);

    Range range_;
    QLabel* title_;
    QLabel* pending_;
    QDoubleSpinBox* box_;
    QSlider* slider_;
};

} // namespace lab
