#include "app/recovery.h"

#include "app/document.h"
#include "app/safe_file.h"
#include "core/base/error.h"
#include "core/experiment/experiment_json.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStandardPaths>
#include <QUuid>

namespace lab {

namespace {

constexpr int k_every_ms = 30'000;
const char* const k_copy = ".json";
const char* const k_origin = ".origin";
const char* const k_lock = ".lock";

QString with(const QString& path, const char* extension) { return path + QLatin1String(extension); }

QDir recoveryFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
                + QStringLiteral("/straggler-lab/recovery"));
}

} // namespace

Recovery::Recovery(Document& document, QObject* parent) : QObject(parent), document_(document)
{
    path_ = recoveryFolder().filePath(QUuid::createUuid().toString(QUuid::WithoutBraces));
    timer_.setSingleShot(true);
    timer_.setInterval(k_every_ms);
    connect(&timer_, &QTimer::timeout, this, &Recovery::keepUp);
    connect(&document_, &Document::changed, this, &Recovery::notice);
}

Recovery::~Recovery() { takeAway(); }

void Recovery::notice()
{
    if (!document_.isModified()) {
        takeAway();
    } else if (!timer_.isActive()) {
        timer_.start();
    }
}

bool Recovery::keepUp()
{
    timer_.stop();
    if (!document_.isModified()) {
        takeAway();
        return true;
    }
    try {
        if (!recoveryFolder().mkpath(QStringLiteral("."))) {
            throw Error(recoveryFolder().path().toStdString() + ": cannot be made");
        }
        if (!lock_) {
            lock_ = std::make_unique<QLockFile>(with(path_, k_lock));
            lock_->setStaleLockTime(0); // it is stale when its process is gone, however long it ran
            lock_->tryLock();
        }
        writeWhole(with(path_, k_origin), document_.path().toUtf8());
        writeWhole(with(path_, k_copy), QByteArray::fromStdString(experimentToJson(document_.experiment())));
        return true;
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromStdString(error.what()));
        return false;
    }
}

void Recovery::takeAway()
{
    timer_.stop();
    if (lock_) {
        QFile::remove(with(path_, k_copy));
        QFile::remove(with(path_, k_origin));
        lock_.reset();
    }
}

std::vector<Leftover> Recovery::leftovers()
{
    std::vector<Leftover> found;
    const QDir folder = recoveryFolder();
    for (const QFileInfo& copy : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        const QString path = folder.filePath(copy.completeBaseName());
        QLockFile lock(with(path, k_lock));
        lock.setStaleLockTime(0);
        if (!lock.tryLock()) {
            continue; // its program is still running
        }
        Leftover leftover;
        leftover.file = copy.filePath();
        leftover.saved_at = QLocale().toString(copy.lastModified(), QLocale::ShortFormat);
        try {
            leftover.origin = QString::fromUtf8(readWhole(with(path, k_origin)));
        } catch (const Error&) {
            leftover.origin.clear(); // the copy alone is worth more than nothing
        }
        leftover.title = leftover.origin.isEmpty() ? copy.fileName() : QFileInfo(leftover.origin).fileName();
        found.push_back(leftover);
    }
    return found;
}

void Recovery::discard(const Leftover& leftover)
{
    const QFileInfo copy(leftover.file);
    const QString path = copy.dir().filePath(copy.completeBaseName());
    for (const char* extension : {k_copy, k_origin, k_lock}) {
        QFile::remove(with(path, extension));
    }
}

} // namespace lab
