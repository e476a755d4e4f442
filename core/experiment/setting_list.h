#pragma once

#include "core/experiment/experiment.h"

#include <string>
#include <vector>

namespace lab {

/// A setting as its path in the experiment file and its value as JSON text.
struct SettingText {
    std::string path;
    std::string value;
    friend bool operator==(const SettingText&, const SettingText&) = default;
};

/// Every setting that is not as it would be had the file not said it, in the order of the file: what tells this
/// experiment from others. Names, title and notes are left out; a node's slowdown and jitter are not.
[[nodiscard]] std::vector<SettingText> settingsBeyondDefaults(const Experiment& experiment);

} // namespace lab
