#include "core/learn/csv_reader.h"

#include "core/learn/file_content.h"

#include <algorithm>

namespace lab {

CsvReader::CsvReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file))
{
    if (rest_.starts_with("\xff\xfe") || rest_.starts_with("\xfe\xff")) {
        failAtLine(file_, 1, "the text is UTF-16; save it as UTF-8");
    }
    if (rest_.starts_with("\xef\xbb\xbf")) {
        rest_.remove_prefix(3);
    }
}

bool CsvReader::next(std::vector<std::string>& fields)
{
    while (!rest_.empty() && isAtLineEnd()) {
        skipLineEnd();
    }
    if (rest_.empty()) {
        return false;
    }
    record_line_ = line_;
    std::size_t count = 0;
    for (bool is_last = false; !is_last; ++count) {
        if (count == fields.size()) {
            fields.emplace_back();
        }
        fields[count].clear();
        if (rest_.starts_with('"')) {
            readQuoted(fields[count]);
        } else {
            readPlain(fields[count]);
        }
        is_last = !rest_.starts_with(',');
        if (!is_last) {
            rest_.remove_prefix(1);
        }
    }
    skipLineEnd();
    fields.resize(count);
    return true;
}

bool CsvReader::isAtLineEnd() const { return rest_.starts_with('\n') || rest_.starts_with("\r\n"); }

void CsvReader::skipLineEnd()
{
    if (!rest_.empty()) {
        rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
        ++line_;
    }
}

void CsvReader::readQuoted(std::string& field)
{
    const std::size_t opened_at = line_;
    rest_.remove_prefix(1);
    for (;;) {
        const std::size_t quote = rest_.find('"');
        if (quote == std::string_view::npos) {
            failAtLine(file_, opened_at, "a quote is opened and never closed; add the closing quote");
        }
        field.append(rest_.substr(0, quote));
        line_ += static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + quote, '\n'));
        rest_.remove_prefix(quote + 1);
        if (!rest_.starts_with('"')) {
            break;
        }
        field.push_back('"'); // two quotes stand for one
        rest_.remove_prefix(1);
    }
    if (!rest_.empty() && !rest_.starts_with(',') && !isAtLineEnd()) {
        failAtLine(file_, line_, "text after a closing quote; double the quotes inside a field");
    }
}

void CsvReader::readPlain(std::string& field)
{
    std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
    if (end < rest_.size() && rest_[end] == '\n' && end > 0 && rest_[end - 1] == '\r') {
        --end;
    }
    field.assign(rest_.substr(0, end));
    if (field.find('"') != std::string::npos) {
        failAtLine(file_, line_,
                   "a quote inside an unquoted field; put the whole field in quotes and double it");
    }
    rest_.remove_prefix(end);
}

} // namespace lab
