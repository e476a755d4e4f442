#pragma once

#include "app/arguments.h"
#include "app/command_line.h"

namespace lab {

/// The words and options of `export` as a command; UsageError where they make none.
[[nodiscard]] Command parseExport(const Arguments& parts);

} // namespace lab
