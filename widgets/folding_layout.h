#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace lab {

/// Its items side by side where there is room for all that they want, else one below the other. Items that can grow share
/// what the others leave.
class FoldingLayout final : public QLayout {
    Q_OBJECT
public:
    explicit FoldingLayout(QWidget* parent = nullptr);
    ~FoldingLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    [[nodiscard]] QLayoutItem* takeAt(int index) override;
    void setGeometry(const QRect& area) override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;

private:
    [[nodiscard]] std::vector<QLayoutItem*> shown() const;
    [[nodiscard]] bool fits(int width) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace lab
