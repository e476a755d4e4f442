#pragma once

#include "core/base/fingerprint.h"
#include "core/record/database_row.h"
#include "core/record/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// Fingerprints of all that a file has of one run: they tell when something in there was altered. Tables that grow
/// need not be added in one order, but each in the order of its rows.
class ContentFingerprint {
public:
    void add(Growing table, const Row& row) { of_[static_cast<std::size_t>(table)].add(hashOf(row)); }
    void setHead(const Row& row) { head_ = hashOf(row); }
    void setJournal(std::string_view experiment);
    /// The state is about to be written anew.
    void beginState() { state_ = {}; }
    void addState(const Row& row) { state_.add(hashOf(row)); }
    [[nodiscard]] std::uint64_t value() const;

private:
    [[nodiscard]] static std::uint64_t hashOf(const Row& row);

    std::array<Fingerprint, k_growing> of_;
    std::uint64_t head_ = 0;
    std::uint64_t journal_ = 0;
    Fingerprint state_;
};

// Columns of `runs`: what is known before its first second, but for the journal; the state as it was at the last
// commit; and what comes with the end.
extern const char* const k_head_columns;
extern const char* const k_state_columns;
extern const char* const k_end_columns;
// Columns of the tables that hold the rest of the state, each beginning with the run's number.
extern const char* const k_node_columns;
extern const char* const k_open_span_columns;
extern const char* const k_transfer_columns;
inline constexpr std::size_t k_node_width = 18;
inline constexpr std::size_t k_open_span_width = 6;
inline constexpr std::size_t k_transfer_width = 5;

/// The word for it in `runs.state`.
[[nodiscard]] const char* runStateName(RunState state);

} // namespace lab
