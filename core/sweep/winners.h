#pragma once

#include "core/sweep/cells.h"

#include <string>
#include <vector>

namespace lab {

/// Which value of the compared factor wins where the factors of the rows and columns have these values.
struct WinnerMap {
    std::string title;  ///< the values of all other factors; empty where there are none
    std::string corner; ///< names of the factors of rows and columns
    std::vector<std::string> columns;
    struct Row {
        std::string label;
        std::vector<std::string> winners; ///< [columns]
    };
    std::vector<Row> rows;
};

/// For each combination of the factors beside the compared one, the tuned one and the last two of the others, a map
/// over these two. A cell names the winner and its median seconds, and after `≈` everybody whose median lies within
/// the winner's range over the seeds: there the sweep does not tell them apart. Requires sweep.compare.
[[nodiscard]] std::vector<WinnerMap> winnerMaps(const Sweep& sweep, const std::vector<BestCell>& best);

} // namespace lab
