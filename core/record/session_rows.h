#pragma once

#include "core/base/time.h"
#include "core/record/database_row.h"
#include "core/record/session_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

// How values become cells of a session's tables.

/// Seconds: for the first 26 days of a run they hold whole nanoseconds exactly.
inline Row& addTime(Row& row, TimePoint time) { return row.real(toSeconds(time)); }

/// NULL where it is invalid.
template <class Id> Row& addId(Row& row, Id id) { return id.isValid() ? row.whole(id.value()) : row.null(); }

/// NULL where there is none.
inline Row& addFigure(Row& row, const std::optional<double>& figure)
{
    return figure ? row.real(*figure) : row.null();
}

/// node, start, end, state, released_by
inline Row& addSpan(Row& row, const Span& span)
{
    addTime(addTime(addId(row, span.node), span.start), span.end);
    return addId(row.whole(static_cast<std::int64_t>(span.activity)), span.released_by);
}

/// k_head_columns and the experiment; `seed` is that of the head as text.
inline Row& addHead(Row& row, const RunHead& head, std::string_view seed)
{
    row.text(head.title).text(head.strategy).text(head.clock).text(seed).text(head.started);
    row.text(head.program_version).text(head.build).text(head.instruction_set);
    return row.text(head.folder).text(head.experiment);
}

/// 16 hexadecimal digits.
[[nodiscard]] std::string hexText(std::uint64_t value);

} // namespace lab
