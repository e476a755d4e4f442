#pragma once

#include "app/appearance.h"

#include <QByteArray>
#include <QStringList>

namespace lab {

/// What the program remembers from one start to the next.
struct Remembered {
    QByteArray geometry; ///< size and place of the window; empty: as usual
    QByteArray docks;    ///< where the panels are; empty: as usual
    ThemeChoice theme = ThemeChoice::System;
    int text_size = 100;      ///< per cent
    QStringList recent;       ///< paths, newest first, at most k_most_recent
    bool was_greeted = false; ///< the line of guidance was read once

    static constexpr int k_most_recent = 10;
};

/// Reads and writes it in the user's configuration. A file of another version, or one that cannot be read, counts as none:
/// it is said in the log and the program starts as it does the first time.
class WindowSettings final {
public:
    [[nodiscard]] static Remembered load();
    static void save(const Remembered& remembered);
};

/// `path` in front of the others, once, and no more than are kept.
[[nodiscard]] QStringList withRecent(QStringList recent, const QString& path);

} // namespace lab
