#include "app/appearance.h"

#include "widgets/style.h"

#include <QApplication>
#include <QEvent>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_usual = 100;
constexpr int k_largest = 200;

} // namespace

const std::vector<int>& Appearance::textSizes()
{
    static const std::vector<int> sizes{k_usual, 125, 150, 175, k_largest};
    return sizes;
}

Appearance::Appearance(QApplication& app, QObject* parent)
    : QObject(parent),
      app_(app),
      usual_font_(QApplication::font()),
      system_is_dark_(themeOf(QApplication::palette()).is_dark)
{
    app_.installEventFilter(this);
    apply();
}

Appearance::~Appearance()
{
    if (text_size_ != k_usual) {
        applyFont(usual_font_);
    }
}

void Appearance::setTheme(ThemeChoice choice)
{
    if (choice != choice_) {
        choice_ = choice;
        apply();
    }
}

void Appearance::setTextSize(int percent)
{
    const int wanted = std::clamp(percent, k_usual, k_largest);
    if (wanted == text_size_) {
        return;
    }
    text_size_ = wanted;
    QFont font = usual_font_;
    if (usual_font_.pointSizeF() > 0) {
        font.setPointSizeF(usual_font_.pointSizeF() * wanted / k_usual);
    } else {
        font.setPixelSize(usual_font_.pixelSize() * wanted / k_usual);
    }
    applyFont(font);
    apply(); // a style sheet keeps the fonts it has resolved until it is set anew
}

bool Appearance::eventFilter(QObject* watched, QEvent* event)
{
    // ThemeChange: the desktop changed its colours; the other one: somebody gave the application another palette.
    const bool is_ours = watched == &app_ && event->type() == QEvent::ApplicationPaletteChange;
    if (!is_applying_ && (is_ours || event->type() == QEvent::ThemeChange)) {
        QMetaObject::invokeMethod(this, &Appearance::followSystem, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void Appearance::followSystem()
{
    const QPalette given = QApplication::palette();
    if (given.color(QPalette::Window) == applied_->window) {
        // Still the palette that we set: what the desktop would have is seen without it.
        is_applying_ = true;
        QApplication::setPalette(QPalette());
        is_applying_ = false;
    }
    system_is_dark_ = themeOf(QApplication::palette()).is_dark;
    apply();
}

void Appearance::apply()
{
    const bool is_dark = choice_ == ThemeChoice::System ? system_is_dark_ : choice_ == ThemeChoice::Dark;
    applied_ = is_dark ? &darkTheme() : &lightTheme();
    is_applying_ = true;
    applyTheme(app_, *applied_);
    is_applying_ = false;
    Q_EMIT changed();
}

} // namespace lab
