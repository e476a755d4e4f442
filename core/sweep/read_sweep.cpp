#include "core/sweep/sweep.h"

#include "core/experiment/json_reader.h"
#include "core/experiment/json_text.h"
#include "core/record/number_text.h"
#include "core/sweep/run_figures.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_sweep_format = "straggler-lab/sweep";
constexpr std::int64_t k_version = 1;
constexpr std::size_t k_most_runs = 100'000;
constexpr std::size_t k_longest_label = 100;

/// Whether this is a sweep of a version that we read at all; where it is not, nothing else is worth saying.
bool isOurs(ObjectReader& root, const JsonValue& at, Complaints& complaints)
{
    const JsonValue* format = root.find("format");
    const JsonValue* version = root.find("version");
    const std::string wanted = "must be \"" + std::string(k_sweep_format) + '"';
    if (format == nullptr || format->text() == nullptr || *format->text() != k_sweep_format) {
        complaints.add(format != nullptr ? *format : at, "format",
                       format != nullptr
                           ? wanted + ", not " + describe(*format) + ": this is no sweep"
                           : "is missing; write \"format\": \"" + std::string(k_sweep_format) + '"');
        return false;
    }
    if (version == nullptr || wholeIn(*version) != k_version) {
        complaints.add(version != nullptr ? *version : at, "version",
                       version != nullptr ? "must be 1, the only version so far, not " + describe(*version)
                                          : "is missing; write \"version\": 1");
        return false;
    }
    return true;
}

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

void readSeeds(const JsonValue& value, Sweep& sweep, Complaints& complaints)
{
    if (const JsonValue::List* list = value.list()) {
        std::set<std::uint64_t> known;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const std::optional<std::uint64_t> seed = seedIn((*list)[i]);
            if (!seed) {
                complaints.add((*list)[i], itemPath("seeds", i),
                               std::string(k_seed_rule) + describe((*list)[i]));
            } else if (!known.insert(*seed).second) {
                complaints.add((*list)[i], itemPath("seeds", i), "is listed already; every seed counts once");
            } else {
                sweep.seeds.push_back(*seed);
            }
        }
        if (list->empty()) {
            complaints.add(value, "seeds", "must list at least one seed");
        }
        return;
    }
    const std::optional<std::int64_t> count = wholeIn(value);
    if (!count || *count < 1 || *count > 1000) {
        complaints.add(value, "seeds",
                       "must be a count from 1 to 1000 or a list of seeds, not " + describe(value));
        return;
    }
    for (std::int64_t seed = 1; seed <= *count; ++seed) {
        sweep.seeds.push_back(static_cast<std::uint64_t>(seed));
    }
}

Target readTarget(const JsonValue& value, Complaints& complaints)
{
    std::optional<double> training;
    std::optional<double> validation;
    ObjectReader object(value, "target", complaints);
    object.read("train_loss", training);
    object.read("validation_loss", validation);
    object.done();
    const double wanted = validation.value_or(training.value_or(0));
    if (object.isObject() && (training.has_value() == validation.has_value() || wanted <= 0)) {
        complaints.add(value, "target", "must be one loss above 0, as in {\"validation_loss\": 0.4}");
    }
    return {validation ? Target::Loss::Validation : Target::Loss::Training, wanted};
}

/// The factor that a key names, where it does.
std::optional<std::size_t> factorNamed(ObjectReader& root, std::string_view key, const Sweep& sweep,
                                       Complaints& complaints)
{
    const JsonValue* value = root.find(key);
    if (value == nullptr || value->isNull()) {
        return std::nullopt;
    }
    std::vector<std::string_view> names;
    for (const Factor& factor : sweep.factors) {
        names.push_back(factor.name);
    }
    const auto found = value->text() != nullptr ? std::ranges::find(names, *value->text()) : names.end();
    if (found == names.end()) {
        complaints.add(*value, std::string(key),
                       "must be the name of a factor, not " + describe(*value)
                           + suggestion(value->text() != nullptr ? *value->text() : "", names));
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - names.begin());
}

void readFactors(const JsonValue& vary, Sweep& sweep, Complaints& complaints)
{
    const JsonValue::List* list = asList(vary, "vary", complaints);
    std::set<std::string> names;
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        if (auto factor = readFactor((*list)[i], itemPath("vary", i), complaints)) {
            if (!factor->name.empty() && !names.insert(factor->name).second) {
                complaints.add((*list)[i], itemPath("vary", i) + ".name",
                               jsonExcerpt(factor->name)
                                   + " is an earlier factor's; every name may be given once");
            }
            sweep.factors.push_back(std::move(*factor));
        }
    }
    double runs = static_cast<double>(sweep.seeds.size());
    for (const Factor& factor : sweep.factors) {
        runs *= static_cast<double>(factor.values.size());
    }
    if (runs > static_cast<double>(k_most_runs)) {
        complaints.add(vary, "vary", "gives more than 100000 runs; split the sweep");
    }
}

/// Puts the experiment of the file that the sweep names in the place of the name.
void fetchExperiment(Sweep& sweep, Complaints& complaints)
{
    auto& members = std::get<JsonValue::Object>(sweep.root.value);
    const auto place = std::ranges::find(members, "experiment", &JsonMember::key);
    if (place == members.end() || (place->value.text() == nullptr && place->value.object() == nullptr)) {
        complaints.add(place != members.end() ? place->value : sweep.root, "experiment",
                       "must be an experiment or the path of its file");
        return;
    }
    if (place->value.object() != nullptr) {
        return;
    }
    const fs::path file = sweep.folder / *place->value.text();
    sweep.experiment_file = file.string();
    sweep.folder = file.parent_path();
    JsonDocument document = parseJson(readJsonFile(file, sweep.experiment_file, "experiment"));
    if (!document.root || !document.problems.empty()) {
        throw ExperimentError(sweep.experiment_file, std::move(document.problems));
    }
    place->value = std::move(*document.root);
}

} // namespace

Sweep readSweep(JsonDocument document, const std::string& name, const fs::path& folder)
{
    Complaints complaints;
    complaints.list() = std::move(document.problems);
    Sweep sweep;
    sweep.file = sweep.experiment_file = name;
    sweep.folder = folder;
    if (document.root) {
        sweep.root = std::move(*document.root);
        ObjectReader root(sweep.root, {}, complaints);
        if (root.isObject() && isOurs(root, sweep.root, complaints)) {
            root.read("title", sweep.title);
            root.read("notes", sweep.notes);
            (void)root.find("experiment");
            if (const JsonValue* seeds = root.find("seeds")) {
                readSeeds(*seeds, sweep, complaints);
            } else {
                sweep.seeds = {1};
            }
            if (const JsonValue* vary = root.find("vary")) {
                readFactors(*vary, sweep, complaints);
            } else {
                complaints.add(sweep.root, "vary", "is missing; list what differs between the runs");
            }
            if (const JsonValue* target = root.find("target")) {
                sweep.target = readTarget(*target, complaints);
            }
            sweep.tune = factorNamed(root, "tune", sweep, complaints);
            sweep.compare = factorNamed(root, "compare", sweep, complaints);
            if (sweep.tune && !sweep.target) {
                complaints.add(*root.find("tune"), "tune",
                               "needs a \"target\": the best value reaches it first");
            }
            if (sweep.compare && (!sweep.target || sweep.compare == sweep.tune)) {
                complaints.add(*root.find("compare"), "compare",
                               sweep.target ? "cannot be the factor that is tuned away"
                                            : "needs a \"target\": the winner reaches it first");
            }
            root.done();
            if (complaints.list().empty()) {
                fetchExperiment(sweep, complaints);
            }
        }
    }
    if (!complaints.list().empty()) {
        std::ranges::stable_sort(complaints.list(), {}, &Problem::line);
        throw ExperimentError(name, std::move(complaints.list()));
    }
    return sweep;
}

Sweep loadSweep(const fs::path& file)
{
    const std::string name = file.string();
    return readSweep(parseJson(readJsonFile(file, name, "sweep")), name, file.parent_path());
}

} // namespace lab
