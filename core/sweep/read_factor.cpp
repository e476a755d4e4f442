#include "core/sweep/read_factor.h"

#include "core/experiment/json_text.h"
#include "core/sweep/run_figures.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_longest_label = 100;

/// A name for a table's cell; complains where it is none.
std::optional<std::string> cellName(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    const std::string* text = value.text();
    const auto is_odd = [](char byte) { return static_cast<unsigned char>(byte) < 0x20; };
    if (text == nullptr || text->empty() || text->size() > k_longest_label
        || std::ranges::any_of(*text, is_odd)) {
        complaints.add(value, where, "must be a text of 1 to 100 bytes on one line, not " + describe(value));
        return std::nullopt;
    }
    return *text;
}

/// What stands at a path of the experiment in this value's runs.
void addSetting(const std::string& path, const JsonValue& value, const std::string& where, FactorValue& into,
                Complaints& complaints)
{
    if (path == "seed") {
        complaints.add(value, where, "cannot set the seed: that is what \"seeds\" is for");
    } else if (path == "title" || path == "notes") {
        complaints.add(value, where, "sets only words, which make no difference to a run");
    }
    into.settings.push_back({path, value});
}

std::optional<FactorValue> readValue(const JsonValue& value, const std::string& path,
                                     const std::string& where, Complaints& complaints)
{
    FactorValue read{{}, {}, where, value.line};
    const JsonValue::Object* members = value.object();
    if (members == nullptr) {
        if (value.list() != nullptr) {
            complaints.add(
                value, where,
                "must be a number, a text or an object of paths and values with a label, not a list");
            return std::nullopt;
        }
        read.label = value.text() != nullptr ? *value.text() : describe(value);
        addSetting(path, value, where, read, complaints);
        return read.label.empty() ? std::nullopt : std::optional(std::move(read));
    }
    for (const JsonMember& member : *members) {
        if (member.key == "label") {
            read.label = cellName(member.value, memberPath(where, "label"), complaints).value_or("");
        } else {
            addSetting(member.key, member.value, memberPath(where, member.key), read, complaints);
        }
    }
    if (value.member("label") == nullptr) {
        complaints.add(value, where, "needs a \"label\", which tables show");
    }
    return read.label.empty() ? std::nullopt : std::optional(std::move(read));
}

} // namespace

std::optional<Factor> readFactor(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    ObjectReader object(value, where, complaints);
    if (!object.isObject()) {
        return std::nullopt;
    }
    Factor factor;
    if (const JsonValue* name = object.find("name")) {
        factor.name = cellName(*name, object.pathOf("name"), complaints).value_or("");
        if (isColumnOfRuns(factor.name)) {
            complaints.add(*name, object.pathOf("name"),
                           "cannot be " + describe(*name) + ", which is a column of the results");
        }
    } else {
        complaints.add(value, object.pathOf("name"), "is missing; it is what tables call this factor");
    }
    std::string path = factor.name;
    object.read("path", path);
    const JsonValue* values = object.find("values");
    if (values == nullptr) {
        complaints.add(value, object.pathOf("values"), "is missing; list the values that this factor takes");
    } else if (const JsonValue::List* list = asList(*values, object.pathOf("values"), complaints)) {
        std::set<std::string> labels;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const std::string place = itemPath(object.pathOf("values"), i);
            if (auto read = readValue((*list)[i], path, place, complaints)) {
                if (!labels.insert(read->label).second) {
                    complaints.add((*list)[i], place,
                                   jsonExcerpt(read->label)
                                       + " is listed already; every value may be listed once");
                }
                factor.values.push_back(std::move(*read));
            }
        }
        if (list->empty()) {
            complaints.add(*values, object.pathOf("values"), "must list at least one value");
        }
    }
    object.done();
    return factor;
}

} // namespace lab
