#pragma once

#include "core/learn/dataset.h"

#include <string>
#include <vector>

namespace lab {

/// Makes whole numbers classes, in ascending order, when there are at most 100 different ones; other numbers become
/// the targets of a regression. Throws Error `file: …` when all are the same.
void setLabels(Dataset& data, const std::string& file, const std::vector<double>& values);

/// Makes texts classes, in the order of their bytes. Throws Error `file: …` when there is only one, or more than 1000.
void setLabels(Dataset& data, const std::string& file, const std::vector<std::string>& values);

} // namespace lab
