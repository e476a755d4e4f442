#pragma once

#include "core/record/database.h"

#include <cstddef>

namespace lab {

/// Rows in memory that SQLite reads like a table named `fresh`, with the columns c0, c1, …: as the source of an
/// INSERT … SELECT they go into a real table in one run of one statement.
struct Database::Fresh {
    static constexpr std::size_t k_columns = 24;

    std::size_t rows = 0;
    const FillRow* fill = nullptr;

    /// Makes the table known to a connection, which must be closed before this goes. An SQLite result code.
    [[nodiscard]] int attach(sqlite3* database);
};

} // namespace lab
