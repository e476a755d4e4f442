#include "core/experiment/json_text.h"

#include "core/record/number_text.h"

#include <cmath>
#include <cstddef>

namespace lab {
namespace {

constexpr std::size_t k_longest_quote = 60;

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

} // namespace

void appendJsonString(std::string& json, std::string_view text)
{
    static constexpr char k_hex[] = "0123456789abcdef";
    json += '"';
    for (const char byte : text) {
        switch (byte) {
        case '"':
            json += "\\\"";
            break;
        case '\\':
            json += "\\\\";
            break;
        case '\n':
            json += "\\n";
            break;
        case '\t':
            json += "\\t";
            break;
        case '\r':
            json += "\\r";
            break;
        default:
            if (const auto code = static_cast<unsigned char>(byte); code < 0x20 || code == 0x7f) {
                json += "\\u00";
                json += k_hex[code >> 4U];
                json += k_hex[code & 15U];
            } else {
                json += byte;
            }
        }
    }
    json += '"';
}

std::string jsonString(std::string_view text)
{
    std::string json;
    appendJsonString(json, text);
    return json;
}

std::string jsonExcerpt(std::string_view text)
{
    if (text.size() <= k_longest_quote) {
        return jsonString(text);
    }
    std::size_t end = k_longest_quote;
    while (end > 0 && isContinuation(text[end])) {
        --end;
    }
    return jsonString(std::string(text.substr(0, end)) + "…");
}

void appendJsonNumber(std::string& json, double value)
{
    if (std::isfinite(value)) {
        appendNumber(json, value);
    } else {
        json += "null";
    }
}

void appendJsonSeed(std::string& json, std::uint64_t seed)
{
    const bool fits = seed < (std::uint64_t{1} << 53U);
    if (!fits) {
        json += '"';
    }
    appendNumber(json, seed);
    if (!fits) {
        json += '"';
    }
}

void JsonLine::open(std::string_view key)
{
    if (line_.size() > 1) {
        line_ += ", ";
    }
    appendJsonString(line_, key);
    line_ += ": ";
}

JsonLine& JsonLine::text(std::string_view key, std::string_view value)
{
    open(key);
    appendJsonString(line_, value);
    return *this;
}

JsonLine& JsonLine::number(std::string_view key, double value)
{
    open(key);
    appendJsonNumber(line_, value);
    return *this;
}

JsonLine& JsonLine::whole(std::string_view key, std::int64_t value)
{
    open(key);
    appendNumber(line_, value);
    return *this;
}

JsonLine& JsonLine::toggle(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }

JsonLine& JsonLine::raw(std::string_view key, std::string_view json)
{
    open(key);
    line_ += json;
    return *this;
}

JsonLines& JsonLines::number(std::string_view key, double value)
{
    std::string json;
    appendJsonNumber(json, value);
    return raw(key, json);
}

JsonLines& JsonLines::raw(std::string_view key, std::string_view json)
{
    text_ += (text_.empty() ? "\n" : ",\n") + indentation_ + "  ";
    appendJsonString(text_, key);
    text_ += ": ";
    text_ += json;
    return *this;
}

} // namespace lab
