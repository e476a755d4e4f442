#include "core/experiment/experiment_json.h"

#include "core/experiment/checks.h"
#include "core/experiment/experiment_tree.h"
#include "core/experiment/json_path.h"
#include "core/experiment/json_text.h"
#include "core/experiment/json_tree.h"
#include "core/experiment/read_sections.h"
#include "core/record/number_text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_largest_file = 16U << 20U;
constexpr std::size_t k_most_problems = 50;     ///< that are listed one by one
constexpr std::size_t k_enough_problems = 1000; ///< after which nobody needs to look for others

[[noreturn]] void refuse(const std::string& name, std::vector<Problem> problems)
{
    std::ranges::stable_sort(problems, {}, &Problem::line);
    if (const std::size_t all = problems.size(); all > k_most_problems) {
        problems.resize(k_most_problems);
        problems.push_back({{}, "… and " + numberText(all - k_most_problems) + " more", 0});
    }
    throw ExperimentError(name, std::move(problems));
}

[[noreturn]] void refuse(const std::string& name, std::string what)
{
    refuse(name, {{{}, std::move(what), 0}});
}

/// The value of an override: JSON where it reads as such, else a string; nothing where it is not UTF-8 text.
std::optional<JsonValue> overrideValue(const std::string& text)
{
    JsonDocument document = parseJson(text);
    if (!document.root || !document.problems.empty()) {
        std::string json;
        appendJsonString(json, text);
        document = parseJson(json);
    }
    return std::move(document.root);
}

std::string kindIn(const JsonValue& root)
{
    const JsonValue* kind = locate(root, "strategy.kind").value;
    return kind->text() != nullptr ? *kind->text() : std::string();
}

/// Makes a value one that the file does not hold.
void markAsSet(JsonValue& value)
{
    value.line = 0;
    if (auto* list = std::get_if<JsonValue::List>(&value.value)) {
        std::ranges::for_each(*list, markAsSet);
    } else if (auto* object = std::get_if<JsonValue::Object>(&value.value)) {
        for (JsonMember& member : *object) {
            member.line = 0;
            markAsSet(member.value);
        }
    }
}

void applySettings(JsonValue& root, std::span<const Setting> settings, Complaints& complaints)
{
    for (const Setting& one : settings) {
        JsonValue value = one.value;
        markAsSet(value);
        if (const std::optional<std::string> problem = put(root, one.path, std::move(value))) {
            complaints.add(0, "--set " + one.path, *problem);
        }
    }
}

/// The path of an event in the file, where some of the file's events are passed over.
std::string placeInFile(const std::string& where, const std::vector<std::size_t>& event_places)
{
    constexpr std::string_view k_start = "events[";
    std::size_t index = 0;
    if (!where.starts_with(k_start)) {
        return where;
    }
    const auto [rest, error] =
        std::from_chars(where.data() + k_start.size(), where.data() + where.size(), index);
    LAB_EXPECTS(error == std::errc{} && index < event_places.size());
    return std::string(k_start) + numberText(event_places[index]) + rest;
}

/// Problems of the content join those of the form, each with its line and the value that stands there. What the form
/// already complains about is not judged a second time.
void addProblems(std::vector<Problem> found, const JsonValue& root, const Reading& reading)
{
    std::vector<Problem>& all = reading.complaints.list();
    const std::size_t of_form = all.size();
    if (of_form > k_enough_problems) {
        return;
    }
    found.resize(std::min(found.size(), k_enough_problems));
    for (Problem& problem : found) {
        problem.where = placeInFile(problem.where, reading.event_places);
        const bool is_known = std::any_of(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(of_form), [&](const Problem& known) {
                return isWithinPath(known.where, problem.where) || isWithinPath(problem.where, known.where);
            });
        if (is_known) {
            continue;
        }
        const Located place = locate(root, problem.where);
        problem.line = place.value->line;
        const bool is_plain = place.value->list() == nullptr && place.value->object() == nullptr;
        if (place.is_exact && is_plain && problem.what.starts_with("must be ")) {
            problem.what += ", not " + describe(*place.value);
        }
        all.push_back(std::move(problem));
    }
}

/// Says of problems that are not in the file that they come from the command line.
void nameOverrides(std::vector<Problem>& problems)
{
    for (Problem& problem : problems) {
        if (problem.line == 0 && !problem.where.starts_with("--set ")) {
            problem.where = "--set " + problem.where;
        }
    }
}

} // namespace

std::string readJsonFile(const fs::path& file, const std::string& name, const std::string& kind)
{
    const std::string is_too_large = "is larger than 16 MiB, which no " + kind + " file is";
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status)) {
        refuse(name,
               status.type() == fs::file_type::not_found ? "there is no such file"
                                                         : "cannot be opened: " + error.message());
    }
    if (!fs::is_regular_file(status)) {
        refuse(name,
               fs::is_directory(status) ? "is a folder, no " + kind + " file" : "is not a regular file");
    }
    if (fs::file_size(file, error) > k_largest_file && !error) {
        refuse(name, is_too_large);
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        refuse(name, "cannot be opened: " + std::error_code(errno, std::generic_category()).message());
    }
    std::string text(k_largest_file + 1, '\0'); // a file can grow after it was measured
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) {
        refuse(name, "cannot be read: " + std::error_code(errno, std::generic_category()).message());
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > k_largest_file) {
        refuse(name, is_too_large);
    }
    return text;
}

Experiment readExperimentTree(JsonDocument document, const std::string& name, const fs::path& folder,
                              std::span<const Setting> settings, Files files)
{
    if (!document.root) {
        refuse(name, std::move(document.problems));
    }
    JsonValue& root = *document.root;
    Complaints complaints;
    complaints.list() = std::move(document.problems);

    const std::string kind_in_file = kindIn(root);
    applySettings(root, settings, complaints);
    Reading reading{complaints, kindIn(root) != kind_in_file};
    std::optional<Experiment> read = readExperiment(root, reading);
    if (read) {
        read->folder = folder;
        addProblems(checkContent(*read), root, reading);
        if (files == Files::MustBeThere) {
            addProblems(checkFiles(*read), root, reading);
        }
    }
    if (!complaints.list().empty()) {
        nameOverrides(complaints.list());
        refuse(name, std::move(complaints.list()));
    }

    Experiment experiment = std::move(*read);
    std::ranges::stable_sort(experiment.events, {}, &Intervention::at);
    std::ranges::stable_sort(experiment.switches, {}, &StrategySwitch::at);
    const auto sortMembers = [](Grouping& groups) {
        for (std::vector<NodeId>& group : groups.members) {
            std::ranges::sort(group);
        }
    };
    sortMembers(experiment.groups);
    for (StrategySwitch& one : experiment.switches) {
        sortMembers(one.groups);
    }
    return experiment;
}

Experiment parseExperiment(std::string_view text, const std::string& name, const fs::path& folder,
                           std::span<const Override> overrides)
{
    JsonDocument document = parseJson(text);
    std::vector<Setting> settings;
    for (const Override& one : overrides) {
        if (std::optional<JsonValue> value = overrideValue(one.value)) {
            settings.push_back({one.path, std::move(*value)});
        } else if (document.root) {
            document.problems.push_back({"--set " + one.path, "is not UTF-8 text", 0});
        }
    }
    return readExperimentTree(std::move(document), name, folder, settings);
}

Experiment parseRecordedExperiment(std::string_view text, const std::string& name, const fs::path& folder)
{
    return readExperimentTree(parseJson(text), name, folder, {}, Files::MayBeGone);
}

Experiment loadExperiment(const fs::path& file, std::span<const Override> overrides)
{
    const std::string name = file.string();
    return parseExperiment(readJsonFile(file, name, "experiment"), name, file.parent_path(), overrides);
}

} // namespace lab
