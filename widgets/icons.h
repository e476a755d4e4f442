#pragma once

#include <QColor>
#include <QIcon>

namespace lab {

enum class Glyph : std::uint8_t { Run, Pause, Step, Reset };

/// A small symbol in one colour, sharp at every screen scale.
[[nodiscard]] QIcon glyphIcon(Glyph glyph, const QColor& colour);

} // namespace lab
