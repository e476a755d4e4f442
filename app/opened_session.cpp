#include "app/opened_session.h"

#include "app/exports.h"
#include "app/recorded_past.h"
#include "app/run_words.h"
#include "app/safe_file.h"
#include "core/base/error.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lab::OpenedSession", text); }

/// For whoever looks at it, it does not go on.
void endHere(RunRecord& record)
{
    if (record.last.state != RunState::Failed) {
        record.last.state = RunState::Finished;
    }
    record.last.stop_reason = record.stop_reason;
}

QString endText(const SessionRun& run)
{
    if (run.isFinished()) {
        switch (run.stop_reason.value_or(StopReason::Seconds)) {
        case StopReason::Seconds:
            return tr("finished, all its time has passed");
        case StopReason::Updates:
            return tr("finished, all updates are made");
        case StopReason::Samples:
            return tr("finished, all samples are seen");
        case StopReason::Loss:
            return tr("finished, the loss aimed at is reached");
        case StopReason::Diverged:
            return tr("diverged at update %L1").arg(run.updates);
        case StopReason::Stalled:
            return tr("stalled, no node could make progress");
        case StopReason::Interrupted:
            break;
        }
    }
    if (run.state == "closed" || run.state == "paused") {
        return tr("left before its end");
    }
    if (run.state == "full") {
        return tr("cut off where the recording had become too large");
    }
    if (run.state == "failed") {
        return tr("failed");
    }
    return tr("cut off, the program ended");
}

} // namespace

OpenedSession openSession(const QString& path, std::optional<std::int64_t> number)
{
    const SessionReader reader(pathOf(path));
    OpenedSession session{path, reader.runs(), nullptr, QString::fromStdString(reader.damage())};
    if (session.runs.empty()) {
        throw Error(reader.name() + ": holds no run");
    }
    const auto say = [&session](const std::string& what) {
        if (!what.empty()) {
            session.remark +=
                (session.remark.isEmpty() ? QString() : QStringLiteral(" ")) + QString::fromStdString(what);
        }
    };
    std::optional<Error> last_error;
    for (auto run = session.runs.rbegin(); run != session.runs.rend() && session.run == nullptr; ++run) {
        if (number && run->number != *number) {
            continue;
        }
        try {
            OpenedRun opened = openRun(reader, run->number);
            endHere(opened.recorded.record);
            say(opened.recorded.damage);
            session.run = std::make_shared<const OpenedRun>(std::move(opened));
        } catch (const Error& error) {
            last_error = error;
            say(error.what());
        }
    }
    if (session.run == nullptr) {
        throw last_error ? *last_error : Error(reader.name() + ": holds no such run");
    }
    return session;
}

QString lineFor(const SessionRun& run)
{
    return tr("%1 · %2 · seed %3 · %4 s · %5")
        .arg(QString::number(run.number), strategyTitle(run.head.strategy), QString::number(run.head.seed),
             QString::number(toSeconds(run.end), 'g', 4), endText(run));
}

QString recordedText(const OpenedRun& run)
{
    const QString text = tr("Recorded: %1").arg(endText(run.recorded.run));
    const std::string& message = run.recorded.record.last.message;
    return message.empty() ? text : QStringLiteral("%1 · %2").arg(text, QString::fromStdString(message));
}

RunHistory historyOf(std::shared_ptr<const OpenedRun> run)
{
    RunHistory history = historyOf(run->journal, run->recorded.record);
    const auto past = std::make_shared<RecordedPast>(std::move(run));
    history.setPast({[past](TimePoint moment) { return past->at(moment); },
                     [past](Version version) { return past->before(version); }});
    return history;
}

} // namespace lab
