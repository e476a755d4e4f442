// Runs beside each other: kept ones, more seeds, and what would have come of this one.

#include "app/document_files.h"
#include "app/main_window.h"
#include "app/run_words.h"
#include "app/runs_panel.h"
#include "app/what_if_dialog.h"
#include "widgets/loss_chart.h"
#include "widgets/message_strip.h"

#include <algorithm>
#include <utility>

namespace lab {

void MainWindow::connectRuns()
{
    KeptRuns& runs = runs_->runs();
    connect(&runs, &KeptRuns::shownChanged, this, [this, &runs] {
        std::vector<PinnedRun> shown;
        for (const KeptRun& run : runs.runs()) {
            if (run.is_shown) {
                shown.push_back({run.name, run.curve});
            }
        }
        loss_->setPinned(std::move(shown));
    });
    connect(loss_, &LossChart::unpinned, this, [&runs](const QString& name) {
        const auto found = std::ranges::find(runs.runs(), name, &KeptRun::name);
        if (found != runs.runs().end()) {
            runs.show(static_cast<std::size_t>(found - runs.runs().begin()), false);
        }
    });
    connect(runs_, &RunsPanel::seedsWanted, this, [this, &runs](int count) {
        Experiment experiment = document_.experiment();
        experiment.seed = highestSeed(runs.runs(), experiment);
        runs_->seeds().start(experiment, count);
    });
    connect(runs_, &RunsPanel::failed, strip_, &MessageStrip::showError);
}

void MainWindow::pinRun()
{
    if (!controller_.hasRun() || history_.curve().size() < 2) {
        strip_->showNote(tr("There is nothing to pin before the run has been evaluated twice."));
        return;
    }
    runs_->runs().keep({.name = strategyTitle(controller_.experiment()),
                        .experiment = controller_.journal(),
                        .last = history_.latest(),
                        .curve = history_.curve()});
    strip_->showNote(
        tr("Pinned. Change something, Reset and Run to compare; the Runs panel has the figures, Delete in "
           "the legend takes it out of the chart."));
}

void MainWindow::askWhatIf()
{
    if (!controller_.hasRun() || controller_.runClock() == ClockKind::Live) {
        strip_->showNote(
            tr("Only a run under the virtual clock can be repeated with something otherwise; save a live "
               "run as experiment and open that."));
        return;
    }
    controller_.pause();
    const Frame& frame = history_.shown();
    auto* dialog =
        new WhatIfDialog({controller_.journal(), frame.now, partitionOf(frame), mostWaitedFor(frame)}, this);
    connect(dialog, &WhatIfDialog::experimentWanted, this, [this, dialog](Experiment experiment) {
        experiment.title += tr(" · branch").toStdString();
        if (files_->openUnsaved(experiment)) {
            dialog->close();
        }
    });
    dialog->show();
}

} // namespace lab
