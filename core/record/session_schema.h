#pragma once

#include "core/base/fingerprint.h"
#include "core/record/database_row.h"
#include "core/record/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lab {

/// What a session file is made of; the README says what it means.

inline constexpr std::int64_t k_session_application = 0x534c4142; ///< "SLAB", in the database's header
inline constexpr std::int64_t k_session_version = 1; ///< of the tables; in the header as user_version

/// All tables and views, as statements.
extern const char* const k_session_tables;

/// A table that grows while a run goes on, row by row, and never changes.
struct GrowingTable {
    const char* name;
    const char* columns; ///< the first is the run's number
    std::size_t width;
};

/// Which of them.
enum class Growing : std::uint8_t {
    Updates,
    Gradients,
    Evaluations,
    Spans,
    Groups,
    Slowdowns,
    Events,
    Journal,
    Tasks
};
inline constexpr std::size_t k_growing = 9;
[[nodiscard]] const GrowingTable& growing(Growing table);

/// Fingerprints of what each growing table has of one run: they tell when something in there was altered.
class ContentFingerprint {
public:
    void add(Growing table, const Row& row);
    [[nodiscard]] std::uint64_t value() const;

private:
    std::array<Fingerprint, k_growing> of_;
};

/// Columns of `nodes` and of `runs` that hold the state as it was at the last commit.
extern const char* const k_node_columns;
inline constexpr std::size_t k_node_width = 18;
extern const char* const k_state_columns;

/// The word for it in `runs.state`.
[[nodiscard]] const char* runStateName(RunState state);

} // namespace lab
