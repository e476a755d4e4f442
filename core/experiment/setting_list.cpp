#include "core/experiment/setting_list.h"

#include "core/experiment/experiment_json.h"
#include "core/experiment/json_tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace lab {
namespace {

/// What a table of settings has no use for: it says what the file is, not what the run does.
constexpr std::array<std::string_view, 5> k_words{"format", "version", "title", "notes", "name"};

bool isWord(std::string_view key) { return std::ranges::find(k_words, key) != k_words.end(); }

void flatten(const JsonValue& value, const std::string& path, std::vector<SettingText>& settings)
{
    const JsonValue::Object* object = value.object();
    const JsonValue::List* list = value.list();
    const bool holds_objects = list != nullptr && !list->empty() && list->front().object() != nullptr;
    if (object != nullptr) {
        for (const JsonMember& member : *object) {
            if (!isWord(member.key)) {
                flatten(member.value, memberPath(path, member.key), settings);
            }
        }
    } else if (holds_objects) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            flatten((*list)[i], itemPath(path, i), settings);
        }
    } else {
        settings.push_back({path, jsonText(value)});
    }
}

std::vector<SettingText> settingsOf(const Experiment& experiment)
{
    std::vector<SettingText> settings;
    const JsonDocument document = parseJson(experimentToJson(experiment));
    LAB_EXPECTS(document.root.has_value());
    flatten(*document.root, {}, settings);
    return settings;
}

} // namespace

std::vector<SettingText> settingsBeyondDefaults(const Experiment& experiment)
{
    Experiment plain;
    plain.cluster.nodes.resize(experiment.cluster.nodes.size());
    plain.strategy.kind.clear(); // there is no default strategy
    std::map<std::string, std::string> usual;
    for (const SettingText& setting : settingsOf(plain)) {
        usual.emplace(setting.path, setting.value);
    }
    std::vector<SettingText> settings = settingsOf(experiment);
    std::erase_if(settings, [&](const SettingText& setting) {
        const auto found = usual.find(setting.path);
        return found != usual.end() && found->second == setting.value;
    });
    return settings;
}

} // namespace lab
