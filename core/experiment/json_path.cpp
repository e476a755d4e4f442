#include "core/experiment/json_path.h"

#include "core/experiment/json_text.h"
#include "core/record/number_text.h"

#include <charconv>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

namespace lab {
namespace {

using Step = std::variant<std::string_view, std::size_t>; ///< a key or an index
using Steps = std::vector<Step>;

/// `a.b[2]` in steps; nothing where it is no path.
std::optional<Steps> stepsOf(std::string_view path)
{
    Steps steps;
    while (!path.empty()) {
        if (path.front() == '[' && !steps.empty()) {
            std::size_t index = 0;
            const char* end = path.data() + path.size();
            const auto [rest, error] = std::from_chars(path.data() + 1, end, index);
            if (error != std::errc{} || rest == end || *rest != ']') {
                return {};
            }
            steps.emplace_back(index);
            path.remove_prefix(static_cast<std::size_t>(rest - path.data()) + 1);
            continue;
        }
        if (!steps.empty()) {
            if (path.front() != '.') {
                return {};
            }
            path.remove_prefix(1);
        }
        const std::string_view key = path.substr(0, path.find_first_of(".["));
        if (key.empty()) {
            return {};
        }
        steps.emplace_back(key);
        path.remove_prefix(key.size());
    }
    return steps.empty() ? std::nullopt : std::optional(std::move(steps));
}

const JsonValue* follow(const JsonValue& value, Step step)
{
    if (const auto* key = std::get_if<std::string_view>(&step)) {
        return value.member(*key);
    }
    const JsonValue::List* list = value.list();
    const std::size_t index = std::get<std::size_t>(step);
    return list != nullptr && index < list->size() ? &(*list)[index] : nullptr;
}

std::string shown(const std::string& path) { return path.empty() ? "the experiment" : path; }

} // namespace

Located locate(const JsonValue& root, std::string_view path)
{
    Located found{&root, path.empty()};
    const std::optional<Steps> steps = stepsOf(path);
    if (!steps) {
        return found;
    }
    for (const Step step : *steps) {
        const JsonValue* next = follow(*found.value, step);
        if (next == nullptr) {
            return {found.value, false};
        }
        found.value = next;
    }
    return {found.value, true};
}

bool isWithinPath(std::string_view path, std::string_view outer)
{
    return path.starts_with(outer)
        && (path.size() == outer.size() || outer.empty() || path[outer.size()] == '.'
            || path[outer.size()] == '[');
}

std::optional<std::string> put(JsonValue& root, std::string_view path, JsonValue value)
{
    const std::optional<Steps> steps = stepsOf(path);
    if (!steps) {
        return "is no path; write it like strategy.kind or cluster.nodes[2].slowdown";
    }
    JsonValue* place = &root;
    std::string so_far;
    for (const Step step : *steps) {
        if (const auto* key = std::get_if<std::string_view>(&step)) {
            if (place->isNull()) {
                *place = {JsonValue::Object{}, 0};
            }
            auto* object = std::get_if<JsonValue::Object>(&place->value);
            if (object == nullptr) {
                return shown(so_far) + " is " + describe(*place) + ", not an object: it has no "
                    + jsonExcerpt(*key);
            }
            JsonValue* next = nullptr;
            for (JsonMember& member : *object) {
                next = member.key == *key ? &member.value : next;
            }
            if (next == nullptr) {
                next = &object->emplace_back(JsonMember{std::string(*key), 0, {}}).value;
            }
            place = next;
            so_far = memberPath(so_far, *key);
            continue;
        }
        const std::size_t index = std::get<std::size_t>(step);
        auto* list = std::get_if<JsonValue::List>(&place->value);
        if (list == nullptr) {
            return so_far + " is " + describe(*place) + ", not a list";
        }
        if (index >= list->size()) {
            return so_far + " has no item " + numberText(index)
                + (list->empty() ? ": it is empty" : "; allowed: 0 to " + numberText(list->size() - 1));
        }
        place = &(*list)[index];
        so_far = itemPath(so_far, index);
    }
    *place = std::move(value);
    return {};
}

} // namespace lab
