#pragma once

#include "widgets/theme.h"

class QApplication;
class QWidget;

namespace lab {

/// Gives the whole application the theme's palette and style sheet. Cheap enough to call whenever the theme changes.
void applyTheme(QApplication& app, const Theme& theme);

/// Gives a widget the font of a role, and again each time the size of all text changes.
void setTextRole(QWidget& widget, TextRole role);

/// Makes `font` the application's, and derives the font of every widget that has a role from it.
void applyFont(const QFont& font);

} // namespace lab
