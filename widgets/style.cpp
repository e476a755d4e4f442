#include "widgets/style.h"

#include <QApplication>
#include <QFile>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <utility>

// Resources of a static library are only linked when something names them; the macro must stand outside a namespace.
static void loadResources() { Q_INIT_RESOURCE(resources); }

namespace lab {

namespace {

QString styleSheetFor(const Theme& theme)
{
    QFile file(QStringLiteral(":/style.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QString sheet = QString::fromUtf8(file.readAll());
    // Longer words first: @accent is the beginning of @accent_text.
    const std::pair<const char*, QColor> words[] = {
        {"@accent_text", theme.accent_text},
        {"@accent_soft", theme.accent_soft},
        {"@accent", theme.accent},
        {"@on_accent", theme.on_accent},
        {"@border", theme.border},
        {"@card", theme.card},
        {"@inset", theme.inset},
        {"@link", theme.link},
        {"@muted", theme.muted},
        {"@text", theme.text},
        {"@track", theme.track},
        {"@well", theme.well},
        {"@window", theme.window},
    };
    for (const auto& [word, colour] : words) {
        sheet.replace(QLatin1String(word), colour.name());
    }
    sheet.replace(QLatin1String("@mode"), theme.is_dark ? QStringLiteral("dark") : QStringLiteral("light"));
    return sheet;
}

const char* const k_role = "textRole";

void dress(QWidget& widget)
{
    const auto role = static_cast<TextRole>(widget.property(k_role).toInt());
    widget.setFont(fontFor(role, QApplication::font()));
}

void dressAll()
{
    for (QWidget* widget : QApplication::allWidgets()) {
        if (widget->property(k_role).isValid()) {
            dress(*widget);
        }
    }
}

} // namespace

void setTextRole(QWidget& widget, TextRole role)
{
    widget.setProperty(k_role, static_cast<int>(role));
    dress(widget);
}

void applyFont(const QFont& font)
{
    QApplication::setFont(font);
    dressAll();
}

void applyTheme(QApplication& app, const Theme& theme)
{
    loadResources();
    // One base style everywhere: the style sheet is drawn and tested on Fusion.
    if (app.style()->objectName().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    QApplication::setPalette(paletteOf(theme));
    app.setStyleSheet(styleSheetFor(theme));
    dressAll(); // a new style sheet brings back the fonts that widgets had before the one before
}

} // namespace lab
