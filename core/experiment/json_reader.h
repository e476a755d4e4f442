#pragma once

#include "core/experiment/json_tree.h"
#include "core/experiment/spelling.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

/// Gathers what is wrong with a tree, each with its path and line.
class Complaints {
public:
    /// `at` is the value the problem is about; `where` its path.
    void add(const JsonValue& at, std::string where, std::string what)
    {
        add(at.line, std::move(where), std::move(what));
    }
    void add(int line, std::string where, std::string what);

    [[nodiscard]] std::vector<Problem>& list() { return list_; }

private:
    std::vector<Problem> list_;
};

/// A word of the file for each value of an enumeration.
template <class Enum, std::size_t N> using Words = std::array<std::pair<std::string_view, Enum>, N>;

// Each returns nothing and complains where the value is of another type.
[[nodiscard]] std::optional<double> asNumber(const JsonValue&, const std::string& where, Complaints&);
/// Also 3.0 and 1e3: JSON has one kind of number.
[[nodiscard]] std::optional<std::int64_t> asWhole(const JsonValue&, const std::string& where, Complaints&);
[[nodiscard]] std::optional<std::string> asText(const JsonValue&, const std::string& where, Complaints&);
[[nodiscard]] std::optional<bool> asToggle(const JsonValue&, const std::string& where, Complaints&);
[[nodiscard]] const JsonValue::List* asList(const JsonValue&, const std::string& where, Complaints&);

/// The whole number in a JSON number, where it is one.
[[nodiscard]] std::optional<std::int64_t> wholeIn(const JsonValue&);
/// Any JSON number.
[[nodiscard]] std::optional<double> numberIn(const JsonValue&);

/// A seed: a whole number from 0 below 2^53, or a larger one up to 2^64 - 1 in quotes.
[[nodiscard]] std::optional<std::uint64_t> seedIn(const JsonValue&);
inline constexpr std::string_view k_seed_rule = "must be a whole number from 0 to 9007199254740991, or a "
                                                "larger one up to 18446744073709551615 in quotes, not ";

/// Reads the members of one object; done() complains about keys that nobody asked for.
///
/// A read leaves its target as it is where the key is absent, and complains where the type is wrong.
class ObjectReader {
public:
    ObjectReader(const JsonValue& value, std::string where, Complaints& complaints);

    /// The value is an object; where it is not, every read finds nothing.
    [[nodiscard]] bool isObject() const { return value_.object() != nullptr; }
    /// The member, or null. The key counts as known from now on.
    [[nodiscard]] const JsonValue* find(std::string_view key);
    [[nodiscard]] std::string pathOf(std::string_view key) const { return memberPath(where_, key); }

    void read(std::string_view key, double& target);
    void read(std::string_view key, std::int64_t& target);
    /// Numbers beyond what an int holds become its largest or smallest: out of range wherever one is expected.
    void read(std::string_view key, int& target);
    void read(std::string_view key, std::string& target);
    void read(std::string_view key, bool& target);
    // Null in the file is nothing.
    void read(std::string_view key, std::optional<double>& target);
    void read(std::string_view key, std::optional<std::int64_t>& target);
    void read(std::string_view key, std::optional<std::string>& target);

    template <class Enum, std::size_t N>
    void read(std::string_view key, Enum& target, const Words<Enum, N>& words)
    {
        const JsonValue* value = find(key);
        if (value == nullptr) {
            return;
        }
        std::array<std::string_view, N> allowed;
        for (std::size_t i = 0; i < N; ++i) {
            allowed[i] = words[i].first;
            if (value->text() != nullptr && *value->text() == allowed[i]) {
                target = words[i].second;
                return;
            }
        }
        complainAboutWord(*value, key, allowed);
    }

    /// Complains about every key that was not looked for.
    void done();

private:
    void complainAboutWord(const JsonValue& value, std::string_view key,
                           std::span<const std::string_view> allowed);

    const JsonValue& value_;
    std::string where_;
    Complaints& complaints_;
    std::vector<std::string_view> known_;
};

} // namespace lab
