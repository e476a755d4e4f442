#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/record/number_text.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lab {

/// The text as a cell: in quotes where it would break the row.
[[nodiscard]] std::string csvCell(std::string_view text);

/// Grows a table of CSV text cell by cell (contract, section 5): RFC 4180 with "\n" line ends, the shortest digits that
/// read back to the same number.
class CsvTable {
public:
    /// Rows without a header.
    CsvTable() = default;
    /// Room is made for `rows` of about `bytes_per_row` ahead of time.
    CsvTable(std::string_view header, std::size_t rows, std::size_t bytes_per_row)
    {
        text_.reserve(header.size() + 1 + rows * bytes_per_row);
        text_ += header;
        text_ += '\n';
    }

    /// Empty where it is not a number.
    CsvTable& number(double value)
    {
        separate();
        if (!std::isnan(value)) {
            appendNumber(text_, value);
        }
        return *this;
    }
    CsvTable& whole(std::int64_t value)
    {
        separate();
        appendNumber(text_, value);
        return *this;
    }
    CsvTable& time(TimePoint time) { return number(toSeconds(time)); }
    CsvTable& group(GroupId group)
    {
        separate();
        if (group.isValid()) {
            appendNumber(text_, group.value());
        }
        return *this;
    }
    /// `cell` is quoted already, where it needs to be.
    CsvTable& raw(std::string_view cell)
    {
        separate();
        text_ += cell;
        return *this;
    }
    void endRow()
    {
        text_ += '\n';
        is_first_ = true;
    }
    [[nodiscard]] std::string done() && { return std::move(text_); }

private:
    void separate()
    {
        if (!is_first_) {
            text_ += ',';
        }
        is_first_ = false;
    }

    std::string text_;
    bool is_first_ = true;
};

} // namespace lab
