#include "widgets/folding_layout.h"

#include <algorithm>

namespace lab {

namespace {

constexpr int k_between = 6; ///< side by side
constexpr int k_stacked = 3; ///< one below the other

bool grows(const QLayoutItem& item) { return item.expandingDirections().testFlag(Qt::Horizontal); }

int heightOf(const QLayoutItem& item, int width)
{
    return item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height();
}

} // namespace

FoldingLayout::FoldingLayout(QWidget* parent) : QLayout(parent) { setContentsMargins(0, 0, 0, 0); }

FoldingLayout::~FoldingLayout() = default;

void FoldingLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

QLayoutItem* FoldingLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FoldingLayout::takeAt(int index)
{
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    QLayoutItem* taken = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return taken;
}

std::vector<QLayoutItem*> FoldingLayout::shown() const
{
    std::vector<QLayoutItem*> list;
    for (const auto& item : items_) {
        if (!item->isEmpty()) {
            list.push_back(item.get());
        }
    }
    return list;
}

bool FoldingLayout::fits(int width) const { return sizeHint().width() <= width; }

QSize FoldingLayout::sizeHint() const
{
    int width = -k_between;
    int height = 0;
    for (const QLayoutItem* item : shown()) {
        width += k_between + item->sizeHint().width();
        height = std::max(height, item->sizeHint().height());
    }
    return {std::max(0, width), height};
}

QSize FoldingLayout::minimumSize() const
{
    QSize least;
    for (const QLayoutItem* item : shown()) {
        least = least.expandedTo(item->minimumSize());
    }
    return least;
}

int FoldingLayout::heightForWidth(int width) const
{
    if (fits(width)) {
        return sizeHint().height();
    }
    int height = -k_stacked;
    for (const QLayoutItem* item : shown()) {
        height += k_stacked + heightOf(*item, width);
    }
    return std::max(0, height);
}

void FoldingLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    const std::vector<QLayoutItem*> list = shown();
    if (!fits(area.width())) {
        int top = area.top();
        for (QLayoutItem* item : list) {
            const int height = heightOf(*item, area.width());
            item->setGeometry(QRect(area.left(), top, area.width(), height));
            top += height + k_stacked;
        }
        return;
    }
    int left_over = area.width() - k_between * (static_cast<int>(list.size()) - 1);
    int growing = 0;
    int widest = 0; // of those that grow
    int wanted = 0; // by those
    for (const QLayoutItem* item : list) {
        const int width = item->sizeHint().width();
        left_over -= grows(*item) ? 0 : width;
        growing += grows(*item) ? 1 : 0;
        widest = std::max(widest, grows(*item) ? width : 0);
        wanted += grows(*item) ? width : 0;
    }
    const bool are_even = widest * growing <= left_over; // else each has what it wants and a part of the rest
    int left = area.left();
    for (QLayoutItem* item : list) {
        const int own = item->sizeHint().width();
        const int grown =
            are_even ? left_over / std::max(1, growing) : own + (left_over - wanted) / std::max(1, growing);
        const int width = grows(*item) ? grown : own;
        const int height = std::min(item->sizeHint().height(), area.height());
        item->setGeometry(QRect(left, area.top() + (area.height() - height) / 2, width, height));
        left += width + k_between;
    }
}

} // namespace lab
