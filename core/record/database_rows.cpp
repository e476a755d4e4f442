#include "core/record/database_rows.h"

#include <sqlite3.h>

#include <memory>
#include <new>
#include <string>

namespace lab {
namespace {

struct FreshTable : sqlite3_vtab {
    Database::Fresh* source = nullptr;
};

struct FreshCursor : sqlite3_vtab_cursor {
    const Database::Fresh* source = nullptr;
    std::size_t at = 0;
    Row row;

    void look()
    {
        if (at < source->rows) {
            row.clear();
            (*source->fill)(at, row);
        }
    }
};

int connectTo(sqlite3* database, void* source, int /*argc*/, const char* const* /*argv*/, sqlite3_vtab** made,
              char** /*error*/)
{
    std::string declaration = "CREATE TABLE fresh(";
    for (std::size_t i = 0; i < Database::Fresh::k_columns; ++i) {
        declaration += (i == 0 ? "c" : ", c") + std::to_string(i);
    }
    const int code = sqlite3_declare_vtab(database, (declaration + ')').c_str());
    if (code == SQLITE_OK) {
        auto table = std::make_unique<FreshTable>();
        table->source = static_cast<Database::Fresh*>(source);
        *made = table.release();
    }
    return code;
}

int disconnect(sqlite3_vtab* table)
{
    const std::unique_ptr<FreshTable> gone(static_cast<FreshTable*>(table));
    return SQLITE_OK;
}

int chooseIndex(sqlite3_vtab* /*table*/, sqlite3_index_info* /*info*/) { return SQLITE_OK; }

int openCursor(sqlite3_vtab* table, sqlite3_vtab_cursor** made)
{
    auto cursor = std::make_unique<FreshCursor>();
    cursor->source = static_cast<FreshTable*>(table)->source;
    *made = cursor.release();
    return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor* cursor)
{
    const std::unique_ptr<FreshCursor> gone(static_cast<FreshCursor*>(cursor));
    return SQLITE_OK;
}

int toFirst(sqlite3_vtab_cursor* base, int /*index*/, const char* /*name*/, int /*argc*/,
            sqlite3_value** /*argv*/)
{
    auto& cursor = *static_cast<FreshCursor*>(base);
    cursor.at = 0;
    cursor.look();
    return SQLITE_OK;
}

int toNext(sqlite3_vtab_cursor* base)
{
    auto& cursor = *static_cast<FreshCursor*>(base);
    ++cursor.at;
    cursor.look();
    return SQLITE_OK;
}

int isAtEnd(sqlite3_vtab_cursor* base)
{
    const auto& cursor = *static_cast<FreshCursor*>(base);
    return cursor.at >= cursor.source->rows ? 1 : 0;
}

int giveCell(sqlite3_vtab_cursor* base, sqlite3_context* result, int column)
{
    const Row::Cell& cell = static_cast<FreshCursor*>(base)->row[static_cast<std::size_t>(column)];
    switch (cell.kind) {
    case Row::Kind::Null:
        sqlite3_result_null(result);
        break;
    case Row::Kind::Whole:
        sqlite3_result_int64(result, cell.whole);
        break;
    case Row::Kind::Real:
        sqlite3_result_double(result, cell.real);
        break;
    case Row::Kind::Text:
        sqlite3_result_text64(result, cell.text.data(), cell.text.size(), SQLITE_STATIC, SQLITE_UTF8);
        break;
    }
    return SQLITE_OK;
}

int giveNumber(sqlite3_vtab_cursor* base, sqlite3_int64* number)
{
    *number = static_cast<sqlite3_int64>(static_cast<FreshCursor*>(base)->at);
    return SQLITE_OK;
}

sqlite3_module makeModule()
{
    sqlite3_module module{};
    module.xConnect = connectTo; // and no xCreate: the table is there by its name alone
    module.xBestIndex = chooseIndex;
    module.xDisconnect = disconnect;
    module.xOpen = openCursor;
    module.xClose = closeCursor;
    module.xFilter = toFirst;
    module.xNext = toNext;
    module.xEof = isAtEnd;
    module.xColumn = giveCell;
    module.xRowid = giveNumber;
    return module;
}

const sqlite3_module k_module = makeModule();

} // namespace

int Database::Fresh::attach(sqlite3* database)
{
    return sqlite3_create_module_v2(database, "fresh", &k_module, this, nullptr);
}

} // namespace lab
