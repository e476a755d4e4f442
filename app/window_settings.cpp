#include "app/window_settings.h"

#include <QDebug>
#include <QSettings>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_version = 1;

QString folder() { return QStringLiteral("straggler-lab"); }

} // namespace

Remembered WindowSettings::load()
{
    const QSettings file(QSettings::IniFormat, QSettings::UserScope, folder(), folder());
    Remembered remembered;
    if (file.allKeys().isEmpty()) {
        return remembered;
    }
    if (file.status() != QSettings::NoError || file.value(QStringLiteral("version")).toInt() != k_version) {
        qInfo().noquote() << "straggler-lab: settings of another version are left alone:" << file.fileName();
        return remembered;
    }
    remembered.geometry = file.value(QStringLiteral("window/geometry")).toByteArray();
    remembered.docks = file.value(QStringLiteral("window/docks")).toByteArray();
    const int theme = file.value(QStringLiteral("look/theme")).toInt();
    remembered.theme = theme == 1 ? ThemeChoice::Light : theme == 2 ? ThemeChoice::Dark : ThemeChoice::System;
    const int size = file.value(QStringLiteral("look/text_size"), remembered.text_size).toInt();
    const auto& sizes = Appearance::textSizes();
    remembered.text_size = std::ranges::count(sizes, size) > 0 ? size : sizes.front();
    remembered.recent =
        file.value(QStringLiteral("files/recent")).toStringList().mid(0, Remembered::k_most_recent);
    remembered.was_greeted = file.value(QStringLiteral("window/greeted")).toBool();
    return remembered;
}

void WindowSettings::save(const Remembered& remembered)
{
    QSettings file(QSettings::IniFormat, QSettings::UserScope, folder(), folder());
    file.clear();
    file.setValue(QStringLiteral("version"), k_version);
    file.setValue(QStringLiteral("window/geometry"), remembered.geometry);
    file.setValue(QStringLiteral("window/docks"), remembered.docks);
    file.setValue(QStringLiteral("look/theme"), static_cast<int>(remembered.theme));
    file.setValue(QStringLiteral("look/text_size"), remembered.text_size);
    file.setValue(QStringLiteral("files/recent"), remembered.recent);
    file.setValue(QStringLiteral("window/greeted"), remembered.was_greeted);
}

QStringList withRecent(QStringList recent, const QString& path)
{
    recent.removeAll(path);
    recent.prepend(path);
    return recent.mid(0, Remembered::k_most_recent);
}

} // namespace lab
