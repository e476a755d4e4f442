// What is recorded of the runs of this window, and recorded runs that are shown in it.

#include "app/main_window.h"

#include "app/action_table.h"
#include "app/document_files.h"
#include "app/recording.h"
#include "app/safe_file.h"
#include "app/waiting_cursor.h"
#include "core/base/error.h"
#include "core/experiment/session_save.h"
#include "core/experiment/session_tape.h"
#include "widgets/cluster_view.h"
#include "widgets/message_strip.h"
#include "widgets/run_bar.h"
#include "widgets/timeline_view.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace lab {

namespace {

constexpr std::int64_t k_most_recorded = std::int64_t{1} << 30; ///< bytes
constexpr std::size_t k_most_lines = 8;                         ///< of runs in a question

/// What is in a recording, for people. Empty where nothing is.
QString contentOf(const QString& file)
{
    if (QFileInfo(file).size() == 0) {
        return {};
    }
    try {
        const std::vector<SessionRun> runs = SessionReader(pathOf(file)).runs();
        QStringList lines;
        for (std::size_t i = runs.size() - std::min(runs.size(), k_most_lines); i < runs.size(); ++i) {
            lines << lineFor(runs[i]);
        }
        return lines.join(QLatin1Char('\n'));
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
}

} // namespace

void MainWindow::connectSessions()
{
    connect((*actions_)["saveSession"], &QAction::triggered, this, &MainWindow::saveSession);
    connect(files_, &DocumentFiles::sessionOpened, this, &MainWindow::showSession);
    connect(actions_->menu("sessionRuns"), &QMenu::aboutToShow, this, &MainWindow::fillSessionRuns);
}

void MainWindow::recordInto(const QString& folder)
{
    try {
        record(std::make_unique<Recording>(folder));
    } catch (const Error& error) {
        strip_->showError(tr("Runs are not recorded. %1").arg(QString::fromStdString(error.what())));
    }
}

void MainWindow::record(std::unique_ptr<Recording> recording)
{
    recording_ = std::move(recording);
    controller_.setRecording(
        RecordingPlan{.file = pathOf(recording_->file()), .most_bytes = k_most_recorded});
}

void MainWindow::tellWhereRecordingEnds(const Frame& frame)
{
    for (const LogEntry& entry : frame.log) {
        if (saysRecordingEnded(entry)) {
            was_greeted_ = true; // else the run that begins takes the message away with the guidance
            QString text = QString::fromStdString(entry.text);
            text.front() = text.front().toUpper();
            strip_->showError(text);
        }
    }
}

bool MainWindow::hasRecordedRuns() const { return recording_ && recording_->hasRuns(); }

void MainWindow::saveSession()
{
    if (!session_ && !hasRecordedRuns()) {
        strip_->showNote(tr("There is no session to save before a run has begun."));
        return;
    }
    const QString start = hasRecordedRuns()
        ? QFileInfo(document_.displayName()).completeBaseName() + QStringLiteral(".slab")
        : session_->path;
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save session"), start, tr("Sessions (*.slab);;All files (*)"));
    if (!path.isEmpty()) {
        saveSessionTo(QFileInfo(path).suffix().isEmpty() ? path + QStringLiteral(".slab") : path);
    }
}

bool MainWindow::saveSessionTo(const QString& path)
{
    const WaitingCursor waiting;
    try {
        if (hasRecordedRuns()) {
            lab::saveSession(pathOf(recording_->file()), pathOf(path));
            recording_->markSaved();
        } else if (session_) {
            copySession(pathOf(session_->path), pathOf(path));
        } else {
            throw Error(tr("No run has begun yet.").toStdString());
        }
        strip_->showNote(tr("Saved as %1").arg(path));
        return true;
    } catch (const Error& error) {
        strip_->showError(tr("Not saved. %1").arg(QString::fromStdString(error.what())));
        return false;
    }
}

void MainWindow::showSession(const OpenedSession& session)
{
    renewal_.stop();
    const std::shared_ptr<const OpenedRun> run = session.run;
    session_ = session;
    session_->run.reset(); // it is the controller's
    controller_.show(run);
    document_.open(run->journal, {});
    history_ = historyOf(run);
    cluster_->refresh(history_);
    bar_->setClock(toSeconds(history_.latest().now));
    timeline_->refresh(history_);
    timeline_->showAll();
    showCharts();
    showNodes();
    showStatus();
    if (!session.remark.isEmpty()) {
        strip_->showError(session.remark);
    } else if (session.runs.size() > 1) {
        strip_->showNote(tr("This is run %1 of %2. File ▸ Runs of this session shows another one.")
                             .arg(run->recorded.run.number)
                             .arg(session.runs.size()));
    } else {
        strip_->showNote(
            tr("This run is recorded. Click in the timeline to look at any of its moments; Reset makes a new "
               "run of it."));
    }
}

void MainWindow::takeSessionAlong()
{
    if (controller_.recorded() || !session_ || !recording_ || recording_->hasRuns()) {
        return;
    }
    const WaitingCursor waiting;
    try {
        copySession(pathOf(session_->path), pathOf(recording_->file()));
    } catch (const Error& error) {
        strip_->showNote(tr("What is run now will be in a session of its own. %1")
                             .arg(QString::fromStdString(error.what())));
    }
}

void MainWindow::fillSessionRuns()
{
    QMenu& menu = *actions_->menu("sessionRuns");
    menu.clear();
    if (!session_) {
        menu.addAction(tr("No session is open"))->setEnabled(false);
        return;
    }
    const auto& shown = controller_.recorded();
    for (const SessionRun& run : session_->runs) {
        QAction* action = menu.addAction(lineFor(run).replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(shown != nullptr && shown->recorded.run.number == run.number);
        connect(action, &QAction::triggered, this,
                [this, path = session_->path, number = run.number] { files_->openRun(path, number); });
    }
}

void MainWindow::offerRecordings()
{
    if (!recording_) {
        return;
    }
    for (const QString& file : Recording::leftovers(QFileInfo(recording_->file()).path())) {
        const QString content = contentOf(file);
        if (content.isEmpty()) {
            Recording::discard(file); // no run had begun
            continue;
        }
        QMessageBox question(QMessageBox::Question, tr("Straggler Lab"),
                             tr("The program ended while these runs were recorded."), {}, this);
        question.setObjectName(QStringLiteral("recordingQuestion"));
        question.setInformativeText(content);
        const auto* open = question.addButton(tr("Open"), QMessageBox::AcceptRole);
        const auto* discard = question.addButton(tr("Discard the recording"), QMessageBox::DestructiveRole);
        auto* later = question.addButton(tr("Keep it for later"), QMessageBox::RejectRole);
        question.setEscapeButton(later);
        question.exec();
        if (question.clickedButton() == discard) {
            Recording::discard(file);
        } else if (question.clickedButton() == open && files_->openRun(file, std::nullopt)) {
            if (session_->remark.isEmpty()) {
                if (auto taken = Recording::takeOver(file)) {
                    record(std::move(taken));
                }
                strip_->showNote(tr("This was recorded until the program ended. File ▸ Save session keeps "
                                    "it; else it is offered again at the next start."));
            }
            return;
        }
    }
}

} // namespace lab
