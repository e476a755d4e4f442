#include "core/experiment/read_sections.h"

#include "core/experiment/checks.h"
#include "core/experiment/json_text.h"
#include "core/experiment/words.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lab {
namespace {

enum class Deed { Slow, Fail, Recover, Move };

constexpr Words<Deed, 4> k_deed_words{
    {{"slow", Deed::Slow}, {"fail", Deed::Fail}, {"recover", Deed::Recover}, {"move", Deed::Move}}};

std::string unknownParam(const StrategyInfo& info, std::string_view name)
{
    if (info.params.empty()) {
        return "unknown parameter; " + info.id + " takes none";
    }
    std::vector<std::string_view> names;
    for (const ParamSpec& spec : info.params) {
        names.push_back(spec.name);
    }
    return "unknown parameter of " + info.id + suggestion(name, names);
}

void readParam(const JsonMember& member, const std::string& path, const StrategyInfo& info, std::size_t nodes,
               StrategyChoice& choice, Reading& reading)
{
    const bool may_pass_over = reading.is_other_strategy && !member.value.isSet();
    const std::string where = memberPath(path, member.key);
    const ParamSpec* spec = findParam(info, member.key);
    if (spec == nullptr) {
        if (!may_pass_over) {
            reading.complaints.add(member.value, where, unknownParam(info, member.key));
        }
        return;
    }
    std::optional<ParamValue> value = paramIn(member.value, spec->type);
    if (may_pass_over && (!value || checkParam(*spec, *value, nodes))) {
        return;
    }
    if (!value) {
        reading.complaints.add(member.value, where,
                               "must be " + allowedValues(*spec) + ", not " + describe(member.value));
        return;
    }
    choice.values[member.key] = std::move(*value);
}

NodeId readNodeName(const JsonValue& value, const std::string& where, const NodeNames& names,
                    Complaints& complaints)
{
    const std::optional<std::string> name = asText(value, where, complaints);
    if (!name || names.empty()) {
        return {}; // without any node there is a worse complaint already
    }
    const auto found = names.find(*name);
    if (found == names.end()) {
        complaints.add(value, where, "no node is named " + jsonExcerpt(*name));
        return {};
    }
    return found->second;
}

void readMembers(const JsonValue& value, const std::string& path, const NodeNames& names, Grouping& grouping,
                 Complaints& complaints)
{
    const JsonValue::List* groups = asList(value, path, complaints);
    for (std::size_t g = 0; groups != nullptr && g < groups->size(); ++g) {
        const std::string where = itemPath(path, g);
        const JsonValue::List* members = asList((*groups)[g], where, complaints);
        std::vector<NodeId>& group = grouping.members.emplace_back();
        for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
            group.push_back(readNodeName((*members)[i], itemPath(where, i), names, complaints));
        }
    }
}

std::optional<Duration> readFor(ObjectReader& object)
{
    std::optional<double> seconds;
    object.read("for", seconds);
    return seconds ? std::optional(fromSeconds(*seconds)) : std::nullopt;
}

std::optional<Change> readChange(Deed deed, NodeId node, ObjectReader& object, const JsonValue& value,
                                 Complaints& complaints)
{
    switch (deed) {
    case Deed::Slow: {
        Slow slow{node, 1.0, readFor(object)};
        object.read("factor", slow.factor);
        if (value.member("factor") == nullptr) {
            complaints.add(value, object.pathOf("factor"),
                           "is missing: how many times as long its tasks take");
        }
        return slow;
    }
    case Deed::Fail:
        return Fail{node, readFor(object)};
    case Deed::Recover:
        return Recover{node};
    case Deed::Move: {
        int group = 0;
        object.read("group", group);
        if (value.member("group") == nullptr) {
            complaints.add(value, object.pathOf("group"),
                           "is missing: the number of the group, counted from 0");
        }
        return Move{node, GroupId{group}};
    }
    }
    return {};
}

std::optional<Intervention> readEvent(const JsonValue& value, const std::string& where,
                                      const NodeNames& names, const StrategyInfo* info, Reading& reading)
{
    Complaints& complaints = reading.complaints;
    ObjectReader object(value, where, complaints);
    double at = 0;
    object.read("at", at);
    NodeId node;
    if (const JsonValue* name = object.find("node")) {
        node = readNodeName(*name, object.pathOf("node"), names, complaints);
    } else if (object.isObject()) {
        complaints.add(value, object.pathOf("node"), "is missing: the name of the node it happens to");
    }
    std::optional<Deed> deed;
    if (const JsonValue* word = object.find("do")) {
        for (const auto& [text, meaning] : k_deed_words) {
            deed = word->text() != nullptr && *word->text() == text ? meaning : deed;
        }
        if (!deed) {
            complaints.add(*word, object.pathOf("do"),
                           "cannot be " + describe(*word) + "; allowed: slow, fail, recover, move");
        }
    } else if (object.isObject()) {
        complaints.add(value, object.pathOf("do"), "is missing: slow, fail, recover or move");
    }
    if (!deed) {
        return {};
    }
    const std::optional<Change> change = readChange(*deed, node, object, value, complaints);
    object.done();
    const bool has_groups = info == nullptr || info->uses_groups;
    if (!change || (*deed == Deed::Move && !has_groups && reading.is_other_strategy && !value.isSet())) {
        return {};
    }
    return Intervention{atSeconds(at), *change};
}

} // namespace

std::optional<ParamValue> paramIn(const JsonValue& value, ParamSpec::Type type)
{
    const auto whole = [&]() -> std::optional<ParamValue> {
        const std::optional<std::int64_t> number = wholeIn(value);
        return number ? std::optional<ParamValue>(*number) : std::nullopt;
    };
    const auto word = [&]() -> std::optional<ParamValue> {
        return value.text() != nullptr ? std::optional<ParamValue>(*value.text()) : std::nullopt;
    };
    switch (type) {
    case ParamSpec::Type::Whole:
        return whole();
    case ParamSpec::Type::WholeOrAuto:
        return value.text() != nullptr ? word() : whole();
    case ParamSpec::Type::WholesOrAuto: {
        if (value.list() == nullptr) {
            return value.text() != nullptr ? word() : whole();
        }
        std::vector<std::int64_t> wholes;
        for (const JsonValue& one : *value.list()) {
            const std::optional<std::int64_t> number = wholeIn(one);
            if (!number) {
                return {};
            }
            wholes.push_back(*number);
        }
        return wholes;
    }
    case ParamSpec::Type::Real: {
        const std::optional<double> number = numberIn(value);
        return number ? std::optional<ParamValue>(*number) : std::nullopt;
    }
    case ParamSpec::Type::Choice:
        return word();
    case ParamSpec::Type::Toggle: {
        const auto* toggle = std::get_if<bool>(&value.value);
        return toggle != nullptr ? std::optional<ParamValue>(*toggle) : std::nullopt;
    }
    }
    return {};
}

StrategyChoice readStrategy(const JsonValue& value, const std::string& where, std::size_t nodes,
                            Reading& reading)
{
    StrategyChoice choice;
    choice.kind.clear(); // no strategy: its parameters mean nothing until the kind is known
    ObjectReader object(value, where, reading.complaints);
    if (object.isObject() && value.member("kind") == nullptr) {
        reading.complaints.add(value, object.pathOf("kind"), "is missing; write \"kind\": \"bsp\"");
    }
    object.read("kind", choice.kind);
    const StrategyInfo* info = findStrategy(choice.kind);
    if (info == nullptr) {
        return choice;
    }
    for (const JsonMember& member : *value.object()) {
        if (member.key != "kind") {
            readParam(member, where, *info, nodes, choice, reading);
        }
    }
    return choice;
}

Grouping readGroups(const JsonValue& value, const std::string& where, const NodeNames& names,
                    const StrategyInfo* info, Reading& reading)
{
    Complaints& complaints = reading.complaints;
    Grouping grouping;
    ObjectReader object(value, where, complaints);
    const JsonValue* members = value.member("members");
    if (members != nullptr) {
        grouping.by = Grouping::By::Members;
    }
    object.read("by", grouping.by, k_grouping_words);
    if (grouping.by == Grouping::By::Members) {
        if (object.find("members") != nullptr) {
            readMembers(*members, object.pathOf("members"), names, grouping, complaints);
        } else {
            complaints.add(value, object.pathOf("members"),
                           "is missing; write \"members\": [[\"n1\", \"n2\"], [\"n3\"]]");
        }
    } else if (members != nullptr) {
        (void)object.find("members");
        complaints.add(*members, object.pathOf("members"), "goes only with \"by\": \"members\"");
    }
    if (const JsonValue* count = object.find("count"); count != nullptr) {
        const bool is_auto = count->text() != nullptr && *count->text() == "auto";
        const std::optional<std::int64_t> whole = wholeIn(*count);
        if (grouping.by == Grouping::By::Members) {
            complaints.add(*count, object.pathOf("count"),
                           "does not go with members, which say how many groups there are");
        } else if (whole) {
            grouping.count =
                static_cast<int>(std::clamp<std::int64_t>(*whole, -1, std::numeric_limits<int>::max()));
        } else if (!is_auto) {
            complaints.add(*count, object.pathOf("count"),
                           "must be a whole number or \"auto\", not " + describe(*count));
        }
    }
    object.done();
    const JsonValue* by = value.member("by");
    if (grouping.by == Grouping::By::Coding && reading.is_other_strategy && !by->isSet() && info != nullptr
        && !usesCode(*info)) {
        grouping.by = Grouping::By::Speed;
    }
    return grouping;
}

std::vector<Intervention> readEvents(const JsonValue& value, const NodeNames& names, const StrategyInfo* info,
                                     Reading& reading)
{
    std::vector<Intervention> events;
    const JsonValue::List* list = asList(value, "events", reading.complaints);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        if (auto event = readEvent((*list)[i], itemPath("events", i), names, info, reading)) {
            events.push_back(std::move(*event));
            reading.event_places.push_back(i);
        }
    }
    return events;
}

std::vector<StrategySwitch> readSwitches(const JsonValue& value, const NodeNames& names, std::size_t nodes,
                                         Reading& reading)
{
    std::vector<StrategySwitch> switches;
    const JsonValue::List* list = asList(value, "switches", reading.complaints);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const JsonValue& item = (*list)[i];
        ObjectReader object(item, itemPath("switches", i), reading.complaints);
        StrategySwitch& one = switches.emplace_back();
        double at = 0;
        object.read("at", at);
        one.at = atSeconds(at);
        if (const JsonValue* strategy = object.find("strategy")) {
            one.strategy = readStrategy(*strategy, object.pathOf("strategy"), nodes, reading);
        } else if (object.isObject()) {
            reading.complaints.add(item, object.pathOf("strategy"),
                                   "is missing; write \"strategy\": {\"kind\": \"asp\"}");
        }
        if (const JsonValue* groups = object.find("groups")) {
            one.groups =
                readGroups(*groups, object.pathOf("groups"), names, findStrategy(one.strategy.kind), reading);
        }
        object.done();
    }
    return switches;
}

} // namespace lab
