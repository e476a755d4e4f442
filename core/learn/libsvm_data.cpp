#include "core/learn/data_formats.h"
#include "core/learn/labels.h"
#include "core/learn/numbers.h"

#include <algorithm>
#include <charconv>

namespace lab {
namespace {

struct Entry {
    std::size_t row;
    std::size_t column;
    float value;
};

/// Takes the next word, up to a space or tab, off the front of `text`; empty at its end.
std::string_view takeWord(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

/// Reads the lines one by one; the table is made at the end, when its width is known.
class LibsvmReader {
public:
    explicit LibsvmReader(const std::string& file) : file_(file) {}

    void addLine(std::string_view text)
    {
        ++line_;
        text = text.substr(0, text.find('#'));
        if (text.ends_with('\r')) {
            text.remove_suffix(1);
        }
        const std::string_view label = takeWord(text);
        if (label.empty()) {
            return;
        }
        labels_.push_back(require(parseFeature(label), "the label"));
        std::size_t last_index = 0;
        for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
            last_index = addEntry(word, last_index);
        }
        width_ = std::max(width_, last_index);
    }

    [[nodiscard]] Dataset finish() const
    {
        checkShape(file_, labels_.size(), width_);
        Dataset data;
        data.x = Dataset::Features::Zero(static_cast<Eigen::Index>(labels_.size()),
                                         static_cast<Eigen::Index>(width_));
        for (const Entry& entry : entries_) {
            data.x(static_cast<Eigen::Index>(entry.row), static_cast<Eigen::Index>(entry.column)) =
                entry.value;
        }
        setLabels(data, file_, labels_);
        return data;
    }

private:
    /// Adds one `index:value` and returns the index.
    std::size_t addEntry(std::string_view word, std::size_t last_index)
    {
        const std::size_t colon = word.find(':');
        std::size_t index = 0;
        const char* index_end = word.data() + std::min(colon, word.size());
        const auto [end, error] = std::from_chars(word.data(), index_end, index);
        if (colon == std::string_view::npos || error != std::errc() || end != index_end) {
            failAtLine(file_, line_, inQuotes(word) + " is not of the form index:value");
        }
        if (index <= last_index) {
            failAtLine(file_, line_,
                       "index " + std::to_string(index)
                           + (index == 0
                                  ? "; indices start at 1"
                                  : " after " + std::to_string(last_index) + "; sort them, each once"));
        }
        const double value = require(parseFeature(word.substr(colon + 1)), "index " + std::to_string(index));
        entries_.push_back({labels_.size() - 1, index - 1, static_cast<float>(value)});
        return index;
    }

    [[nodiscard]] double require(const Number& number, const std::string& subject) const
    {
        if (const auto* wrong = std::get_if<std::string>(&number)) {
            failAtLine(file_, line_, subject + " " + *wrong);
        }
        return std::get<double>(number);
    }

    const std::string& file_;
    std::size_t line_ = 0;
    std::size_t width_ = 0;
    std::vector<double> labels_;
    std::vector<Entry> entries_;
};

} // namespace

Dataset readLibsvm(const FileContent& file)
{
    LibsvmReader reader(file.name);
    std::string_view rest = file.bytes;
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        reader.addLine(line);
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return reader.finish();
}

} // namespace lab
