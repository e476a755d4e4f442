#pragma once

#include <QWidget>

class QComboBox;
class QLabel;

namespace lab {

/// A name on the left, a combo box on the right, or below where words are long. Emits edited() for what a person does, never for setIndex().
class ChoiceRow final : public QWidget {
    Q_OBJECT
public:
    ChoiceRow(const QString& title, const QStringList& choices, QWidget* parent = nullptr);

    [[nodiscard]] int index() const;
    void setIndex(int index);
    /// Marks a value that waits for the next run.
    void setPending(bool pending);

Q_SIGNALS:
    void edited(int index);

private:
    QLabel* pending_;
    QComboBox* box_;
};

} // namespace lab
