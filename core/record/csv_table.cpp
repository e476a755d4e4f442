#include "core/record/csv_table.h"

namespace lab {

std::string csvCell(std::string_view text)
{
    const bool has_outer_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (!has_outer_space && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string cell = "\"";
    for (const char byte : text) {
        cell.append(byte == '"' ? 2 : 1, byte);
    }
    return cell + '"';
}

} // namespace lab
