#pragma once

#include "core/experiment/experiment.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lab {

/// One `--set PATH=VALUE` of the command line: `strategy.kind=bsp`, `cluster.nodes[2].slowdown=4`.
struct Override {
    std::string path;
    std::string value; ///< JSON where it reads as such, else a string
};

/// Reads, overrides and validates. Throws ExperimentError that names the file, the line and the JSON path of every
/// problem; a file that cannot be opened, is no regular file, is larger than 16 MiB, nests deeper than 64 levels or
/// holds a key twice is a problem too.
[[nodiscard]] Experiment loadExperiment(const std::filesystem::path& file,
                                        std::span<const Override> overrides = {});

/// The same from text; `name` stands for the file in messages, `folder` is where relative paths start.
[[nodiscard]] Experiment parseExperiment(std::string_view text, const std::string& name,
                                         const std::filesystem::path& folder,
                                         std::span<const Override> overrides = {});

/// The same of an experiment that was run: files that it names need not be there any more.
[[nodiscard]] Experiment parseRecordedExperiment(std::string_view text, const std::string& name,
                                                 const std::filesystem::path& folder);

/// One event of the experiment as JSON text, as it stands in the file.
[[nodiscard]] std::string eventToJson(const Intervention& event, const Experiment& experiment);

/// The experiment as JSON text that parseExperiment reads back to an equal value. Fixed key order, shortest digits,
/// a newline at the end.
[[nodiscard]] std::string experimentToJson(const Experiment& experiment);

} // namespace lab
