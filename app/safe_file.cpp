#include "app/safe_file.h"

#include "core/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace lab {

namespace {

[[noreturn]] void fail(const QString& path, const QString& cause)
{
    throw Error(QStringLiteral("%1: %2").arg(path, cause).toStdString());
}

QString systemCause(int error) { return QString::fromLocal8Bit(std::strerror(error)); }

/// A new name in a folder is only safe when the folder is. Some file systems cannot do that; then nothing is lost.
void syncFolderOf(const QString& path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    const int descriptor = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

} // namespace

std::filesystem::path pathOf(const QString& path) { return QFile::encodeName(path).toStdString(); }

void writeWhole(const QString& path, const QByteArray& bytes)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) {
        fail(path, QStringLiteral("is not a regular file"));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        fail(path, file.errorString());
    }
    // QSaveFile reports neither a short write nor a full disk (Qt 6.4): a good file would be replaced by half of a new
    // one.
    qint64 written = 0;
    while (written < bytes.size()) {
        errno = 0;
        const qint64 some = file.write(bytes.constData() + written, bytes.size() - written);
        if (some <= 0 || !file.flush()) {
            break;
        }
        written += some;
    }
    const bool is_on_disk = written == bytes.size() && file.flush() && ::fsync(file.handle()) == 0
        && ::lseek(file.handle(), 0, SEEK_END) == bytes.size();
    if (!is_on_disk) {
        const int error = errno;
        file.cancelWriting();
        file.commit();
        fail(path, error != 0 ? systemCause(error) : QStringLiteral("only a part of it could be written"));
    }
    if (!file.commit()) {
        fail(path, file.errorString());
    }
    syncFolderOf(path);
}

QString whyNotWritable(const QString& path)
{
    const QFileInfo info(path);
    const QFileInfo folder(info.absolutePath());
    if (path.isEmpty() || info.fileName().isEmpty()) {
        return QCoreApplication::translate("lab::SafeFile", "The file needs a name.");
    }
    if (info.isDir()) {
        return QCoreApplication::translate("lab::SafeFile", "%1 is a folder.").arg(path);
    }
    if (info.exists() && !info.isFile()) {
        return QCoreApplication::translate("lab::SafeFile", "%1 is not a regular file.").arg(path);
    }
    if (!folder.isDir()) {
        return QCoreApplication::translate("lab::SafeFile", "There is no folder %1.").arg(folder.filePath());
    }
    if (!folder.isWritable() || (info.exists() && !info.isWritable())) {
        return QCoreApplication::translate("lab::SafeFile", "%1 may not be written.").arg(path);
    }
    return {};
}

QByteArray readWhole(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        fail(path, file.errorString());
    }
    QByteArray bytes = file.readAll();
    if (file.error() != QFileDevice::NoError) {
        fail(path, file.errorString());
    }
    return bytes;
}

} // namespace lab
