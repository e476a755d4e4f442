#include "core/experiment/json_tree.h"

#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_deepest = 64;
constexpr std::size_t k_most_values = 1'000'000;
constexpr std::size_t k_longest_excerpt = 40;

/// Where the parser stands in the text; shared by all copies of the iterator below.
struct Cursor {
    std::string_view text;
    std::size_t read = 0;
    int line = 1; ///< of the character that comes next

    /// The line of the token that was read last. A number ends only at the character after it, which the parser puts
    /// back: a line end there does not count.
    [[nodiscard]] int tokenLine() const { return read > 0 && text[read - 1] == '\n' ? line - 1 : line; }
};

/// Walks over the text and counts its lines.
class LineCountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineCountingIterator() = default;
    explicit LineCountingIterator(Cursor* cursor) : cursor_(cursor) {}

    reference operator*() const { return cursor_->text[cursor_->read]; }
    LineCountingIterator& operator++()
    {
        cursor_->line += cursor_->text[cursor_->read] == '\n' ? 1 : 0;
        ++cursor_->read;
        return *this;
    }
    LineCountingIterator operator++(int)
    {
        LineCountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const LineCountingIterator& other) const { return atEnd() == other.atEnd(); }
    bool operator!=(const LineCountingIterator& other) const { return !(*this == other); }

private:
    [[nodiscard]] bool atEnd() const { return cursor_ == nullptr || cursor_->read == cursor_->text.size(); }
    Cursor* cursor_ = nullptr;
};

/// The parser's own words without its prefix and position, long excerpts cut.
std::string parserWords(std::string words)
{
    constexpr std::string_view k_prefix = "syntax error ";
    constexpr std::string_view k_excerpt = "last read: '";
    const std::size_t prefix = words.find(k_prefix);
    words.erase(0, prefix != std::string::npos ? prefix + k_prefix.size() : words.find("] ") + 2);
    if (const std::size_t found = words.find(k_excerpt); found != std::string::npos) {
        const std::size_t first = found + k_excerpt.size();
        const std::size_t last = std::min(words.rfind("'; expected"), words.size() - 1);
        if (last > first + k_longest_excerpt) {
            words.replace(first, last - first - k_longest_excerpt, "...");
        }
    }
    // An excerpt may begin in the middle of a character, and a broken text need not hold characters at all.
    std::ranges::replace_if(
        words, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; }, '?');
    return words;
}

/// Builds the tree from the parser's events.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit TreeBuilder(const Cursor& cursor) : cursor_(cursor) {}

    bool null() override { return add(JsonValue::Null{}); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return add(static_cast<std::int64_t>(value));
        }
        return add(static_cast<double>(value));
    }
    bool number_float(number_float_t value, const string_t& /*digits*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*members*/) override { return open(JsonValue::Object{}); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*items*/) override { return open(JsonValue::List{}); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override
    {
        Open& object = open_.back();
        object.key = std::move(name);
        object.key_line = cursor_.tokenLine();
        if (!object.keys.insert(object.key).second) {
            problems_.push_back({path(), "stands here twice; every key may be given once", object.key_line});
        }
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::json::exception& error) override
    {
        const std::string what = error.what();
        if (what.find("ill-formed UTF-8") != std::string::npos) {
            return fail("is not UTF-8 text");
        }
        return fail("broken JSON: " + parserWords(what));
    }

    [[nodiscard]] JsonDocument result() && { return {std::move(root_), std::move(problems_)}; }

private:
    struct Open {
        JsonValue value;
        std::string key; ///< of the member that is being read
        int key_line = 0;
        std::unordered_set<std::string> keys;
    };

    bool fail(std::string what)
    {
        problems_.push_back({{}, std::move(what), cursor_.tokenLine()});
        return false;
    }

    /// The path of what is being read.
    [[nodiscard]] std::string path() const
    {
        std::string path;
        for (const Open& one : open_) {
            const JsonValue::List* list = one.value.list();
            path = list != nullptr ? itemPath(path, list->size()) : memberPath(path, one.key);
        }
        return path;
    }

    template <class Value> bool add(Value value) { return put({std::move(value), cursor_.tokenLine()}); }

    bool put(JsonValue value)
    {
        if (++values_ > k_most_values) {
            return fail("holds more than a million values");
        }
        if (open_.empty()) {
            root_ = std::move(value);
            return true;
        }
        Open& parent = open_.back();
        if (auto* list = std::get_if<JsonValue::List>(&parent.value.value)) {
            list->push_back(std::move(value));
        } else {
            std::get<JsonValue::Object>(parent.value.value)
                .push_back({std::move(parent.key), parent.key_line, std::move(value)});
        }
        return true;
    }

    template <class Container> bool open(Container empty)
    {
        if (open_.size() == k_deepest) {
            return fail("nests deeper than 64 levels");
        }
        open_.push_back({{std::move(empty), cursor_.tokenLine()}, {}, 0, {}});
        return true;
    }

    bool close()
    {
        JsonValue value = std::move(open_.back().value);
        open_.pop_back();
        return put(std::move(value));
    }

    const Cursor& cursor_;
    std::vector<Open> open_;
    std::optional<JsonValue> root_;
    std::vector<Problem> problems_;
    std::size_t values_ = 0;
};

} // namespace

const JsonValue* JsonValue::member(std::string_view key) const
{
    if (const Object* members = object()) {
        for (const JsonMember& one : *members) {
            if (one.key == key) {
                return &one.value;
            }
        }
    }
    return nullptr;
}

JsonDocument parseJson(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return {{}, {{{}, "is empty; an experiment is a JSON object", 1}}};
    }
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
        return {{}, {{{}, "is not UTF-8 text: it holds a zero byte", static_cast<int>(line)}}};
    }
    Cursor cursor{text, 0, 1};
    TreeBuilder builder(cursor);
    const bool is_whole =
        nlohmann::json::sax_parse(LineCountingIterator(&cursor), LineCountingIterator(), &builder);
    JsonDocument document = std::move(builder).result();
    if (!is_whole) {
        document.root.reset();
    }
    return document;
}

std::string memberPath(const std::string& object, std::string_view key)
{
    constexpr std::string_view k_plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (key.empty() || key.size() > 60 || key.find_first_not_of(k_plain) != std::string_view::npos) {
        return object + '[' + jsonExcerpt(key) + ']';
    }
    return object.empty() ? std::string(key) : object + '.' + std::string(key);
}

std::string itemPath(const std::string& list, std::size_t index)
{
    return list + '[' + numberText(index) + ']';
}

std::string jsonText(const JsonValue& value)
{
    struct Text {
        std::string operator()(JsonValue::Null) const { return "null"; }
        std::string operator()(bool is_true) const { return is_true ? "true" : "false"; }
        std::string operator()(std::int64_t whole) const { return numberText(whole); }
        std::string operator()(double number) const { return numberText(number); }
        std::string operator()(const std::string& text) const { return jsonString(text); }
        std::string operator()(const JsonValue::List& items) const
        {
            std::string text = "[";
            for (const JsonValue& item : items) {
                text += (text.size() > 1 ? ", " : "") + jsonText(item);
            }
            return text + ']';
        }
        std::string operator()(const JsonValue::Object& members) const
        {
            JsonLine line;
            for (const JsonMember& member : members) {
                line.raw(member.key, jsonText(member.value));
            }
            return line.done();
        }
    };
    return std::visit(Text{}, value.value);
}

std::string describe(const JsonValue& value)
{
    struct Words {
        std::string operator()(JsonValue::Null) const { return "null"; }
        std::string operator()(bool is_true) const { return is_true ? "true" : "false"; }
        std::string operator()(std::int64_t whole) const { return numberText(whole); }
        std::string operator()(double number) const { return numberText(number); }
        std::string operator()(const std::string& text) const { return jsonExcerpt(text); }
        std::string operator()(const JsonValue::List& /*items*/) const { return "a list"; }
        std::string operator()(const JsonValue::Object& /*members*/) const { return "an object"; }
    };
    return std::visit(Words{}, value.value);
}

} // namespace lab
