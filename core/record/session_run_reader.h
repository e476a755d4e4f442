#pragma once

#include "core/record/session_cells.h"
#include "core/record/session_reader.h"

#include <string>
#include <string_view>

namespace lab {

/// Reads the lists of one run of a session, each as far as it is sound.
class SessionRunReader {
public:
    SessionRunReader(const Database& database, const SessionRun& run);

    /// Once only. Throws DamagedFile where nothing of the run can be shown, because its nodes cannot be read.
    [[nodiscard]] RecordedRun read();

private:
    /// More than any group, or gradients of an update, that is not a damaged number.
    static constexpr std::int64_t k_most = 1 << 20;

    [[nodiscard]] Row forRun() const; ///< its number, as a parameter
    [[nodiscard]] Span spanIn(Cells& cells) const;
    void readHeadAndEnd();
    void readState();
    void readNodes();
    void readUpdates();
    void readGradients();
    void readEvaluations();
    void readSpans();
    void readGroups();
    void readRest();
    void readOpen();
    void checkContent();
    void addDamage(const std::string& what);
    void rebuildLast();
    template <class Take> void readGrowing(Growing table, Take take);

    const Database& database_;
    RecordedRun read_;
    std::size_t nodes_ = 0;
    ContentFingerprint content_;
    std::uint64_t expected_content_ = 0;
};

} // namespace lab
