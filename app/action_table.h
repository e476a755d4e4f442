#pragma once

#include <QHash>
#include <QObject>
#include <QString>

#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace lab {

/// One thing that a person can do, as the menus, the tool tips and the list of shortcuts show it.
struct ActionRow {
    enum class Kind : std::uint8_t {
        Action,  ///< in its menu, does something by itself
        Submenu, ///< a place in a menu that the window fills
        Key      ///< a key of one part of the window, only listed
    };
    Kind kind = Kind::Action;
    const char* name; ///< objectName; empty: a line between the actions around it
    const char* menu; ///< where it stands; for keys, the part of the window that they belong to
    const char* text;
    const char* keys; ///< portable, separated by spaces
    const char* help; ///< one sentence
};

/// All of them in the order of the menus: the one place where shortcuts are given out.
[[nodiscard]] const std::vector<ActionRow>& actionTable();

/// The actions of the table, made for a window, and its menu bar.
class Actions final : public QObject {
    Q_OBJECT
public:
    explicit Actions(QMainWindow& window);

    /// Requires a name of the table.
    [[nodiscard]] QAction* operator[](const char* name) const;
    /// The menu behind a Submenu row, or one of the menu bar by its title. Requires that there is one.
    [[nodiscard]] QMenu* menu(const char* name) const;

private:
    QHash<QString, QAction*> actions_;
    QHash<QString, QMenu*> menus_;
};

/// The list of shortcuts, by menu, as HTML.
[[nodiscard]] QString shortcutsHtml();

} // namespace lab
