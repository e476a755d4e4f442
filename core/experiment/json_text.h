#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lab {

/// Appends `text` as a JSON string, quotes included. Bytes above 127 go through as they are.
void appendJsonString(std::string& json, std::string_view text);

/// `text` as a JSON string, cut after about 60 bytes: for messages.
[[nodiscard]] std::string jsonExcerpt(std::string_view text);

/// `text` as a JSON string.
[[nodiscard]] std::string jsonString(std::string_view text);

/// Appends a JSON number; null where it is not finite.
void appendJsonNumber(std::string& json, double value);

/// Appends a seed: a number below 2^53, else a decimal string.
void appendJsonSeed(std::string& json, std::uint64_t seed);

/// `[a, b]` of things that are JSON text already.
template <class Items, class ToJson> std::string inlineList(const Items& items, ToJson to_json)
{
    std::string list;
    for (const auto& item : items) {
        list += (list.empty() ? "" : ", ") + to_json(item);
    }
    return '[' + list + ']';
}

/// One item on each line, indented; `closing` is the indentation of the bracket.
template <class Items, class ToJson>
std::string tallList(const Items& items, const std::string& closing, ToJson to_json)
{
    if (items.empty()) {
        return "[]";
    }
    std::string list;
    for (const auto& item : items) {
        list += (list.empty() ? "\n" : ",\n") + closing + "  " + to_json(item);
    }
    return '[' + list + '\n' + closing + ']';
}

/// Writes one JSON object on one line, member by member: `{"kind": "mlp", "l2": 0.0001}`.
class JsonLine {
public:
    JsonLine& text(std::string_view key, std::string_view value);
    JsonLine& number(std::string_view key, double value);
    JsonLine& whole(std::string_view key, std::int64_t value);
    JsonLine& toggle(std::string_view key, bool value);
    /// `json` is JSON text already.
    JsonLine& raw(std::string_view key, std::string_view json);
    [[nodiscard]] std::string done() { return line_ + '}'; }

private:
    void open(std::string_view key);
    std::string line_ = "{";
};

/// Writes one JSON object with a member on each line.
class JsonLines {
public:
    /// `indentation` stands before the closing brace.
    explicit JsonLines(std::string indentation = {}) : indentation_(std::move(indentation)) {}

    JsonLines& text(std::string_view key, std::string_view value) { return raw(key, jsonString(value)); }
    JsonLines& number(std::string_view key, double value);
    /// `json` is JSON text already.
    JsonLines& raw(std::string_view key, std::string_view json);
    [[nodiscard]] std::string done() const { return '{' + text_ + '\n' + indentation_ + '}'; }

private:
    std::string indentation_;
    std::string text_;
};

} // namespace lab
