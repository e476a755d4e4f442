#include "core/learn/csv_reader.h"
#include "core/learn/data_formats.h"
#include "core/learn/labels.h"
#include "core/learn/numbers.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lab {
namespace {

using Fields = std::vector<std::string>;

bool isNumber(std::string_view text) { return std::holds_alternative<double>(parseNumber(text)); }

std::string columnName(std::size_t column) { return "column " + std::to_string(column); }

/// The column that a `label` other than first, last or a name means.
std::optional<std::size_t> numberedColumn(const std::string& label, std::size_t columns)
{
    std::size_t column = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), column);
    if (error != std::errc() || end != label.data() + label.size() || column >= columns) {
        return std::nullopt;
    }
    return column;
}

/// Finds the label column; `is_named` says that the first record has to be a header for that.
std::size_t findLabelColumn(const CsvReader& reader, const Fields& first, const std::string& label,
                            bool& is_named)
{
    is_named = false;
    if (label == "first") {
        return 0;
    }
    if (label == "last") {
        return first.size() - 1;
    }
    // A number is a place even where it stands in the first record too, which may be data.
    if (const auto numbered = numberedColumn(label, first.size())) {
        return *numbered;
    }
    const auto is_label = [&label](const std::string& field) { return trimmed(field) == label; };
    const auto matches = std::count_if(first.begin(), first.end(), is_label);
    if (matches > 1) {
        failAtLine(reader.file(), reader.line(),
                   std::to_string(matches) + " columns are called " + inQuotes(label)
                       + "; give the column's number");
    }
    if (matches == 0) {
        failAtLine(reader.file(), reader.line(),
                   "no label column " + inQuotes(label)
                       + "; use first, last, a name in the first line or a number from 0 to "
                       + std::to_string(first.size() - 1));
    }
    is_named = true;
    return static_cast<std::size_t>(std::find_if(first.begin(), first.end(), is_label) - first.begin());
}

/// Whether the fields but the label's count 0, 1, 2 … or 1, 2, 3 …, as programs name columns that have no names.
bool isCounting(const Fields& fields, std::size_t label)
{
    std::optional<double> last;
    for (std::size_t column = 0; column < fields.size(); ++column) {
        if (column == label) {
            continue;
        }
        const Number number = parseNumber(fields[column]);
        const double* value = std::get_if<double>(&number);
        if (value == nullptr || (last ? *value != *last + 1 : *value != 0 && *value != 1)) {
            return false;
        }
        last = *value;
    }
    return true;
}

/// Whether the first record names the columns: no feature in it is a number, or they count and only the label's name is
/// none. A record with some other numbers is data, so that a typing error in it is not mistaken for a header.
bool isHeader(const Fields& first, const Fields& second, std::size_t label)
{
    std::size_t numbers = 0;
    for (std::size_t column = 0; column < first.size(); ++column) {
        numbers += column != label && isNumber(first[column]) ? 1 : 0;
    }
    return numbers == 0
        || (label < second.size() && !isNumber(first[label]) && isNumber(second[label])
            && isCounting(first, label));
}

/// Collects the rows of one file.
class Table {
public:
    Table(const CsvReader& reader, std::size_t columns, std::size_t label)
        : reader_(reader),
          columns_(columns),
          label_(label)
    {
    }

    void add(const Fields& fields)
    {
        if (fields.size() != columns_) {
            failAtLine(reader_.file(), reader_.line(),
                       std::to_string(fields.size()) + " fields where the first line has "
                           + std::to_string(columns_) + "; give every line the same number");
        }
        checkShape(reader_.file(), rows_ + 1, columns_ - 1);
        for (std::size_t column = 0; column < columns_; ++column) {
            if (column != label_) {
                values_.push_back(static_cast<float>(require(parseFeature(fields[column]), column)));
            }
        }
        addLabel(trimmed(fields[label_]));
        ++rows_;
    }

    [[nodiscard]] Dataset finish() const
    {
        Dataset data;
        checkShape(reader_.file(), rows_, columns_ - 1);
        data.x = Eigen::Map<const Dataset::Features>(values_.data(), static_cast<Eigen::Index>(rows_),
                                                     static_cast<Eigen::Index>(columns_ - 1));
        if (texts_.empty()) {
            setLabels(data, reader_.file(), numbers_);
        } else {
            setLabels(data, reader_.file(), texts_);
        }
        return data;
    }

private:
    [[nodiscard]] double require(const Number& number, std::size_t column) const
    {
        if (const auto* wrong = std::get_if<std::string>(&number)) {
            failAtLine(reader_.file(), reader_.line(), columnName(column) + " " + *wrong);
        }
        return std::get<double>(number);
    }

    /// The first label says whether they are numbers or texts; a mixture is more likely an error than meant.
    void addLabel(std::string_view text)
    {
        if (text.empty()) {
            failAtLine(reader_.file(), reader_.line(),
                       columnName(label_) + " (the label) is empty; fill it in");
        }
        if (rows_ == 0) {
            are_texts_ = !isNumber(text);
        }
        if (!are_texts_) {
            numbers_.push_back(require(parseFeature(text), label_));
            return;
        }
        if (isNumber(text)) {
            failAtLine(reader_.file(), reader_.line(),
                       columnName(label_) + " (the label) is the number " + inQuotes(text)
                           + " where the first row has a text; use only numbers or only texts");
        }
        texts_.emplace_back(text);
    }

    const CsvReader& reader_;
    std::size_t columns_;
    std::size_t label_;
    std::size_t rows_ = 0;
    bool are_texts_ = false;
    std::vector<float> values_;
    std::vector<double> numbers_;
    std::vector<std::string> texts_;
};

} // namespace

Dataset readCsv(const FileContent& file, const std::string& label)
{
    CsvReader reader(file.bytes, file.name);
    Fields first;
    if (!reader.next(first)) {
        failAtLine(file.name, 1, "only empty lines; give at least one row");
    }
    if (first.size() < 2) {
        const bool has_other_separator = first.front().find_first_of(";\t") != std::string::npos;
        failAtLine(file.name, reader.line(),
                   std::string("one column only, but a label and a feature are needed")
                       + (has_other_separator ? "; separate the fields by commas" : ""));
    }
    bool is_named = false;
    const std::size_t label_column = findLabelColumn(reader, first, label, is_named);

    CsvReader ahead = reader;
    Fields second;
    const bool has_second = ahead.next(second);
    Table table(reader, first.size(), label_column);
    if (!is_named && !isHeader(first, second, label_column)) {
        table.add(first);
    } else if (!has_second) {
        failAtLine(file.name, reader.line(), "a header and no rows below it");
    }
    Fields fields;
    while (reader.next(fields)) {
        table.add(fields);
    }
    return table.finish();
}

} // namespace lab
