#include "core/learn/labels.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

constexpr std::size_t k_most_numbered_classes = 100;
constexpr std::size_t k_most_named_classes = 1000;

template <class Value> std::vector<Value> distinct(std::vector<Value> values)
{
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// Requires `classes` to be sorted and to hold every value.
template <class Value>
void setClasses(Dataset& data, const std::vector<Value>& values, const std::vector<Value>& classes)
{
    data.classes = static_cast<int>(classes.size());
    for (const Value& value : values) {
        const auto found = std::lower_bound(classes.begin(), classes.end(), value);
        data.labels.push_back(static_cast<std::int32_t>(found - classes.begin()));
        data.targets.push_back(static_cast<float>(data.labels.back()));
    }
}

[[noreturn]] void failForOneLabel(const std::string& file)
{
    throw Error(
        file + ": every row has the same label, so there is nothing to learn; choose another label column");
}

} // namespace

void setLabels(Dataset& data, const std::string& file, const std::vector<double>& values)
{
    const std::vector<double> classes = distinct(values);
    if (classes.size() < 2) {
        failForOneLabel(file);
    }
    constexpr double k_exact = 0x1.0p53; // beyond it doubles skip whole numbers, and none is meant as a class
    const bool are_whole = std::all_of(classes.begin(), classes.end(), [](double value) {
        return std::trunc(value) == value && std::abs(value) <= k_exact;
    });
    if (!are_whole || classes.size() > k_most_numbered_classes) {
        data.targets.assign(values.begin(), values.end());
        return;
    }
    setClasses(data, values, classes);
    for (const double value : classes) {
        data.class_names.push_back(std::to_string(static_cast<std::int64_t>(value)));
    }
}

void setLabels(Dataset& data, const std::string& file, const std::vector<std::string>& values)
{
    data.class_names = distinct(values);
    if (data.class_names.size() < 2) {
        failForOneLabel(file);
    }
    if (data.class_names.size() > k_most_named_classes) {
        throw Error(file + ": the label column holds " + std::to_string(data.class_names.size())
                    + " different texts, more than " + std::to_string(k_most_named_classes)
                    + " classes; choose another label column");
    }
    setClasses(data, values, data.class_names);
}

} // namespace lab
