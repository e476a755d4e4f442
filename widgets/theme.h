#pragma once

#include "core/record/record.h"

#include <QColor>
#include <QFont>
#include <QPalette>

#include <array>

namespace lab {

/// How an activity is told from the others without colour.
enum class Texture : std::uint8_t { Solid, Hatch, BackHatch, Cross };

/// One activity's look, the same on cards, timeline and charts.
struct ActivityLook {
    QColor ink;    ///< bars, stripes, lines of the texture
    QColor ground; ///< under the lines of a texture
    QColor text;   ///< its word; at least 4.5:1 on a card
    Texture texture = Texture::Solid;
};

/// Every colour of the window. There are two, light and dark, and a widget's palette says which of them it uses, so
/// that nothing needs to be told when the theme changes.
struct Theme {
    bool is_dark = false;
    QColor window;      ///< behind the cards
    QColor card;        ///< panels
    QColor inset;       ///< group boxes
    QColor well;        ///< fields and combo boxes
    QColor border;      ///< 1 px lines round cards
    QColor text;        ///< at least 4.5:1 on card
    QColor muted;       ///< secondary words; at least 4.5:1 on card
    QColor accent;      ///< the one accent: primary button, selection, sliders
    QColor accent_text; ///< the accent as text on a card
    QColor accent_soft; ///< ground of accented boxes
    QColor on_accent;   ///< text on the accent
    QColor track;       ///< empty part of bars and sliders
    QColor lane;        ///< empty timeline
    QColor link;        ///< dotted lines from groups to the server
    QColor event;       ///< flags of failures and other events
    QColor event_text;
    QColor staleness; ///< bars of the histogram
    QColor badge;     ///< ground of the staleness badge
    QColor badge_text;
    std::array<ActivityLook, k_activities> activity;
    std::array<QColor, 7>
        series; ///< Okabe and Ito in the order of their contrast on a card, darkened where needed

    [[nodiscard]] const ActivityLook& of(Activity one) const
    {
        return activity[static_cast<std::size_t>(one)];
    }
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();

/// The theme a palette belongs to, by the lightness of its text.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);

/// The palette that makes Qt's own drawing follow the theme.
[[nodiscard]] QPalette paletteOf(const Theme& theme);

/// Sizes of text, relative to the application's font, so that larger text enlarges all of them.
enum class TextRole : std::uint8_t { Title, Clock, Heading, Name, Body, Strong, Small, SmallStrong, Tiny };

[[nodiscard]] QFont fontFor(TextRole role, const QFont& base);

} // namespace lab
