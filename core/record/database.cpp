#include "core/record/database.h"

#include "core/record/database_rows.h"

#include <sqlite3.h>

#include <system_error>
#include <utility>

namespace lab {
namespace {

/// How long another program that writes to the file is waited for.
constexpr int k_patience_ms = 5000;

/// A path as SQLite's URI: everything that could mean something in it is written by its number.
std::string immutableUri(const std::filesystem::path& file)
{
    static constexpr char k_hex[] = "0123456789ABCDEF";
    std::string uri = "file://";
    for (const char byte : std::filesystem::absolute(file).string()) {
        const auto code = static_cast<unsigned char>(byte);
        const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
            || (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '-' || byte == '_';
        if (is_plain) {
            uri += byte;
        } else {
            uri += {'%', k_hex[code >> 4U], k_hex[code & 15U]};
        }
    }
    return uri + "?immutable=1";
}

int flagsFor(Database::Access access)
{
    switch (access) {
    case Database::Access::Create:
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE;
    case Database::Access::Write:
        return SQLITE_OPEN_READWRITE;
    case Database::Access::Immutable:
        break;
    }
    return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
}

bool isDamage(int code)
{
    const int kind = code & 0xff;
    // A statement that is right for our tables and wrong for these: they are not ours.
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR || kind == SQLITE_SCHEMA
        || code == SQLITE_IOERR_SHORT_READ;
}

} // namespace

void Database::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::filesystem::path& file, Access access, std::string shown)
    : shown_(std::move(shown)),
      fresh_(std::make_unique<Fresh>())
{
    // Without "./" a name such as ":memory:" would be no file.
    const std::string name = access == Access::Immutable ? immutableUri(file)
        : file.is_relative()                             ? "./" + file.string()
                                                         : file.string();
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &opened, flagsFor(access) | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) {
        fail(code);
    }
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, k_patience_ms);
    if (const int attached = fresh_->attach(opened); attached != SQLITE_OK) {
        fail(attached);
    }
}

Database::~Database()
{
    kept_.clear();
    database_.reset();
}

void Database::fail(int code) const
{
    std::string why = sqlite3_errstr(code & 0xff);
    if (database_ != nullptr && sqlite3_errcode(database_.get()) != SQLITE_OK) {
        why = sqlite3_errmsg(database_.get());
    }
    const int kind = code & 0xff;
    const int system = database_ != nullptr ? sqlite3_system_errno(database_.get()) : 0;
    if (kind == SQLITE_FULL) {
        why = "no space is left for it on the disk";
    } else if ((kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN) && system != 0) {
        why = std::generic_category().message(system);
    }
    if (isDamage(code)) {
        throw DamagedFile(shown_ + ": " + why);
    }
    throw Error(shown_ + ": " + why);
}

Database::Statement Database::prepare(const std::string& statement, unsigned flags) const
{
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(database_.get(), statement.c_str(),
                                        static_cast<int>(statement.size() + 1), flags, &prepared, nullptr);
    if (code != SQLITE_OK) {
        fail(code);
    }
    return Statement(prepared);
}

sqlite3_stmt* Database::kept(const std::string& statement)
{
    auto found = kept_.find(statement);
    if (found == kept_.end()) {
        found = kept_.emplace(statement, prepare(statement, SQLITE_PREPARE_PERSISTENT)).first;
    }
    return found->second.get();
}

void Database::bind(sqlite3_stmt* statement, const Row& parameters)
{
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Row::Cell& cell = parameters[i];
        const int place = static_cast<int>(i) + 1;
        switch (cell.kind) {
        case Row::Kind::Null:
            sqlite3_bind_null(statement, place);
            break;
        case Row::Kind::Whole:
            sqlite3_bind_int64(statement, place, cell.whole);
            break;
        case Row::Kind::Real:
            sqlite3_bind_double(statement, place, cell.real);
            break;
        case Row::Kind::Text:
            sqlite3_bind_text64(statement, place, cell.text.data(), cell.text.size(), SQLITE_STATIC,
                                SQLITE_UTF8);
            break;
        }
    }
}

void Database::finish(sqlite3_stmt* statement)
{
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) {
        code = sqlite3_step(statement);
    }
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) {
        fail(code);
    }
}

void Database::run(const std::string& statements)
{
    const int code = sqlite3_exec(database_.get(), statements.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        fail(code);
    }
}

void Database::run(const std::string& statement, const Row& parameters)
{
    sqlite3_stmt* prepared = kept(statement);
    bind(prepared, parameters);
    finish(prepared);
}

std::int64_t Database::whole(const std::string& statement)
{
    Query query(*this, statement);
    Row row;
    if (query.next()) {
        query.read(row);
    }
    return row.size() == 1 ? row[0].whole : 0;
}

void Database::insert(const std::string& into, std::size_t rows, std::size_t columns, const FillRow& fill)
{
    LAB_EXPECTS(columns <= Fresh::k_columns);
    if (rows == 0) {
        return;
    }
    std::string statement = into + " SELECT ";
    for (std::size_t i = 0; i < columns; ++i) {
        statement += (i == 0 ? "c" : ", c") + std::to_string(i);
    }
    fresh_->rows = rows;
    fresh_->fill = &fill;
    finish(kept(statement + " FROM fresh"));
}

void Database::rollBack() noexcept
{
    if (sqlite3_get_autocommit(database_.get()) == 0) {
        sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

Query::Query(const Database& database, const std::string& statement, const Row& parameters)
    : database_(database),
      statement_(database.prepare(statement))
{
    Database::bind(statement_.get(), parameters);
}

bool Query::next()
{
    const int code = sqlite3_step(statement_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        database_.fail(code);
    }
    return code == SQLITE_ROW;
}

void Query::read(Row& row) const
{
    row.clear();
    const int columns = sqlite3_column_count(statement_.get());
    for (int column = 0; column < columns; ++column) {
        switch (sqlite3_column_type(statement_.get(), column)) {
        case SQLITE_INTEGER:
            row.whole(sqlite3_column_int64(statement_.get(), column));
            break;
        case SQLITE_FLOAT:
            row.real(sqlite3_column_double(statement_.get(), column));
            break;
        case SQLITE_TEXT: {
            const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
            row.text({bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))});
            break;
        }
        default:
            row.null(); // also a blob, which no table of ours holds
        }
    }
}

} // namespace lab
