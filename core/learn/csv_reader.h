#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// Reads the records of a CSV text one by one: RFC 4180 with quotes, lines that end in LF or CRLF, a byte-order mark
/// allowed, empty lines skipped. Knows nothing of numbers.
class CsvReader {
public:
    /// `text` must outlive the reader; `file` is for errors. Throws Error where the text is UTF-16.
    CsvReader(std::string_view text, std::string file);

    /// Puts the next record into `fields`, reusing their memory; false at the end.
    /// Throws Error where quotes are misplaced or do not end.
    [[nodiscard]] bool next(std::vector<std::string>& fields);

    /// The line on which the last record began, from 1.
    [[nodiscard]] std::size_t line() const { return record_line_; }
    [[nodiscard]] const std::string& file() const { return file_; }

private:
    [[nodiscard]] bool isAtLineEnd() const;
    void skipLineEnd();
    void readQuoted(std::string& field);
    void readPlain(std::string& field);

    std::string_view rest_;
    std::string file_;
    std::size_t line_ = 1;
    std::size_t record_line_ = 0;
};

} // namespace lab
