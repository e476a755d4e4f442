#include "app/recording.h"

#include "core/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <utility>

namespace lab {

namespace {

/// To be held by whoever uses the file.
std::unique_ptr<QLockFile> openLock(const QString& file)
{
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // it is stale when its process is gone, however long it ran
    return lock;
}

/// Held; null where somebody else does.
std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    auto lock = openLock(file);
    if (!lock->tryLock()) {
        return nullptr;
    }
    return lock;
}

void removeAll(const QString& file)
{
    // The log goes last: without its file it is nothing, and a file without its log would lose its end.
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
        QFile::remove(file + QLatin1String(ending));
    }
}

} // namespace

Recording::Recording(const QString& folder)
{
    const QDir dir(folder);
    if (!dir.mkpath(QStringLiteral("."))) {
        throw Error(folder.toStdString() + ": cannot be made");
    }
    const QString stem = QString::number(QCoreApplication::applicationPid());
    for (int number = 1; lock_ == nullptr; ++number) {
        file_ = dir.absoluteFilePath(QStringLiteral("%1-%2.slab").arg(stem).arg(number));
        if (QFileInfo::exists(file_)) {
            continue;
        }
        auto lock = openLock(file_);
        if (lock->tryLock()) {
            lock_ = std::move(lock);
        } else if (lock->error() != QLockFile::LockFailedError) {
            throw Error(folder.toStdString() + ": cannot be written to");
        }
    }
}

Recording::Recording(QString file, std::unique_ptr<QLockFile> lock)
    : file_(std::move(file)),
      lock_(std::move(lock)),
      is_left_over_(true)
{
}

Recording::~Recording()
{
    if (!is_left_over_) {
        removeAll(file_);
    }
}

std::unique_ptr<Recording> Recording::takeOver(const QString& file)
{
    std::unique_ptr<QLockFile> lock = lockOf(file);
    return lock == nullptr ? nullptr : std::unique_ptr<Recording>(new Recording(file, std::move(lock)));
}

bool Recording::hasRuns() const { return QFileInfo::exists(file_); }

QString Recording::usualFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/straggler-lab/recordings");
}

std::vector<QString> Recording::leftovers(const QString& folder)
{
    std::vector<QString> found;
    const QDir dir(folder);
    for (const QFileInfo& one : dir.entryInfoList({QStringLiteral("*.slab")}, QDir::Files, QDir::Time)) {
        if (lockOf(one.absoluteFilePath()) != nullptr) {
            found.push_back(one.absoluteFilePath());
        }
    }
    return found;
}

void Recording::discard(const QString& file)
{
    if (const auto lock = lockOf(file)) {
        removeAll(file);
    }
}

} // namespace lab
