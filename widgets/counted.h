#pragma once

#include <QString>

namespace lab {

/// A count in words: `one` where it is 1, else `many` with the count at its %1 or %L1.
///
/// Where the catalogue of a translation is missing, as in English, tr() with %n writes "1 nodes"; this needs none.
[[nodiscard]] QString counted(qint64 count, const QString& one, const QString& many);

} // namespace lab
