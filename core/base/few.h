#pragma once

#include "core/base/error.h"

#include <array>
#include <cstddef>
#include <initializer_list>
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
            more_ = std::move(values);
            return;
        }
        for (const T& value : values) {
            push_back(value);
        }
    }

    void push_back(const T& value)
    {
        if (more_.empty() && own_count_ < Own) {
            own_[own_count_++] = value;
            return;
        }
        if (more_.empty()) {
            more_.assign(own_.begin(), own_.end());
        }
        more_.push_back(value);
    }
    void clear()
    {
        own_count_ = 0;
        more_.clear();
    }

    [[nodiscard]] std::size_t size() const { return more_.empty() ? own_count_ : more_.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] T* begin() { return more_.empty() ? own_.data() : more_.data(); }
    [[nodiscard]] T* end() { return begin() + size(); }
    [[nodiscard]] const T* begin() const { return more_.empty() ? own_.data() : more_.data(); }
    [[nodiscard]] const T* end() const { return begin() + size(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return begin()[i]; }
    /// Requires i < size().
    [[nodiscard]] const T& at(std::size_t i) const
    {
        LAB_EXPECTS(i < size());
        return begin()[i];
    }

private:
    std::array<T, Own> own_{};
    std::size_t own_count_ = 0;
    std::vector<T> more_; ///< all of them, once there are more than Own
};

} // namespace lab
