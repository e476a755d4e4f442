#pragma once

#include "core/experiment/experiment.h"

#include <string>
#include <vector>

namespace lab {

/// A value that two experiments do not share.
struct ParameterDifference {
    std::string path; ///< in the experiment's file, such as `cluster.nodes[2].slowdown`
    std::string a;    ///< as JSON text; empty: not there
    std::string b;

    friend bool operator==(const ParameterDifference&, const ParameterDifference&) = default;
};

/// Where two experiments differ, in the order of the file. Values are compared as the file has them, with the strategy's
/// defaults filled in, so that a default that is written out is no difference. Titles and notes are none either.
[[nodiscard]] std::vector<ParameterDifference> differencesOf(const Experiment& a, const Experiment& b);

} // namespace lab
