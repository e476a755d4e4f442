// What the window's actions do.

#include "app/main_window.h"

#include "app/action_table.h"
#include "app/document_files.h"
#include "app/shipped_experiments.h"
#include "app/window_exports.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/event_log.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/message_strip.h"
#include "widgets/nodes_table.h"
#include "widgets/run_bar.h"
#include "widgets/staleness_chart.h"
#include "widgets/throughput_chart.h"
#include "widgets/timeline_view.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QUndoStack>

#include <utility>

namespace lab {

namespace {

constexpr double k_slowest = 0.1;
constexpr double k_fastest = 100;

} // namespace

void MainWindow::connectActions()
{
    const auto on = [this](const char* name, auto slot) {
        connect((*actions_)[name], &QAction::triggered, this, slot);
    };
    on("new", [this] { files_->makeNew(); });
    on("open", [this] { files_->chooseAndOpen(); });
    on("save", [this] { files_->save(); });
    on("saveAs", [this] { files_->saveAs(); });
    on("saveRun", [this] {
        if (controller_.hasRun() && controller_.runClock() == ClockKind::Live) {
            files_->saveReplay(controller_.journal(), controller_.liveTrace());
        } else if (controller_.hasRun()) {
            files_->saveCopy(controller_.journal());
        }
    });
    connectExports();
    on("close", [this] { close(); });
    on("quit", [this] { close(); });

    QUndoStack& stack = document_.undoStack();
    // Not while a menu or a question is open, or a node is in the hand: what they speak of could go away under them.
    const auto may = [] {
        return QApplication::activePopupWidget() == nullptr && QApplication::activeModalWidget() == nullptr
            && QApplication::mouseButtons() == Qt::NoButton;
    };
    on("undo", [may, &stack] {
        if (may()) {
            stack.undo();
        }
    });
    on("redo", [may, &stack] {
        if (may()) {
            stack.redo();
        }
    });
    const auto name = [this](const char* action, const QString& usual, const QString& with) {
        return [act = (*actions_)[action], usual, with](const QString& edit) {
            act->setText(edit.isEmpty() ? usual : with.arg(edit));
        };
    };
    connect(&stack, &QUndoStack::undoTextChanged, this, name("undo", tr("&Undo"), tr("&Undo %1")));
    connect(&stack, &QUndoStack::redoTextChanged, this, name("redo", tr("&Redo"), tr("&Redo %1")));
    connect(&stack, &QUndoStack::canUndoChanged, (*actions_)["undo"], &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, (*actions_)["redo"], &QAction::setEnabled);
    (*actions_)["undo"]->setEnabled(false);
    (*actions_)["redo"]->setEnabled(false);

    on("run", [this] { toggleRun(); });
    on("step", [this] { step(); });
    on("stepBack", [this] { stepBack(); });
    on("live", [this] { view(std::nullopt); });
    on("reset", [this] { reset(); });
    on("resetAll", [this] { resetAll(); });
    on("slower", [this] { setPace(0.5); });
    on("normalSpeed", [this] { setPace(0); });
    on("faster", [this] { setPace(2); });
    on("pin", [this] { pinRun(); });
    on("whatIf", [this] { askWhatIf(); });
    auto* clocks = new QActionGroup(this);
    for (const auto& [action, clock] :
         {std::pair("virtualClock", ClockKind::Virtual), std::pair("liveThreads", ClockKind::Live)}) {
        clocks->addAction((*actions_)[action])->setCheckable(true);
        on(action, [this, clock = clock] { chooseClock(clock); });
    }
    showClock();
}

void MainWindow::connectExports()
{
    auto* exports = new WindowExports({*this,
                                       controller_,
                                       history_,
                                       *loss_,
                                       *timeline_,
                                       {{loss_, ExportWhat::Loss},
                                        {idle_, ExportWhat::Idle},
                                        {staleness_, ExportWhat::Staleness},
                                        {throughput_, ExportWhat::Throughput},
                                        {timeline_, ExportWhat::Timeline},
                                        {log_, ExportWhat::Events},
                                        {cluster_, ExportWhat::Cluster}}});
    connect(exports, &WindowExports::done, strip_, &MessageStrip::showNote);
    connect((*actions_)["export"], &QAction::triggered, exports, &WindowExports::open);
    connect((*actions_)["print"], &QAction::triggered, exports, &WindowExports::print);
    connect((*actions_)["copyPicture"], &QAction::triggered, exports, &WindowExports::copyPicture);
    connect((*actions_)["copy"], &QAction::triggered, exports, [this, exports] {
        if (!exports->copyData()) {
            copySelected();
        }
    });
}

void MainWindow::connectNodeActions()
{
    const auto on = [this](const char* name, auto slot) {
        connect((*actions_)[name], &QAction::triggered, this, slot);
    };
    on("cut", [this] {
        copySelected();
        removeSelected();
    });
    on("paste", [this] { paste(); });
    on("selectAll", [this] {
        std::set<NodeId> all;
        for (std::size_t i = 0; i < history_.nodeCount(); ++i) {
            all.insert(NodeId{i});
        }
        cluster_->select(all);
    });
    on("find", [this] {
        table_dock_->show();
        table_dock_->raise();
        table_->startSearch();
    });
    on("addNode", [this] { addNode(); });
    on("duplicate", [this] { duplicateSelected(); });
    on("remove", [this] { removeSelected(); });
    on("group", [this] { groupSelected(); });
    on("ungroup", [this] { ungroupSelected(); });
    on("slow", [this] { slowSelectedForAWhile(); });
    on("fail", [this] { failSelected(std::nullopt); });
    on("failFor", [this] { failSelected(fromSeconds(5)); });
    on("recover", [this] { recoverSelected(); });
}

void MainWindow::fillMenus()
{
    QMenu* examples = actions_->menu("examples");
    for (const ShippedExperiment& example : shippedExperiments()) {
        const QString name =
            QString::fromUtf8(example.name.data(), static_cast<qsizetype>(example.name.size()));
        connect(examples->addAction(name), &QAction::triggered, this,
                [this, name] { files_->openExample(name); });
    }
    QMenu* recent = actions_->menu("recent");
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { files_->fillRecent(*recent); });
    QMenu* moves = actions_->menu("moveTo");
    connect(moves, &QMenu::aboutToShow, this, [this, moves] { cluster_->fillMoveMenu(*moves); });
    QMenu* panels = actions_->menu("panels");
    for (CardDock* dock : docks()) {
        panels->addAction(dock->toggleViewAction());
        // Hidden charts are not drawn, and no frame comes while a run rests: what appears is drawn once it is there.
        connect(dock, &QDockWidget::visibilityChanged, this, [this](bool is_visible) {
            if (is_visible) {
                appeared_.start(0);
            }
        });
    }
    const auto choices = [this](const char* menu, const auto& rows, auto choose) {
        auto* group = new QActionGroup(this);
        for (const auto& [text, value] : rows) {
            QAction* action = group->addAction(actions_->menu(menu)->addAction(text));
            action->setCheckable(true);
            action->setData(static_cast<int>(value));
            connect(action, &QAction::triggered, this, [choose, value = value] { choose(value); });
        }
    };
    const std::vector<std::pair<QString, ThemeChoice>> themes{{tr("As the &system"), ThemeChoice::System},
                                                              {tr("&Light"), ThemeChoice::Light},
                                                              {tr("&Dark"), ThemeChoice::Dark}};
    choices("theme", themes, [this](ThemeChoice theme) { appearance_.setTheme(theme); });
    std::vector<std::pair<QString, int>> sizes;
    for (const int size : Appearance::textSizes()) {
        sizes.emplace_back(tr("%1 %").arg(size), size);
    }
    choices("textSize", sizes, [this](int size) { appearance_.setTextSize(size); });
    for (const char* menu : {"theme", "textSize"}) {
        connect(actions_->menu(menu), &QMenu::aboutToShow, this, [this, menu] {
            const int now =
                qstrcmp(menu, "theme") == 0 ? static_cast<int>(appearance_.theme()) : appearance_.textSize();
            for (QAction* action : actions_->menu(menu)->actions()) {
                action->setChecked(action->data().toInt() == now);
            }
        });
    }
}

void MainWindow::openNodeMenu(QPoint where)
{
    if (cluster_->selection().empty()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("nodeMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions_->menu("&Nodes")->actions());
    menu->popup(where);
}

void MainWindow::toggleRun()
{
    if (controller_.state() == RunState::Running) {
        controller_.pause();
    } else if (renewNow()) {
        controller_.run();
    }
}

void MainWindow::step()
{
    if (renewNow()) {
        view(std::nullopt);
        controller_.step();
    }
}

void MainWindow::stepBack()
{
    if (const auto moment = history_.momentBefore()) {
        view(moment);
    }
}

void MainWindow::setPace(double factor)
{
    const double now = controller_.pace().value_or(k_fastest * 2);
    const double wanted = factor == 0 ? 1 : now * factor;
    const std::optional<double> pace =
        wanted > k_fastest ? std::nullopt : std::optional<double>(std::max(wanted, k_slowest));
    bar_->setPace(pace);
    controller_.setPace(pace);
}

void MainWindow::chooseClock(ClockKind clock)
{
    const ClockKind before = controller_.clock();
    controller_.setClock(clock);
    if (controller_.isFresh() && !controller_.prepare(document_.experiment())) {
        controller_.setClock(before);
    }
    if (controller_.clock() != controller_.runClock()) {
        strip_->showNote(tr("The clock changes at Reset; this run goes on as it began."));
    }
    showClock();
}

void MainWindow::showClock()
{
    const bool is_live = controller_.clock() == ClockKind::Live;
    (*actions_)[is_live ? "liveThreads" : "virtualClock"]->setChecked(true);
    // A live run cannot be slower or faster than the wall.
    const bool has_pace = controller_.runClock() == ClockKind::Virtual;
    bar_->setPaced(has_pace);
    for (const char* name : {"slower", "normalSpeed", "faster"}) {
        (*actions_)[name]->setEnabled(has_pace);
    }
}

void MainWindow::reset()
{
    renewal_.stop();
    controller_.prepare(document_.experiment());
}

void MainWindow::resetAll()
{
    reset();
    setPace(0);
    cluster_->select({});
    cluster_->setZoom(1);
    timeline_->follow();
}

bool MainWindow::isOutdated() const
{
    return controller_.hasRun() && controller_.isFresh()
        && document_.experiment() != controller_.experiment();
}

void MainWindow::renewSoon()
{
    if (isOutdated()) {
        renewal_.start();
    }
}

bool MainWindow::renewNow()
{
    renewal_.stop();
    return !isOutdated() || controller_.prepare(document_.experiment());
}

} // namespace lab
