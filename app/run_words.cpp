#include "app/run_words.h"

#include "core/learn/model_catalog.h"
#include "core/strategy/strategy_catalog.h"
#include "widgets/run_history.h"

#include <QCoreApplication>

namespace lab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lab::MainWindow", text); }

} // namespace

QString strategyTitle(const Experiment& experiment) { return strategyTitle(experiment.strategy.kind); }

QString strategyTitle(const std::string& kind)
{
    const StrategyInfo* info = findStrategy(kind);
    return QString::fromStdString(info == nullptr ? kind : shortTitle(*info));
}

QString modelText(const Experiment& experiment)
{
    const ModelInfo* model = findModel(experiment.model.kind);
    if (model != nullptr && !model->isComputed()) {
        return tr("times alone");
    }
    const QString title =
        QString::fromStdString(model == nullptr ? experiment.model.kind : model->id).toUpper();
    const auto* named = std::get_if<std::string>(&experiment.data.source);
    return named == nullptr ? title : tr("%1 on %2").arg(title, QString::fromStdString(*named));
}

QString whyNoMoves(const Experiment& experiment)
{
    const StrategyInfo* info = findStrategy(experiment.strategy.kind);
    if (info == nullptr || info->uses_groups) {
        return {};
    }
    return tr("%1 decides itself who belongs together. Choose a strategy with groups to move nodes.")
        .arg(QString::fromStdString(shortTitle(*info)));
}

QString findingText(const Frame& frame, double updates_per_second, double idle_fraction)
{
    QStringList lines;
    if (frame.now == TimePoint{} || frame.is_measuring) {
        return {};
    }
    if (frame.theory.updates_per_second && updates_per_second > 0) {
        lines << tr("updates/s %1 · theory %2")
                     .arg(updates_per_second, 0, 'f', 2)
                     .arg(*frame.theory.updates_per_second, 0, 'f', 2);
    }
    if (frame.theory.idle_fraction) {
        lines << tr("idle %1 % · theory %2 %")
                     .arg(100 * idle_fraction, 0, 'f', 1)
                     .arg(100 * *frame.theory.idle_fraction, 0, 'f', 1);
    }
    return lines.join(QLatin1Char('\n'));
}

QString waitingRemark(const RunHistory& history, const Frame& frame)
{
    const NodeId node = mostWaitedFor(frame);
    return node.isValid() ? tr("%1 cost the others %2 s")
                                .arg(history.nameOf(node))
                                .arg(toSeconds(frame.nodes[node.index()].cost_others), 0, 'f', 1)
                          : tr("waiting, share of node time");
}

QString stateText(const Frame& frame)
{
    switch (frame.state) {
    case RunState::Ready:
        return tr("Ready");
    case RunState::Running:
        return tr("Running");
    case RunState::Paused:
        return tr("Paused");
    case RunState::Failed:
        return tr("Error: %1").arg(QString::fromStdString(frame.message));
    case RunState::Finished:
        break;
    }
    switch (frame.stop_reason.value_or(StopReason::Seconds)) {
    case StopReason::Seconds:
        return tr("Finished: all its time has passed");
    case StopReason::Updates:
        return tr("Finished: all updates are made");
    case StopReason::Samples:
        return tr("Finished: all samples are seen");
    case StopReason::Loss:
        return tr("Finished: the loss aimed at is reached");
    case StopReason::Diverged:
        return tr("Diverged at update %L1").arg(frame.version);
    case StopReason::Stalled:
        return tr("Stalled: no node can make progress");
    case StopReason::Interrupted:
        return tr("Interrupted: the record ends here");
    }
    return {};
}

} // namespace lab
