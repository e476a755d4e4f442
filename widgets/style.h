#pragma once

class QApplication;

namespace lab {

struct Theme;

/// Gives the whole application the theme's palette and style sheet. Cheap enough to call whenever the theme changes.
void applyTheme(QApplication& app, const Theme& theme);

} // namespace lab
