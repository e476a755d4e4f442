#pragma once

#include <QWidget>

namespace lab {

/// A ring round the pointer, so that an audience finds it. Lives over its window for as long as it exists, and lets every
/// event through.
class CursorRing final : public QWidget {
    Q_OBJECT
public:
    explicit CursorRing(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(QPoint pointer); ///< on the screen
};

} // namespace lab
