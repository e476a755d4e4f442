#include "app/main_window.h"

#include "core/strategy/strategy_catalog.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/node_panel.h"
#include "widgets/run_bar.h"
#include "widgets/staleness_chart.h"
#include "widgets/strategy_form.h"
#include "widgets/timeline_view.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QStatusBar>
#include <QToolBar>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_margin = 12;
constexpr QSize k_usual_size{1440, 900};

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    content->setObjectName(content->objectName().isEmpty() ? QStringLiteral("scrolled")
                                                           : content->objectName());
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      document_(this),
      controller_(this),
      host_(new QMainWindow)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Straggler Lab"));
    resize(k_usual_size);
    makeActions();
    makeParts();
    makeDocks();
    makeMenus();
    connectParts();
    cluster_->setFocus();
}

MainWindow::~MainWindow()
{
    // Views first: losing the focus makes one draw the history, which would be gone before Qt deletes the children.
    delete takeCentralWidget();
}

void MainWindow::makeParts()
{
    bar_ = new RunBar(run_action_, step_action_, reset_action_);
    auto* tool_bar = new QToolBar(tr("Run"), this);
    tool_bar->setObjectName(QStringLiteral("runBar"));
    tool_bar->setMovable(false);
    tool_bar->addWidget(bar_);
    addToolBar(Qt::TopToolBarArea, tool_bar);

    cluster_ = new ClusterView;
    cluster_card_ = new Card(tr("Cluster"), cluster_);
    timeline_ = new TimelineView;
    strategy_ = new StrategyForm(strategyCatalog());
    node_panel_ = new NodePanel;
    loss_ = new LossChart;
    idle_ = new IdleChart;
    staleness_ = new StalenessChart;

    status_ = new QLabel;
    status_->setObjectName(QStringLiteral("statusLine"));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_, 1);
}

void MainWindow::makeDocks()
{
    // The docks live in a window inside the window: a main window's tool bar must reach its edges, the cards must not.
    host_->setWindowFlags(Qt::Widget);
    host_->setObjectName(QStringLiteral("dockHost"));
    host_->setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    host_->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    host_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    host_->setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    host_->setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    auto* frame = new QWidget;
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(k_margin, k_margin, k_margin, k_margin - 4);
    layout->addWidget(host_);
    setCentralWidget(frame);

    host_->setCentralWidget(cluster_card_);
    strategy_dock_ = new CardDock(tr("Strategy"), QStringLiteral("strategyDock"), scrolled(strategy_), host_);
    node_dock_ = new CardDock(tr("Node"), QStringLiteral("nodeDock"), scrolled(node_panel_), host_);
    timeline_dock_ = new CardDock(tr("Timeline"), QStringLiteral("timelineDock"), timeline_, host_);
    loss_dock_ = new CardDock(tr("Loss"), QStringLiteral("lossDock"), loss_, host_);
    idle_dock_ = new CardDock(tr("Idle time"), QStringLiteral("idleDock"), idle_, host_);
    staleness_dock_ = new CardDock(tr("Staleness"), QStringLiteral("stalenessDock"), staleness_, host_);
    host_->addDockWidget(Qt::LeftDockWidgetArea, strategy_dock_);
    host_->addDockWidget(Qt::LeftDockWidgetArea, node_dock_);
    host_->addDockWidget(Qt::BottomDockWidgetArea, timeline_dock_);
    host_->addDockWidget(Qt::RightDockWidgetArea, loss_dock_);
    host_->addDockWidget(Qt::RightDockWidgetArea, idle_dock_);
    host_->addDockWidget(Qt::RightDockWidgetArea, staleness_dock_);

    timeline_dock_->header().setMiddle(new ActivityLegend);
    loss_dock_->header().addControl(loss_->makeAxisMenu());
    loss_dock_->header().addControl(loss_->makeScaleMenu());
    idle_dock_->header().setRemark(tr("waiting, share of node time"));
    strategy_dock_->setMinimumWidth(200);
}

void MainWindow::arrangeDocks()
{
    // The proportions of a window of the usual size.
    const QSize room = host_->size();
    host_->resizeDocks({strategy_dock_, loss_dock_},
                       {std::max(200, room.width() * 232 / 1416), room.width() * 456 / 1416}, Qt::Horizontal);
    host_->resizeDocks({strategy_dock_, node_dock_}, {440, 360}, Qt::Vertical);
    host_->resizeDocks({loss_dock_, idle_dock_, staleness_dock_}, {330, 226, 228}, Qt::Vertical);
    host_->resizeDocks({timeline_dock_}, {room.height() / 2}, Qt::Vertical);
}

void MainWindow::connectParts()
{
    connect(&controller_, &RunController::prepared, this, &MainWindow::beginRun);
    connect(&controller_, &RunController::polled, this, &MainWindow::showFrame);
    connect(&controller_, &RunController::stateChanged, this, &MainWindow::showState);
    connect(&controller_, &RunController::failed, this, &MainWindow::showMessage);
    connect(&document_, &Document::changed, this, &MainWindow::showDocument);
    connect(&document_, &Document::liveChanges, this, [this](const std::vector<Change>& changes) {
        cluster_->expectMoves(changes);
        for (const Change& change : changes) {
            controller_.apply(change);
        }
    });
    connect(bar_, &RunBar::paceEdited, &controller_, &RunController::setPace);
    connect(strategy_, &StrategyForm::edited, this, &MainWindow::editStrategy);
    connect(strategy_, &StrategyForm::resetRequested, this, &MainWindow::reset);
    connect(cluster_, &ClusterView::selectionChanged, this, &MainWindow::showNodes);
    connect(cluster_, &ClusterView::changesRequested, this, &MainWindow::requestChanges);
    connect(cluster_, &ClusterView::refused, this, &MainWindow::showMessage);
    connect(node_panel_, &NodePanel::slowdownEdited, this, &MainWindow::editSlowdown);
    connect(node_panel_, &NodePanel::jitterEdited, this, &MainWindow::editJitter);
    connect(node_panel_, &NodePanel::failRequested, this, &MainWindow::failSelected);
    connect(node_panel_, &NodePanel::recoverRequested, this, &MainWindow::recoverSelected);
    connect(node_panel_, &NodePanel::slowForAWhileRequested, this, &MainWindow::slowSelectedForAWhile);
    connect(timeline_, &TimelineView::windowChanged, this,
            [this](const QString& words) { timeline_dock_->header().setRemark(words); });
    connect(staleness_, &StalenessChart::remarkChanged, this,
            [this](const QString& remark) { staleness_dock_->header().setRemark(remark); });
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        controller_.setWatched(isVisible() && !isMinimized());
    }
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    controller_.setWatched(false);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (usual_layout_.isEmpty()) {
        arrangeDocks();
        usual_layout_ = host_->saveState();
    }
    controller_.setWatched(true);
}

} // namespace lab
