#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace lab {

/// The cells of one row on their way into a database, in the order of its columns. Texts are borrowed until the row is in.
class Row {
public:
    static constexpr std::size_t k_most_cells = 48;
    enum class Kind : std::uint8_t { Null, Whole, Real, Text };
    struct Cell {
        Kind kind = Kind::Null;
        std::int64_t whole = 0;
        double real = 0;
        std::string_view text;
    };

    /// Makes room for another row.
    void clear() { size_ = 0; }
    /// Keeps the first cells.
    void shorten(std::size_t size) { size_ = size; }
    Row& null() { return add({}); }
    Row& whole(std::int64_t value) { return add({.kind = Kind::Whole, .whole = value, .text = {}}); }
    /// Not-a-number becomes NULL, and zero has no sign, as SQLite would have it.
    Row& real(double value)
    {
        return std::isnan(value) ? null() : add({.kind = Kind::Real, .real = value + 0.0, .text = {}});
    }
    Row& text(std::string_view value) { return add({.kind = Kind::Text, .text = value}); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const Cell& operator[](std::size_t column) const { return cells_[column]; }

private:
    Row& add(const Cell& cell)
    {
        cells_[size_++] = cell;
        return *this;
    }
    std::array<Cell, k_most_cells> cells_;
    std::size_t size_ = 0;
};

/// Puts the row of a number into an empty Row; called for 0, 1, 2 … in turn, each once. Must not throw.
using FillRow = std::function<void(std::size_t number, Row& row)>;

} // namespace lab
