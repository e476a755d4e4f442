#pragma once

#include <QLabel>

namespace lab {

/// A line of text that gives way where room is short: it ends in dots, and says all of it in its tool tip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace lab
