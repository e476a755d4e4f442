#include "core/experiment/json_reader.h"

#include "core/experiment/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace lab {
namespace {

template <class Value>
std::optional<Value> orComplain(std::optional<Value> value, const char* wanted, const JsonValue& given,
                                const std::string& where, Complaints& complaints)
{
    if (!value) {
        complaints.add(given, where, std::string("must be ") + wanted + ", not " + describe(given));
    }
    return value;
}

template <class Value> std::optional<Value> valueIn(const JsonValue& value)
{
    const auto* held = std::get_if<Value>(&value.value);
    return held != nullptr ? std::optional(*held) : std::nullopt;
}

/// Overwrites the target where there is something to write.
template <class Value, class Target> void assign(const std::optional<Value>& value, Target& target)
{
    if (value) {
        target = *value;
    }
}

} // namespace

void Complaints::add(int line, std::string where, std::string what)
{
    list_.push_back({std::move(where), std::move(what), line});
}

std::optional<std::int64_t> wholeIn(const JsonValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value.value)) {
        return *whole;
    }
    const auto* number = std::get_if<double>(&value.value);
    if (number != nullptr && std::trunc(*number) == *number && std::abs(*number) <= 0x1.0p53) {
        return static_cast<std::int64_t>(*number);
    }
    return {};
}

std::optional<double> numberIn(const JsonValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value.value)) {
        return static_cast<double>(*whole);
    }
    return valueIn<double>(value);
}

std::optional<std::uint64_t> seedIn(const JsonValue& value)
{
    if (const std::string* digits = value.text()) {
        std::uint64_t seed = 0;
        const char* end = digits->data() + digits->size();
        const auto [rest, error] = std::from_chars(digits->data(), end, seed);
        return error == std::errc{} && rest == end ? std::optional(seed) : std::nullopt;
    }
    const std::optional<std::int64_t> whole = wholeIn(value);
    const bool fits = whole && *whole >= 0 && *whole < (std::int64_t{1} << 53);
    return fits ? std::optional(static_cast<std::uint64_t>(*whole)) : std::nullopt;
}

std::optional<double> asNumber(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    return orComplain(numberIn(value), "a number", value, where, complaints);
}

std::optional<std::int64_t> asWhole(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    return orComplain(wholeIn(value), "a whole number", value, where, complaints);
}

std::optional<std::string> asText(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    return orComplain(valueIn<std::string>(value), "a text in quotes", value, where, complaints);
}

std::optional<bool> asToggle(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    return orComplain(valueIn<bool>(value), "true or false", value, where, complaints);
}

const JsonValue::List* asList(const JsonValue& value, const std::string& where, Complaints& complaints)
{
    if (value.list() == nullptr) {
        complaints.add(value, where, "must be a list in [ ], not " + describe(value));
    }
    return value.list();
}

ObjectReader::ObjectReader(const JsonValue& value, std::string where, Complaints& complaints)
    : value_(value),
      where_(std::move(where)),
      complaints_(complaints)
{
    if (!isObject()) {
        complaints.add(value, where_, "must be an object in { }, not " + describe(value));
    }
}

const JsonValue* ObjectReader::find(std::string_view key)
{
    known_.push_back(key);
    return value_.member(key);
}

void ObjectReader::read(std::string_view key, double& target)
{
    if (const JsonValue* value = find(key)) {
        assign(asNumber(*value, pathOf(key), complaints_), target);
    }
}

void ObjectReader::read(std::string_view key, std::int64_t& target)
{
    if (const JsonValue* value = find(key)) {
        assign(asWhole(*value, pathOf(key), complaints_), target);
    }
}

void ObjectReader::read(std::string_view key, int& target)
{
    using Limits = std::numeric_limits<int>;
    std::int64_t whole = target;
    read(key, whole);
    target = static_cast<int>(std::clamp<std::int64_t>(whole, Limits::min(), Limits::max()));
}

void ObjectReader::read(std::string_view key, std::string& target)
{
    if (const JsonValue* value = find(key)) {
        assign(asText(*value, pathOf(key), complaints_), target);
    }
}

void ObjectReader::read(std::string_view key, bool& target)
{
    if (const JsonValue* value = find(key)) {
        assign(asToggle(*value, pathOf(key), complaints_), target);
    }
}

void ObjectReader::read(std::string_view key, std::optional<double>& target)
{
    if (const JsonValue* value = find(key)) {
        target = value->isNull() ? std::nullopt : asNumber(*value, pathOf(key), complaints_);
    }
}

void ObjectReader::read(std::string_view key, std::optional<std::int64_t>& target)
{
    if (const JsonValue* value = find(key)) {
        target = value->isNull() ? std::nullopt : asWhole(*value, pathOf(key), complaints_);
    }
}

void ObjectReader::read(std::string_view key, std::optional<std::string>& target)
{
    if (const JsonValue* value = find(key)) {
        target = value->isNull() ? std::nullopt : asText(*value, pathOf(key), complaints_);
    }
}

void ObjectReader::complainAboutWord(const JsonValue& value, std::string_view key,
                                     std::span<const std::string_view> allowed)
{
    const std::string end =
        value.text() != nullptr ? suggestion(*value.text(), allowed) : "; allowed: " + joined(allowed);
    complaints_.add(value, pathOf(key), "cannot be " + describe(value) + end);
}

void ObjectReader::done()
{
    if (!isObject()) {
        return;
    }
    for (const JsonMember& member : *value_.object()) {
        if (std::ranges::find(known_, member.key) == known_.end()) {
            complaints_.add(member.value.isSet() ? 0 : member.line, pathOf(member.key),
                            "unknown key" + suggestion(member.key, known_));
        }
    }
}

} // namespace lab
