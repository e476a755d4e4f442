#include "widgets/theme.h"

namespace lab {

namespace {

Theme makeLight()
{
    Theme theme;
    theme.window = QColor(0xF4F6F8);
    theme.card = QColor(0xFFFFFF);
    theme.inset = QColor(0xFAFBFC);
    theme.well = QColor(0xF4F6F8);
    theme.border = QColor(0xDFE4EA);
    theme.text = QColor(0x1B2430);
    theme.muted = QColor(0x5F6B78);
    theme.accent = QColor(0x0072B2);
    theme.accent_text = QColor(0x0072B2);
    theme.accent_soft = QColor(0xEEF5FA);
    theme.on_accent = QColor(0xFFFFFF);
    theme.track = QColor(0xE6EAEE);
    theme.lane = QColor(0xF6F8FA);
    theme.link = QColor(0xB8C4D0);
    theme.event = QColor(0xD55E00);
    theme.event_text = QColor(0xB04A00);
    theme.staleness = QColor(0xCC79A7);
    theme.badge = QColor(0xF6E9F1);
    theme.badge_text = QColor(0x8A3B68);
    theme.activity = {{
        {QColor(0x0072B2), QColor(0x0072B2), QColor(0x0072B2), Texture::Solid},
        {QColor(0x5A9CC6), QColor(0xDCEAF4), QColor(0x2F6E97), Texture::Cross},
        {QColor(0x009E73), QColor(0x009E73), QColor(0x00785A), Texture::Solid},
        {QColor(0xE69F00), QColor(0xF9EAC7), QColor(0x8A5F00), Texture::Hatch},
        {QColor(0x9AA4AF), QColor(0xEDF0F3), QColor(0x5F6B78), Texture::BackHatch},
    }};
    theme.series = {QColor(0x0072B2), QColor(0xD55E00), QColor(0x009E73), QColor(Qt::black),
                    QColor(0xB8558B), QColor(0xB87A00), QColor(0x2B8CC4)};
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.is_dark = true;
    theme.window = QColor(0x12161B);
    theme.card = QColor(0x1C2128);
    theme.inset = QColor(0x20262E);
    theme.well = QColor(0x262D36);
    theme.border = QColor(0x343C47);
    theme.text = QColor(0xE8ECF1);
    theme.muted = QColor(0xA3AEBA);
    theme.accent = QColor(0x1F7FBF);
    theme.accent_text = QColor(0x6DBDF0);
    theme.accent_soft = QColor(0x1B2F3F);
    theme.on_accent = QColor(0xFFFFFF);
    theme.track = QColor(0x36404B);
    theme.lane = QColor(0x232A32);
    theme.link = QColor(0x55616E);
    theme.event = QColor(0xF08A3C);
    theme.event_text = QColor(0xF6A15F);
    theme.staleness = QColor(0xCC79A7);
    theme.badge = QColor(0x46293A);
    theme.badge_text = QColor(0xF0B3D2);
    theme.activity = {{
        {QColor(0x3B97D3), QColor(0x3B97D3), QColor(0x6DBDF0), Texture::Solid},
        {QColor(0x5F8FB0), QColor(0x263A49), QColor(0x8FBBD8), Texture::Cross},
        {QColor(0x1DB389), QColor(0x1DB389), QColor(0x3DCBA3), Texture::Solid},
        {QColor(0xE69F00), QColor(0x4A3B18), QColor(0xF2B83F), Texture::Hatch},
        {QColor(0x7B8794), QColor(0x2B323A), QColor(0xA3AEBA), Texture::BackHatch},
    }};
    theme.series = {QColor(0x56B4E9), QColor(0xE69F00), QColor(0x2BB98F), QColor(0xF0E442),
                    QColor(0xF0742A), QColor(0xD98BB6), QColor(0xFFFFFF)};
    return theme;
}

struct RoleLook {
    double scale; ///< of the application's font, which is 12 px on most desktops
    QFont::Weight weight;
};

RoleLook lookOf(TextRole role)
{
    switch (role) {
    case TextRole::Title:
        return {15.0 / 12.0, QFont::Bold};
    case TextRole::Clock:
        return {14.0 / 12.0, QFont::Bold};
    case TextRole::Heading:
        return {13.0 / 12.0, QFont::DemiBold};
    case TextRole::Name:
        return {13.0 / 12.0, QFont::Bold};
    case TextRole::Body:
        return {1.0, QFont::Normal};
    case TextRole::Strong:
        return {1.0, QFont::DemiBold};
    case TextRole::Small:
        return {11.0 / 12.0, QFont::Normal};
    case TextRole::SmallStrong:
        return {11.0 / 12.0, QFont::DemiBold};
    case TextRole::Tiny:
        return {10.5 / 12.0, QFont::Normal};
    }
    return {1.0, QFont::Normal};
}

} // namespace

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& themeOf(const QPalette& palette)
{
    // Not by the ground: a style sheet makes that transparent where cards shine through.
    return palette.color(QPalette::WindowText).lightness() > 128 ? darkTheme() : lightTheme();
}

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.inset);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.card);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.on_accent);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.on_accent);
    palette.setColor(QPalette::Link, theme.accent_text);
    palette.setColor(QPalette::LinkVisited, theme.accent_text);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Light, theme.card);
    palette.setColor(QPalette::Midlight, theme.inset);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.muted);
    palette.setColor(QPalette::Shadow, theme.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        QColor faded = theme.muted;
        faded.setAlpha(150);
        palette.setColor(QPalette::Disabled, role, faded);
    }
    return palette;
}

QFont fontFor(TextRole role, const QFont& base)
{
    const RoleLook look = lookOf(role);
    QFont font = base;
    if (base.pointSizeF() > 0) {
        font.setPointSizeF(base.pointSizeF() * look.scale);
    } else {
        font.setPixelSize(qRound(base.pixelSize() * look.scale));
    }
    font.setWeight(look.weight);
    return font;
}

} // namespace lab
