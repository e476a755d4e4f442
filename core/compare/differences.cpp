#include "core/compare/differences.h"

#include "core/base/error.h"
#include "core/experiment/experiment_json.h"
#include "core/experiment/json_tree.h"
#include "core/strategy/strategy_catalog.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

void fillIn(StrategyChoice& choice)
{
    if (const StrategyInfo* info = findStrategy(choice.kind)) {
        for (const ParamSpec& spec : info->params) {
            choice.values.try_emplace(spec.name, spec.initial);
        }
    }
}

/// What decides the run, all of it written out.
JsonValue treeOf(Experiment experiment)
{
    experiment.title.clear();
    experiment.notes.clear();
    fillIn(experiment.strategy);
    for (StrategySwitch& one : experiment.switches) {
        fillIn(one.strategy);
    }
    JsonDocument document = parseJson(experimentToJson(experiment));
    LAB_EXPECTS(document.root.has_value());
    return std::move(*document.root);
}

std::string textOf(const JsonValue* value) { return value == nullptr ? std::string() : jsonText(*value); }

class Finder {
public:
    void compare(const std::string& path, const JsonValue* a, const JsonValue* b)
    {
        if (textOf(a) == textOf(b)) {
            return;
        }
        if (a != nullptr && b != nullptr && a->object() != nullptr && b->object() != nullptr) {
            compareMembers(path, *a, *b);
        } else if (a != nullptr && b != nullptr && isTree(*a) && isTree(*b)) {
            compareItems(path, *a->list(), *b->list());
        } else {
            found_.push_back({path, textOf(a), textOf(b)});
        }
    }
    [[nodiscard]] std::vector<ParameterDifference> found() && { return std::move(found_); }

private:
    /// A list of things with parts of their own, such as nodes and events; a list of numbers is one value.
    static bool isTree(const JsonValue& value)
    {
        return value.list() != nullptr && std::ranges::any_of(*value.list(), [](const JsonValue& item) {
                   return item.object() != nullptr;
               });
    }
    void compareMembers(const std::string& path, const JsonValue& a, const JsonValue& b)
    {
        const auto pathOf = [&](const std::string& key) {
            return path.empty() ? key : memberPath(path, key);
        };
        for (const JsonMember& member : *a.object()) {
            compare(pathOf(member.key), &member.value, b.member(member.key));
        }
        for (const JsonMember& member : *b.object()) {
            if (a.member(member.key) == nullptr) {
                compare(pathOf(member.key), nullptr, &member.value);
            }
        }
    }
    void compareItems(const std::string& path, const JsonValue::List& a, const JsonValue::List& b)
    {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            compare(itemPath(path, i), i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
        }
    }

    std::vector<ParameterDifference> found_;
};

} // namespace

std::vector<ParameterDifference> differencesOf(const Experiment& a, const Experiment& b)
{
    const JsonValue first = treeOf(a);
    const JsonValue second = treeOf(b);
    Finder finder;
    finder.compare({}, &first, &second);
    return std::move(finder).found();
}

} // namespace lab
