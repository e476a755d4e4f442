// The window's actions and menus.

#include "app/main_window.h"

#include "widgets/card_dock.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

namespace lab {

namespace {

QAction* makeAction(QWidget& window, const char* name, const QString& text, const QList<QKeySequence>& keys)
{
    auto* action = new QAction(text, &window);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keys);
    if (!keys.isEmpty()) {
        QString plain = text;
        plain.remove(QLatin1Char('&'));
        action->setToolTip(
            QStringLiteral("%1 (%2)").arg(plain, keys.front().toString(QKeySequence::NativeText)));
    }
    window.addAction(action);
    return action;
}

} // namespace

void MainWindow::makeActions()
{
    run_action_ = makeAction(*this, "run", tr("&Run"), {QKeySequence(Qt::Key_F5)});
    run_action_->setIcon(glyphIcon(Glyph::Run, themeOf(palette()).on_accent));
    connect(run_action_, &QAction::triggered, this, &MainWindow::toggleRun);
    step_action_ = makeAction(*this, "step", tr("&Step"), {QKeySequence(Qt::Key_F10)});
    connect(step_action_, &QAction::triggered, &controller_, &RunController::step);
    reset_action_ = makeAction(*this, "reset", tr("R&eset"), {QKeySequence(tr("Ctrl+R"))});
    connect(reset_action_, &QAction::triggered, this, &MainWindow::reset);
    fail_action_ = makeAction(*this, "fail", tr("&Fail now"), {QKeySequence(tr("Ctrl+K"))});
    connect(fail_action_, &QAction::triggered, this, &MainWindow::failSelected);
    recover_action_ = makeAction(*this, "recover", tr("Re&cover"), {QKeySequence(tr("Ctrl+Shift+K"))});
    connect(recover_action_, &QAction::triggered, this, &MainWindow::recoverSelected);
}

void MainWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    QAction* quit = makeAction(*this, "quit", tr("&Quit"), {QKeySequence(tr("Ctrl+Q"))});
    connect(quit, &QAction::triggered, this, &QWidget::close);
    file->addAction(quit);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.undoStack().createUndoAction(this, tr("&Undo"));
    undo->setShortcuts({QKeySequence(tr("Ctrl+Z"))});
    QAction* redo = document_.undoStack().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addActions({fail_action_, recover_action_});

    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({run_action_, step_action_, reset_action_});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (CardDock* dock :
         {strategy_dock_, node_dock_, timeline_dock_, loss_dock_, idle_dock_, staleness_dock_}) {
        view->addAction(dock->toggleViewAction());
    }
    view->addSeparator();
    QAction* restore = makeAction(*this, "resetLayout", tr("Reset &layout"), {});
    connect(restore, &QAction::triggered, this, [this] {
        host_->restoreState(usual_layout_);
        arrangeDocks();
    });
    view->addAction(restore);
}

} // namespace lab
