#pragma once

#include <QFont>
#include <QObject>

#include <vector>

class QApplication;

namespace lab {

struct Theme;

/// Which theme a person wants; System is whichever the desktop uses, and follows it.
enum class ThemeChoice : std::uint8_t { System, Light, Dark };

/// How the whole program looks: its theme and the size of its text.
class Appearance final : public QObject {
    Q_OBJECT
public:
    /// Takes the system's theme and the application's font as they are now.
    explicit Appearance(QApplication& app, QObject* parent = nullptr);
    /// Text has its usual size again.
    ~Appearance() override;

    [[nodiscard]] ThemeChoice theme() const { return choice_; }
    void setTheme(ThemeChoice choice);

    /// 100 … 200 per cent of the system's size.
    [[nodiscard]] int textSize() const { return text_size_; }
    void setTextSize(int percent);

    /// The sizes that the menu offers.
    [[nodiscard]] static const std::vector<int>& textSizes();

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void followSystem();
    void apply();

    QApplication& app_;
    QFont usual_font_;
    ThemeChoice choice_ = ThemeChoice::System;
    bool system_is_dark_;
    const Theme* applied_ = nullptr;
    int text_size_ = 100;
    bool is_applying_ = false;
};

} // namespace lab
