#pragma once

#include <QByteArray>
#include <QString>

#include <filesystem>

namespace lab {

/// The same path for core.
[[nodiscard]] std::filesystem::path pathOf(const QString& path);

/// Writes a file whole or not at all: `bytes` go beside it, onto the disk, and then take its name. What was there stays
/// untouched where anything fails; a symbolic link stays one. Throws Error that names the path and the cause.
void writeWhole(const QString& path, const QByteArray& bytes);

/// What stands in the way of writing a file there, in words; empty where nothing is seen. Changes nothing.
[[nodiscard]] QString whyNotWritable(const QString& path);

/// All of a file. Throws Error that names the path and the cause.
[[nodiscard]] QByteArray readWhole(const QString& path);

} // namespace lab
