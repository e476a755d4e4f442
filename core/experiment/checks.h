#pragma once

#include "core/experiment/experiment.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lab {

inline constexpr double k_most_seconds = 1e9; ///< of a run: 31 years
inline constexpr double k_least_slowdown = 1e-3;
inline constexpr double k_most_slowdown = 1e6;

/// validate() without the order of events and of group members: both may stand as the file has them, so that the
/// paths in the problems are the file's.
[[nodiscard]] std::vector<Problem> checkContent(const Experiment& experiment);

/// Files and folders that the experiment names and that are not there.
[[nodiscard]] std::vector<Problem> checkFiles(const Experiment& experiment);

/// What is wrong with one parameter of a strategy on so many nodes, if anything is.
[[nodiscard]] std::optional<std::string> checkParam(const ParamSpec& spec, const ParamValue& value,
                                                    std::size_t nodes);

/// The values a parameter may have, in words: `a whole number from 1 to 8`.
[[nodiscard]] std::string allowedValues(const ParamSpec& spec);

/// The strategy's parameter of that name, or null.
[[nodiscard]] const ParamSpec* findParam(const StrategyInfo& info, std::string_view name);

/// Its updates are decoded from a gradient code.
[[nodiscard]] bool usesCode(const StrategyInfo& info);

/// A number as a person writes it: 1000000 rather than 1e+06.
[[nodiscard]] std::string plainNumber(double value);

/// Gathers problems.
class Checks {
public:
    void that(bool is_so, std::string where, std::string otherwise)
    {
        if (!is_so) {
            list_.push_back({std::move(where), std::move(otherwise), 0});
        }
    }
    void fromTo(double value, double least, double most, std::string where, const char* what = "a number")
    {
        that(value >= least && value <= most, std::move(where),
             std::string("must be ") + what + " from " + plainNumber(least) + " to " + plainNumber(most));
    }
    void whole(std::int64_t value, double least, double most, std::string where)
    {
        fromTo(static_cast<double>(value), least, most, std::move(where), "a whole number");
    }
    void aboveTo(double value, double below, double most, std::string where)
    {
        that(value > below && value <= most, std::move(where),
             "must be a number above " + plainNumber(below) + " and at most " + plainNumber(most));
    }
    /// At least 0 and below 1.
    void share(double value, std::string where)
    {
        that(value >= 0 && value < 1, std::move(where), "must be a number at least 0 and below 1");
    }
    void slowdown(double value, std::string where)
    {
        fromTo(value, k_least_slowdown, k_most_slowdown, std::move(where));
    }

    /// What was found in an experiment of its own, which stands at `where` in this one.
    void within(const std::string& where, Checks part)
    {
        for (Problem& problem : part.list_) {
            that(false, where + '.' + problem.where, std::move(problem.what));
        }
    }

    [[nodiscard]] std::vector<Problem> list() && { return std::move(list_); }

private:
    std::vector<Problem> list_;
};

// Each looks at one part of an experiment.
void checkGroups(const Experiment& experiment, Checks& checks);
void checkStrategy(const Experiment& experiment, Checks& checks);
void checkEvents(const Experiment& experiment, Checks& checks);
void checkSwitches(const Experiment& experiment, Checks& checks);

} // namespace lab
