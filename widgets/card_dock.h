#pragma once

#include <QDockWidget>

class QHBoxLayout;
class QLabel;

namespace lab {

/// The first line of a card: what it is about on the left, a remark or small controls on the right.
class CardHeader final : public QWidget {
    Q_OBJECT
public:
    explicit CardHeader(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setRemark(const QString& remark);
    /// Small controls right of the remark; the header becomes their parent.
    void addControl(QWidget* control);
    /// A row between title and remark, such as a legend.
    void setMiddle(QWidget* middle);

private:
    QLabel* title_;
    QLabel* remark_;
    QHBoxLayout* row_;
};

/// A rounded white panel that a user can move, float, close and bring back.
class CardDock final : public QDockWidget {
    Q_OBJECT
public:
    /// `name` is the objectName that the layout is remembered by.
    CardDock(const QString& title, const QString& name, QWidget* content, QWidget* parent = nullptr);

    [[nodiscard]] CardHeader& header() { return *header_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    CardHeader* header_;
};

/// The same panel for the centre of the window, which cannot be moved.
class Card final : public QWidget {
    Q_OBJECT
public:
    Card(const QString& title, QWidget* content, QWidget* parent = nullptr);

    [[nodiscard]] CardHeader& header() { return *header_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    CardHeader* header_;
};

} // namespace lab
