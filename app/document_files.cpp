#include "app/document_files.h"

#include "app/document.h"
#include "app/edits.h"
#include "app/headless.h"
#include "app/opened_session.h"
#include "app/recovery.h"
#include "app/safe_file.h"
#include "app/shipped_experiments.h"
#include "app/waiting_cursor.h"
#include "app/window_settings.h"
#include "core/base/error.h"
#include "core/experiment/experiment_json.h"
#include "core/experiment/live_replay.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace lab {

namespace {

/// The smallest experiment that shows something: four equal nodes, one group.
constexpr const char* k_new = R"({
  "format": "straggler-lab/experiment", "version": 1,
  "cluster": {"nodes": [{"name": "n1"}, {"name": "n2"}, {"name": "n3"}, {"name": "n4"}]},
  "strategy": {"kind": "bsp"}
})";

/// Beside `path`: `run-trace.csv` for `run.json`, with a number where that is taken.
QString freeTraceName(const QString& path)
{
    const QString stem =
        QStringLiteral("%1/%2-trace").arg(QFileInfo(path).absolutePath(), QFileInfo(path).completeBaseName());
    QString name = stem + QStringLiteral(".csv");
    for (int i = 2; QFileInfo::exists(name); ++i) {
        name = QStringLiteral("%1-%2.csv").arg(stem).arg(i);
    }
    return name;
}

QString filter() { return DocumentFiles::tr("Experiments (*.json);;All files (*)"); }

} // namespace

DocumentFiles::DocumentFiles(Document& document, QWidget& window)
    : QObject(&window),
      document_(document),
      window_(window)
{
}

void DocumentFiles::makeNew()
{
    if (mayLeave()) {
        Q_EMIT opened(parseExperiment(k_new, "new", {}), {});
    }
}

void DocumentFiles::chooseAndOpen()
{
    const QString folder = document_.path().isEmpty() ? QString() : QFileInfo(document_.path()).path();
    const QString path =
        QFileDialog::getOpenFileName(&window_, tr("Open experiment or session"), folder,
                                     tr("Experiments and sessions (*.json *.slab);;All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
}

bool DocumentFiles::open(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (isSessionFile(pathOf(whole))) {
        const bool is_open = openRun(whole, std::nullopt);
        recent_ = is_open ? withRecent(recent_, whole) : recent_;
        return is_open;
    }
    if (!mayLeave()) {
        return false;
    }
    try {
        const Experiment experiment = loadExperiment(pathOf(whole));
        recent_ = withRecent(recent_, whole);
        Q_EMIT opened(experiment, whole);
        return true;
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromStdString(error.what()));
        return false;
    }
}

bool DocumentFiles::openRun(const QString& session, std::optional<std::int64_t> number)
{
    if (!mayLeave()) {
        return false;
    }
    const WaitingCursor waiting;
    try {
        Q_EMIT sessionOpened(openSession(session, number));
        return true;
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromStdString(error.what()));
        return false;
    }
}

void DocumentFiles::openExample(const QString& name)
{
    const ShippedExperiment* shipped = findShippedExperiment(name.toStdString());
    if (shipped != nullptr && mayLeave()) {
        Q_EMIT opened(parseExperiment(shipped->json, std::string(shipped->name), {}), {});
    }
}

bool DocumentFiles::openUnsaved(const Experiment& experiment)
{
    if (!mayLeave()) {
        return false;
    }
    Q_EMIT recovered(experiment, {});
    return true;
}

bool DocumentFiles::save() { return document_.path().isEmpty() ? saveAs() : saveTo(document_.path()); }

bool DocumentFiles::saveAs()
{
    const QString path = chooseTarget(tr("Save experiment"));
    return !path.isEmpty() && saveTo(path);
}

bool DocumentFiles::saveTo(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    try {
        Experiment experiment = withFolder(document_.experiment(), pathOf(QFileInfo(whole).path()));
        writeWhole(whole, QByteArray::fromStdString(experimentToJson(experiment)));
        document_.markSaved(std::move(experiment), whole);
        recent_ = withRecent(recent_, whole);
        Q_EMIT done(tr("Saved as %1").arg(whole));
        return true;
    } catch (const Error& error) {
        Q_EMIT failed(tr("Not saved. %1").arg(QString::fromStdString(error.what())));
        return false;
    }
}

void DocumentFiles::saveCopy(const Experiment& experiment)
{
    const QString path = chooseTarget(tr("Save run as experiment"));
    if (path.isEmpty()) {
        return;
    }
    try {
        const Experiment moved = withFolder(experiment, pathOf(QFileInfo(path).absolutePath()));
        writeWhole(path, QByteArray::fromStdString(experimentToJson(moved)));
        Q_EMIT done(tr("Saved as %1").arg(path));
    } catch (const Error& error) {
        Q_EMIT failed(tr("Not saved. %1").arg(QString::fromStdString(error.what())));
    }
}

void DocumentFiles::saveReplay(const Experiment& journal, const LiveTrace& trace)
{
    if (const QString path = chooseTarget(tr("Save run as experiment")); !path.isEmpty()) {
        saveReplayTo(path, journal, trace);
    }
}

bool DocumentFiles::saveReplayTo(const QString& path, const Experiment& journal, const LiveTrace& trace)
{
    const QString trace_file = freeTraceName(path);
    try {
        const std::string csv = traceCsv(trace.task_seconds);
        if (csv.empty() || trace.until == TimePoint{}) {
            Q_EMIT failed(tr("Not saved. A live run can be saved when its first tasks have begun."));
            return false;
        }
        Experiment replay =
            replayOf(journal, QFile::encodeName(QFileInfo(trace_file).fileName()).toStdString(), trace);
        replay.folder = pathOf(QFileInfo(path).absolutePath());
        writeWhole(trace_file, QByteArray::fromStdString(csv));
        writeWhole(path, QByteArray::fromStdString(experimentToJson(replay)));
        Q_EMIT done(tr("Saved as %1, which needs %2 beside it").arg(path, QFileInfo(trace_file).fileName()));
        return true;
    } catch (const Error& error) {
        Q_EMIT failed(tr("Not saved. %1").arg(QString::fromStdString(error.what())));
        return false;
    }
}

QString DocumentFiles::chooseTarget(const QString& title)
{
    const QString start =
        document_.path().isEmpty() ? document_.displayName() + QStringLiteral(".json") : document_.path();
    QString path = QFileDialog::getSaveFileName(&window_, title, start, filter());
    if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) {
        path += QStringLiteral(".json");
    }
    return path;
}

bool DocumentFiles::mayLeave()
{
    if (!document_.isModified()) {
        return true;
    }
    QMessageBox question(QMessageBox::Question, tr("Straggler Lab"),
                         tr("Save the changes to %1?").arg(document_.displayName()),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
    question.setObjectName(QStringLiteral("unsavedQuestion"));
    question.setInformativeText(tr("They are lost otherwise."));
    question.setDefaultButton(QMessageBox::Save);
    switch (question.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

bool DocumentFiles::offerRecovery()
{
    for (const Leftover& leftover : Recovery::leftovers()) {
        QMessageBox question(QMessageBox::Question, tr("Straggler Lab"),
                             tr("The program ended before %1 was saved.").arg(leftover.title), {}, &window_);
        question.setObjectName(QStringLiteral("recoveryQuestion"));
        question.setInformativeText(tr("There is a copy of %1.").arg(leftover.saved_at));
        const auto* recover = question.addButton(tr("Recover"), QMessageBox::AcceptRole);
        const auto* discard = question.addButton(tr("Discard the copy"), QMessageBox::DestructiveRole);
        auto* later = question.addButton(tr("Keep it for later"), QMessageBox::RejectRole);
        question.setEscapeButton(later);
        question.exec();
        if (question.clickedButton() == discard) {
            Recovery::discard(leftover);
        } else if (question.clickedButton() == recover) {
            try {
                const QString folder =
                    leftover.origin.isEmpty() ? QString() : QFileInfo(leftover.origin).path();
                Q_EMIT recovered(parseExperiment(readWhole(leftover.file).toStdString(),
                                                 leftover.title.toStdString(), pathOf(folder)),
                                 leftover.origin);
                Recovery::discard(leftover);
                return true;
            } catch (const Error& error) {
                Q_EMIT failed(QString::fromStdString(error.what()));
            }
        }
    }
    return false;
}

void DocumentFiles::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : recent_) {
        const QFileInfo info(path);
        QAction* action = menu.addAction(QStringLiteral("%1  –  %2")
                                             .arg(info.fileName(), QDir::toNativeSeparators(info.path()))
                                             .replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setEnabled(info.isFile());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    if (recent_.isEmpty()) {
        menu.addAction(tr("No files yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Clear this list")), &QAction::triggered, this, [this] { recent_.clear(); });
}

} // namespace lab
