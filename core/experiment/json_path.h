#pragma once

#include "core/experiment/json_tree.h"

#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// What stands nearest to a path: the value itself, or the innermost value on the way to it.
struct Located {
    const JsonValue* value = nullptr;
    bool is_exact = false;
};

/// Follows a path such as `cluster.nodes[3].slowdown` as far as the tree goes.
[[nodiscard]] Located locate(const JsonValue& root, std::string_view path);

/// Whether a path is `outer` or leads to something inside it; an empty path is everything.
[[nodiscard]] bool isWithinPath(std::string_view path, std::string_view outer);

/// Puts `value` at the path, making the objects on the way where they are missing or null.
/// Returns what prevents it, if anything does: a path that is none, a step into a plain value, an index out of range.
[[nodiscard]] std::optional<std::string> put(JsonValue& root, std::string_view path, JsonValue value);

} // namespace lab
