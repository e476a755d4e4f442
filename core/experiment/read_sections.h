#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/json_reader.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace lab {

/// What every section's reader needs to know.
struct Reading {
    Complaints& complaints;
    /// --set chose another strategy than the file: what the file says for its own strategy and the new one cannot use
    /// is passed over without a word.
    bool is_other_strategy = false;
    /// Filled while reading: where in the file's list each event of the experiment stands.
    std::vector<std::size_t> event_places = {};
};

/// The number of each node by its name.
using NodeNames = std::unordered_map<std::string, NodeId>;

/// Reads a whole experiment file; what is wrong is in the complaints, and the rest has its value or default.
/// Events and group members stand as the file has them. Nothing where the file is no experiment of this version.
[[nodiscard]] std::optional<Experiment> readExperiment(const JsonValue& root, Reading& reading);

[[nodiscard]] DataSpec readData(const JsonValue& value, Reading& reading);
[[nodiscard]] ClusterSpec readCluster(const JsonValue& value, Reading& reading);
/// `where`: the value's path in the file, here and below.
[[nodiscard]] StrategyChoice readStrategy(const JsonValue& value, const std::string& where, std::size_t nodes,
                                          Reading& reading);
/// `info` is the strategy that the groups are for; null where it is unknown.
[[nodiscard]] Grouping readGroups(const JsonValue& value, const std::string& where, const NodeNames& names,
                                  const StrategyInfo* info, Reading& reading);
[[nodiscard]] std::vector<Intervention> readEvents(const JsonValue& value, const NodeNames& names,
                                                   const StrategyInfo* info, Reading& reading);

[[nodiscard]] std::vector<StrategySwitch> readSwitches(const JsonValue& value, const NodeNames& names,
                                                       std::size_t nodes, Reading& reading);

/// A strategy parameter's value as its type wants it; nothing where the JSON value is of another type.
[[nodiscard]] std::optional<ParamValue> paramIn(const JsonValue& value, ParamSpec::Type type);

} // namespace lab
