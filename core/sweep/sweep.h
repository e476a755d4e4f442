#pragma once

#include "core/compare/target.h"
#include "core/experiment/experiment.h"
#include "core/experiment/experiment_tree.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// One value of a factor: what it puts into the experiment.
struct FactorValue {
    std::string label; ///< for tables; one line, once in its factor
    std::vector<Setting> settings;
    std::string where; ///< its path in the sweep's file
    int line = 0;      ///< and its line
};

/// Something that differs between runs of a sweep: the strategy, a slowdown, the learning rate.
struct Factor {
    std::string name;
    std::vector<FactorValue> values; ///< in the order of the file
};

/// Many runs of one experiment: every combination of the values of some factors, each with every seed.
///
/// Runs have numbers from 0 that never depend on anything but the file: the first factor changes slowest, the seed
/// fastest.
struct Sweep {
    std::string file; ///< how the user named it
    std::string title;
    std::string notes;
    std::string
        experiment_file; ///< the experiment's own file, for messages; the sweep's where it stands in there
    std::filesystem::path folder; ///< where the experiment's relative paths start
    JsonValue root;               ///< the whole file, the experiment in its place
    std::vector<Factor> factors;
    std::vector<std::uint64_t> seeds;
    std::optional<Target> target;
    std::optional<std::size_t>
        tune; ///< the factor whose best value is found for each combination of the others
    std::optional<std::size_t> compare; ///< the factor whose values compete in the map of winners

    [[nodiscard]] std::size_t runs() const;
    [[nodiscard]] const JsonValue& experiment() const { return *root.member("experiment"); }
};

/// What one run is made of.
struct Combination {
    std::vector<std::size_t> values; ///< [factors] the value of each
    std::uint64_t seed = 0;
};

/// Requires index < sweep.runs().
[[nodiscard]] Combination combinationOf(const Sweep& sweep, std::size_t index);

/// `strategy = hybrid, learning rate = 0.1`: the labels without the seed; empty where nothing varies.
[[nodiscard]] std::string labelsOf(const Sweep& sweep, const std::vector<std::size_t>& values);

/// The experiment of one run. Throws ExperimentError where it is none.
[[nodiscard]] Experiment experimentOf(const Sweep& sweep, std::size_t index);

/// Throws ExperimentError that lists every value which gives an experiment with problems, with one run in which it
/// does, or a run without an end: only a loss to stop at, which may never come.
void checkCombinations(const Sweep& sweep);

/// The part of a sweep that one of several machines does: every `of`-th run, the first being `part` - 1.
struct Slice {
    std::size_t part = 1; ///< 1 … of
    std::size_t of = 1;
    [[nodiscard]] bool holds(std::size_t index) const { return index % of == part - 1; }
};

/// Whether a file says of itself that it is a sweep; what else it holds may be wrong.
[[nodiscard]] bool isSweepFile(const std::filesystem::path& file);

/// Reads the file and the experiment that it names. Throws ExperimentError that names file, line and JSON path of
/// every problem; combinations are not looked at yet.
[[nodiscard]] Sweep loadSweep(const std::filesystem::path& file);
/// The same from a tree; `name` stands for the file, `folder` is where its relative paths start.
[[nodiscard]] Sweep readSweep(JsonDocument document, const std::string& name,
                              const std::filesystem::path& folder);

/// 16 hexadecimal digits of everything that decides the runs and their figures: all but titles and notes, and the
/// program's version.
[[nodiscard]] std::string fingerprintOf(const Sweep& sweep);

} // namespace lab
