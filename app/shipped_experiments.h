#pragma once

#include <span>
#include <string_view>

namespace lab {

/// An experiment that is part of the program, so that it can be opened wherever the program is started from.
struct ShippedExperiment {
    std::string_view name; ///< its file's name without the extension
    std::string_view json;
};

/// All of them, in the order of experiments/list.cmake.
[[nodiscard]] std::span<const ShippedExperiment> shippedExperiments();

/// The experiment of that name, with or without `.json`; null where there is none.
[[nodiscard]] const ShippedExperiment* findShippedExperiment(std::string_view name);

} // namespace lab
