#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/cluster/change.h"
#include "core/strategy/actor.h"
#include "core/strategy/prediction.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lab {

/// A parameter's value as a file or a form gives it.
using ParamValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// One parameter of a strategy: what the file may hold, and what the form shows.
struct ParamSpec {
    enum class Type { Whole, Real, Choice, Toggle, WholeOrAuto, WholesOrAuto };
    std::string name;  ///< the key in the experiment file
    std::string title; ///< the label on screen
    std::string help;  ///< one sentence
    Type type = Type::Whole;
    ParamValue initial;
    double least = 0;                 ///< numbers: smallest value allowed
    double most = 0;                  ///< numbers: largest value allowed
    std::vector<std::string> choices; ///< Choice: the words allowed
};

/// How the groups of a strategy come about (contract, section 3).
struct Grouping {
    enum class By { Speed, Members, Coding };
    By by = By::Speed;
    std::optional<int> count; ///< a fixed number of groups; nothing: chosen by the algorithm
    Partition members;        ///< By::Members only

    friend bool operator==(const Grouping&, const Grouping&) = default;
};

/// The strategy part of an experiment.
struct StrategyChoice {
    std::string kind = "bsp";
    std::map<std::string, ParamValue> values; ///< only what was given; the rest has its default

    friend bool operator==(const StrategyChoice&, const StrategyChoice&) = default;
};

/// What every strategy is told about the run it is for.
struct StrategySetup {
    std::size_t nodes = 0;
    std::vector<std::string> names; ///< of the nodes, for sentences
    int batch = 32;                 ///< samples of one ordinary task
    double learning_rate = 0.1;
    double momentum = 0.0;
    bool weigh_by_samples = true; ///< contract `update_weight`: samples or update
    std::uint64_t seed = 0;       ///< for codes and planners, never for data or delays
    Grouping grouping;
    StrategyChoice choice;
    Params start_at;                        ///< [model size] parameters at start_version
    Version start_version = 0;              ///< more than 0 where it takes over from another strategy
    std::vector<std::int64_t> rows_taken{}; ///< [nodes] of each stream, by that strategy; empty: none
};

struct Configuration;

/// One line of the catalogue.
struct StrategyInfo {
    std::string id;            ///< the name in the experiment file
    std::string title;         ///< the name on screen
    std::string short_title{}; ///< the name where room is short; empty: the title is short enough
    std::string explanation;   ///< one paragraph for people who do not know it
    std::string source;        ///< paper
    std::vector<ParamSpec> params;
    bool uses_groups = false; ///< `groups` of the experiment file matters
    std::function<std::unique_ptr<Actor>(const StrategySetup&)> make_server;
    /// What theory says of it, empty where it says nothing: call it through predict(), see configuration.h.
    std::function<Prediction(const StrategyInfo&, const Configuration&)> predict;
};

/// The name for where room is short.
[[nodiscard]] inline const std::string& shortTitle(const StrategyInfo& info)
{
    return info.short_title.empty() ? info.title : info.short_title;
}

/// The value of parameter `name`: what was chosen, else the default of the table. Requires a name of the table.
[[nodiscard]] ParamValue paramValue(const StrategyInfo&, const StrategyChoice&, const std::string& name);
[[nodiscard]] std::int64_t wholeParam(const StrategyInfo&, const StrategyChoice&, const std::string& name);
[[nodiscard]] double realParam(const StrategyInfo&, const StrategyChoice&, const std::string& name);
[[nodiscard]] std::string wordParam(const StrategyInfo&, const StrategyChoice&, const std::string& name);

} // namespace lab
