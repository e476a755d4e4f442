#pragma once

#include "core/base/error.h"
#include "core/record/database_row.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace lab {

/// A database whose content is not sound.
class DamagedFile : public Error {
public:
    using Error::Error;
};

/// An SQLite database file that is open. Used by one thread at a time.
///
/// Every method throws Error that names the file and the cause, DamagedFile where the cause is the file's own content.
class Database {
public:
    enum class Access {
        Create,   ///< a new file, which must not exist
        Write,    ///< one that exists
        Immutable ///< one that nobody writes to: nothing is locked, made or recovered beside it
    };
    /// `shown` is what errors call the file.
    Database(const std::filesystem::path& file, Access access, std::string shown);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Does what the statements say; what they answer is passed over.
    void run(const std::string& statements);
    /// One statement with its parameters, which is kept for the next time.
    void run(const std::string& statement, const Row& parameters);
    /// The first cell that the statement answers with, a whole number.
    [[nodiscard]] std::int64_t whole(const std::string& statement);
    /// `into` is `INSERT INTO table(columns)`. Many rows in one go, several times faster than one by one.
    void insert(const std::string& into, std::size_t rows, std::size_t columns, const FillRow& fill);
    /// Takes back what has not been committed; no error where there is nothing.
    void rollBack() noexcept;

    struct Fresh; ///< the rows that are being inserted, as a table; see database_rows.h

private:
    friend class Query;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    [[nodiscard]] Statement prepare(const std::string& statement, unsigned flags = 0) const;
    [[nodiscard]] sqlite3_stmt* kept(const std::string& statement);
    static void bind(sqlite3_stmt* statement, const Row& parameters);
    void finish(sqlite3_stmt* statement);
    [[noreturn]] void fail(int code) const;

    std::string shown_;
    std::unique_ptr<Fresh> fresh_;
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> database_;
    std::map<std::string, Statement, std::less<>> kept_; ///< goes before the database does
};

/// The answer to a statement, row by row.
class Query {
public:
    Query(const Database& database, const std::string& statement, const Row& parameters = {});

    /// Goes to the next row; false after the last.
    [[nodiscard]] bool next();
    /// The row as it is stored; texts stay until next().
    void read(Row& row) const;

private:
    const Database& database_;
    Database::Statement statement_;
};

} // namespace lab
