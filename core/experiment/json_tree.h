#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lab {

struct JsonMember;

/// A JSON value that knows where in its file it stands.
struct JsonValue {
    struct Null {};
    using List = std::vector<JsonValue>;
    using Object = std::vector<JsonMember>; ///< in the order of the file; every key once

    std::variant<Null, bool, std::int64_t, double, std::string, List, Object> value;
    int line = 0; ///< where it begins, counted from 1; 0: not from the file but from --set

    [[nodiscard]] bool isNull() const { return std::holds_alternative<Null>(value); }
    [[nodiscard]] bool isSet() const { return line == 0; }
    [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value); }
    [[nodiscard]] const List* list() const { return std::get_if<List>(&value); }
    [[nodiscard]] const Object* object() const { return std::get_if<Object>(&value); }
    /// The object's value for the key; null where this is no object or has no such key.
    [[nodiscard]] const JsonValue* member(std::string_view key) const;
};

/// One key of an object.
struct JsonMember {
    std::string key;
    int line = 0;
    JsonValue value;
};

/// What became of a JSON text: a tree without problems, or problems and perhaps a tree.
struct JsonDocument {
    std::optional<JsonValue> root; ///< nothing where the text is broken
    std::vector<Problem> problems;
};

/// Reads JSON text strictly: UTF-8 with or without a byte order mark, every key once, at most 64 levels and a million
/// values. Safe with any bytes.
[[nodiscard]] JsonDocument parseJson(std::string_view text);

/// The path of an object's member: `cluster` and `nodes` give `cluster.nodes`; odd keys are quoted.
[[nodiscard]] std::string memberPath(const std::string& object, std::string_view key);
/// The path of a list's item: `cluster.nodes` and 3 give `cluster.nodes[3]`.
[[nodiscard]] std::string itemPath(const std::string& list, std::size_t index);

/// The value as JSON text on one line, which parseJson() reads back to an equal value.
[[nodiscard]] std::string jsonText(const JsonValue& value);

/// The value in a few words for a message: `-3`, `"abc"`, `a list`.
[[nodiscard]] std::string describe(const JsonValue& value);

} // namespace lab
