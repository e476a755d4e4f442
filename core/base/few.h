#pragma once

#include "core/base/error.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace lab {

/// A list of plain values that holds `Own` of them in itself: the usual short one asks for no memory.
///
/// What it holds after it was moved from is anybody's guess, but valid.
template <class T, std::size_t Own = 1> class Few {
public:
    Few() = default;
    Few(std::initializer_list<T> values)
    {
        for (const T& value : values) {
            push_back(value);
        }
    }
    Few(std::vector<T> values) // as implicit as for other lists
    {
        if (values.size() > Own) {
            more_ = std::make_unique<std::vector<T>>(std::move(values));
            return;
        }
        for (T& value : values) {
            push_back(std::move(value));
        }
    }
    Few(const Few& other) : own_(other.own_), own_count_(other.own_count_)
    {
        if (other.isLong()) {
            more_ = std::make_unique<std::vector<T>>(*other.more_);
        }
    }
    Few& operator=(const Few& other)
    {
        if (this != &other) {
            *this = Few(other);
        }
        return *this;
    }
    Few(Few&&) noexcept = default;
    Few& operator=(Few&&) noexcept = default;
    ~Few() = default;

    void push_back(T value)
    {
        if (!isLong() && own_count_ < Own) {
            own_[own_count_++] = std::move(value);
            return;
        }
        if (!more_) {
            more_ = std::make_unique<std::vector<T>>();
        }
        if (more_->empty()) {
            more_->assign(std::move_iterator(own_.begin()), std::move_iterator(own_.end()));
        }
        more_->push_back(std::move(value));
    }
    void clear()
    {
        own_count_ = 0;
        if (more_) {
            more_->clear(); // and keep its room
        }
    }

    [[nodiscard]] std::size_t size() const { return isLong() ? more_->size() : own_count_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] T* data() { return isLong() ? more_->data() : own_.data(); }
    [[nodiscard]] const T* data() const { return isLong() ? more_->data() : own_.data(); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size(); }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + size(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }
    /// Requires i < size().
    [[nodiscard]] const T& at(std::size_t i) const
    {
        LAB_EXPECTS(i < size());
        return data()[i];
    }

private:
    [[nodiscard]] bool isLong() const { return more_ != nullptr && !more_->empty(); }

    std::array<T, Own> own_{};
    std::size_t own_count_ = 0;
    std::unique_ptr<std::vector<T>> more_; ///< all of them, once there are more than Own
};

} // namespace lab
