#include "core/sweep/sweep.h"

#include "core/base/fingerprint.h"
#include "core/experiment/json_path.h"
#include "core/experiment/summary.h"
#include "core/record/number_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

namespace lab {
namespace {

constexpr std::string_view k_set = "--set ";

/// What one run changes in the experiment, in the order in which it is changed.
std::vector<Setting> settingsOf(const Sweep& sweep, const Combination& combination)
{
    std::vector<Setting> settings;
    for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
        const FactorValue& value = sweep.factors[f].values[combination.values[f]];
        settings.insert(settings.end(), value.settings.begin(), value.settings.end());
    }
    // Large seeds do not fit into a JSON number; in quotes every seed does.
    settings.push_back({"seed", {numberText(combination.seed), 0}});
    return settings;
}

/// Finds who is to blame for the problems of combinations, and says each problem once.
class Blame {
public:
    explicit Blame(const Sweep& sweep) : sweep_(sweep) {}

    void add(const Problem& problem, const Combination& combination)
    {
        std::string path = problem.where;
        if (path.starts_with(k_set)) {
            path.erase(0, k_set.size());
        }
        const FactorValue* value = nullptr;
        for (std::size_t f = 0; f < sweep_.factors.size(); ++f) {
            const FactorValue& one = sweep_.factors[f].values[combination.values[f]];
            value = std::ranges::any_of(one.settings,
                                        [&](const Setting& setting) {
                                            return isWithinPath(path, setting.path)
                                                || isWithinPath(setting.path, path);
                                        })
                ? &one
                : value;
        }
        Entry& entry = value != nullptr ? of_values_[{value->line, value->where, path + ": " + problem.what}]
                                        : of_experiment_[{problem.line, path, problem.what}];
        if (entry.count++ == 0) {
            entry.labels = labelsOf(sweep_, combination.values);
        }
    }

    /// What stands in the experiment's own file comes first: whoever mends it may have mended all.
    void throwAny() const
    {
        if (!of_experiment_.empty()) {
            const bool is_inside = sweep_.experiment_file == sweep_.file;
            throw ExperimentError(sweep_.experiment_file,
                                  listed(of_experiment_, is_inside ? "experiment" : ""));
        }
        if (!of_values_.empty()) {
            throw ExperimentError(sweep_.file, listed(of_values_, ""));
        }
    }

private:
    struct Entry {
        std::size_t count = 0; ///< combinations that have it
        std::string labels;    ///< of the first
    };
    using Entries = std::map<std::tuple<int, std::string, std::string>, Entry>; ///< by line, where, what

    [[nodiscard]] std::vector<Problem> listed(const Entries& entries, const std::string& outer) const
    {
        const std::size_t combinations = sweep_.runs() / sweep_.seeds.size();
        std::vector<Problem> problems;
        for (const auto& [key, entry] : entries) {
            auto [line, where, what] = key;
            if (entry.count < combinations) {
                what += " (with " + entry.labels
                    + (entry.count > 1 ? ", and in " + numberText(entry.count - 1) + " more)" : ")");
            }
            where = outer.empty() || where.empty() ? outer + where : outer + '.' + where;
            problems.push_back({std::move(where), std::move(what), line});
        }
        return problems;
    }

    const Sweep& sweep_;
    Entries of_values_;
    Entries of_experiment_;
};

/// The object without what only people read.
JsonValue withoutWords(JsonValue value)
{
    if (auto* members = std::get_if<JsonValue::Object>(&value.value)) {
        std::erase_if(*members,
                      [](const JsonMember& one) { return one.key == "title" || one.key == "notes"; });
        for (JsonMember& member : *members) {
            if (member.key == "experiment") {
                member.value = withoutWords(std::move(member.value));
            }
        }
    }
    return value;
}

} // namespace

std::size_t Sweep::runs() const
{
    std::size_t runs = seeds.size();
    for (const Factor& factor : factors) {
        runs *= factor.values.size();
    }
    return runs;
}

Combination combinationOf(const Sweep& sweep, std::size_t index)
{
    LAB_EXPECTS(index < sweep.runs());
    Combination combination;
    combination.seed = sweep.seeds[index % sweep.seeds.size()];
    index /= sweep.seeds.size();
    combination.values.resize(sweep.factors.size());
    for (std::size_t f = sweep.factors.size(); f-- > 0;) {
        combination.values[f] = index % sweep.factors[f].values.size();
        index /= sweep.factors[f].values.size();
    }
    return combination;
}

std::string labelsOf(const Sweep& sweep, const std::vector<std::size_t>& values)
{
    std::string labels;
    for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
        labels +=
            (f == 0 ? "" : ", ") + sweep.factors[f].name + " = " + sweep.factors[f].values[values[f]].label;
    }
    return labels;
}

Experiment experimentOf(const Sweep& sweep, std::size_t index)
{
    return readExperimentTree({sweep.experiment(), {}}, sweep.experiment_file, sweep.folder,
                              settingsOf(sweep, combinationOf(sweep, index)));
}

void checkCombinations(const Sweep& sweep)
{
    Blame blame(sweep);
    for (std::size_t index = 0; index < sweep.runs(); index += sweep.seeds.size()) {
        const Combination combination = combinationOf(sweep, index);
        try {
            const StopSpec stop = experimentOf(sweep, index).stop;
            if (!stop.seconds && !stop.updates && !stop.samples) {
                blame.add(
                    {"stop",
                     "has only a loss to stop at, which a run may never reach; give seconds, updates or "
                     "samples too",
                     locate(sweep.experiment(), "stop").value->line},
                    combination);
            }
        } catch (const ExperimentError& error) {
            for (const Problem& problem : error.problems()) {
                blame.add(problem, combination);
            }
        }
    }
    blame.throwAny();
}

std::string fingerprintOf(const Sweep& sweep)
{
    Fingerprint fingerprint;
    for (const char byte : jsonText(withoutWords(sweep.root)) + programVersion()) {
        fingerprint.add(static_cast<std::int32_t>(static_cast<unsigned char>(byte)));
    }
    char digits[16];
    const std::to_chars_result result =
        std::to_chars(digits, digits + sizeof digits, fingerprint.value(), 16);
    const std::string text(digits, result.ptr);
    return std::string(sizeof digits - text.size(), '0') + text;
}

} // namespace lab
