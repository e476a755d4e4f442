#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/record/database.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// The cells of a row that was read, one after the other. Every method throws DamagedFile where a cell is not what
/// belongs there.
class Cells {
public:
    /// `first`: the column to begin with.
    explicit Cells(const Row& row, std::size_t first = 0) : row_(&row), next_(first) {}

    [[nodiscard]] std::int64_t whole(std::int64_t least = 0,
                                     std::int64_t most = std::numeric_limits<std::int64_t>::max())
    {
        const Row::Cell& cell = take(Row::Kind::Whole);
        expect(cell.whole >= least && cell.whole <= most);
        return cell.whole;
    }
    /// Not-a-number for NULL.
    [[nodiscard]] double real()
    {
        if (takeNull()) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        return take(Row::Kind::Real).real;
    }
    [[nodiscard]] std::optional<double> maybeReal()
    {
        return takeNull() ? std::nullopt : std::optional(take(Row::Kind::Real).real);
    }
    [[nodiscard]] std::string text() { return std::string(take(Row::Kind::Text).text); }
    /// Empty for NULL.
    [[nodiscard]] std::string maybeText() { return takeNull() ? std::string() : text(); }
    [[nodiscard]] Duration duration()
    {
        const Duration duration = fromSeconds(take(Row::Kind::Real).real);
        expect(duration >= Duration::zero());
        return duration;
    }
    [[nodiscard]] TimePoint moment() { return TimePoint{duration()}; }
    /// A node or group below `count`; NULL is the invalid one.
    template <class Id> [[nodiscard]] Id id(std::size_t count)
    {
        return takeNull() ? Id{}
                          : Id{static_cast<std::int32_t>(whole(0, static_cast<std::int64_t>(count) - 1))};
    }
    /// One of the names that `name_of` gives to 0 … count - 1.
    template <class Word, class NameOf> [[nodiscard]] Word word(std::size_t count, NameOf name_of)
    {
        const std::string_view text = take(Row::Kind::Text).text;
        for (std::size_t i = 0; i < count; ++i) {
            if (text == name_of(static_cast<Word>(i))) {
                return static_cast<Word>(i);
            }
        }
        throw DamagedFile("an unknown word");
    }
    /// Nothing for NULL.
    template <class Word, class NameOf>
    [[nodiscard]] std::optional<Word> maybeWord(std::size_t count, NameOf name_of)
    {
        return takeNull() ? std::nullopt : std::optional(word<Word>(count, name_of));
    }
    static void expect(bool is_right)
    {
        if (!is_right) {
            throw DamagedFile("a value out of place");
        }
    }

private:
    [[nodiscard]] bool takeNull()
    {
        expect(next_ < row_->size());
        const bool is_null = (*row_)[next_].kind == Row::Kind::Null;
        next_ += is_null ? 1 : 0;
        return is_null;
    }
    [[nodiscard]] const Row::Cell& take(Row::Kind kind)
    {
        expect(next_ < row_->size() && (*row_)[next_].kind == kind);
        return (*row_)[next_++];
    }

    const Row* row_;
    std::size_t next_;
};

} // namespace lab
