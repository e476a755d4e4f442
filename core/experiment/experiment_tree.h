#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/json_tree.h"

#include <filesystem>
#include <span>
#include <string>

namespace lab {

/// A value that stands in for what an experiment's file says at a path: what --set and sweeps do.
struct Setting {
    std::string path; ///< such as `strategy.kind` or `cluster.nodes[2].slowdown`
    JsonValue value;
};

/// Whether the files that an experiment names are looked for.
enum class Files { MustBeThere, MayBeGone };

/// What parseExperiment() does once the text is a tree. In problems, `--set PATH` stands for what came from a setting.
[[nodiscard]] Experiment readExperimentTree(JsonDocument document, const std::string& name,
                                            const std::filesystem::path& folder,
                                            std::span<const Setting> settings,
                                            Files files = Files::MustBeThere);

/// The text of a JSON file of at most 16 MiB. `name` stands for the file in errors, `kind` for what it should be, as
/// in "experiment". Throws ExperimentError where there is no such file or it cannot be read.
[[nodiscard]] std::string readJsonFile(const std::filesystem::path& file, const std::string& name,
                                       const std::string& kind);

} // namespace lab
