#include "app/main_window.h"

#include "app/action_table.h"
#include "app/dock_shares.h"
#include "app/document_files.h"
#include "app/recording.h"
#include "app/recovery.h"
#include "app/runs_panel.h"
#include "core/strategy/strategy_catalog.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/cursor_ring.h"
#include "widgets/elided_label.h"
#include "widgets/event_log.h"
#include "widgets/idle_chart.h"
#include "widgets/loss_chart.h"
#include "widgets/message_strip.h"
#include "widgets/node_panel.h"
#include "widgets/nodes_model.h"
#include "widgets/nodes_table.h"
#include "widgets/notes_view.h"
#include "widgets/run_bar.h"
#include "widgets/staleness_chart.h"
#include "widgets/strategy_form.h"
#include "widgets/throughput_chart.h"
#include "widgets/timeline_view.h"

#include <QApplication>
#include <QDesktopServices>
#include <QEvent>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_margin = 12;
constexpr QSize k_usual_size{1440, 900};
constexpr int k_renewal_ms = 60; ///< after the last edit of a run that has not begun

/// A panel that scrolls from top to bottom and is never narrower than what it holds.
class PanelScroll final : public QScrollArea {
public:
    explicit PanelScroll(QWidget* content)
    {
        if (content->objectName().isEmpty()) {
            content->setObjectName(QStringLiteral("scrolled"));
        }
        setWidget(content);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        viewport()->setAutoFillBackground(false);
        content->setAutoFillBackground(false);
    }
    [[nodiscard]] QSize minimumSizeHint() const override
    {
        const int needed = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
        return {needed, QScrollArea::minimumSizeHint().height()};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) {
            updateGeometry(); // it needs another width now
        }
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      appearance_(*qApp),
      document_(this),
      controller_(this),
      files_(new DocumentFiles(document_, *this)),
      actions_(new Actions(*this)),
      host_(new QMainWindow)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Straggler Lab"));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    const QScreen* screen = QApplication::primaryScreen();
    resize(screen == nullptr ? k_usual_size : k_usual_size.boundedTo(screen->availableSize()));
    renewal_.setSingleShot(true);
    appeared_.setSingleShot(true);
    renewal_.setInterval(k_renewal_ms);
    makeParts();
    makeDocks();
    fillMenus();
    connectParts();
    connectActions();
    connectNodeActions();
    connectViewActions();
    connectRuns();
    connectSessions();
    describeParts();
    cluster_->setFocus();
}

MainWindow::~MainWindow()
{
    // Views first: losing the focus makes one draw the history, which would be gone before Qt deletes the children.
    delete takeCentralWidget();
}

void MainWindow::makeParts()
{
    const Actions& act = *actions_;
    bar_ = new RunBar({act["run"], act["step"], act["reset"], act["live"], act["pin"], act["virtualClock"],
                       act["liveThreads"]});
    auto* tool_bar = new QToolBar(tr("Run"), this);
    tool_bar->setObjectName(QStringLiteral("runBar"));
    tool_bar->setMovable(false);
    tool_bar->addWidget(bar_);
    addToolBar(Qt::TopToolBarArea, tool_bar);

    strip_ = new MessageStrip;
    cluster_ = new ClusterView;
    cluster_card_ = new Card(tr("Cluster"), cluster_);
    timeline_ = new TimelineView;
    strategy_ = new StrategyForm(strategyCatalog());
    node_panel_ = new NodePanel;
    table_ = new NodesTable;
    loss_ = new LossChart;
    runs_ = new RunsPanel;
    idle_ = new IdleChart;
    staleness_ = new StalenessChart;
    throughput_ = new ThroughputChart;
    log_ = new EventLog;
    notes_ = new NotesView;

    status_ = new ElidedLabel;
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
    layout->addWidget(strip_);
    layout->addWidget(host_, 1);
    setCentralWidget(frame);

    shares_ = new DockShares(*host_);
    host_->setCentralWidget(cluster_card_);
    const auto dock = [this](const QString& title, const char* name, QWidget* content,
                             Qt::DockWidgetArea area) {
        auto* made = new CardDock(title, QLatin1String(name), content, host_);
        host_->addDockWidget(area, made);
        return made;
    };
    strategy_dock_ = dock(tr("Strategy"), "strategyDock", new PanelScroll(strategy_), Qt::LeftDockWidgetArea);
    node_dock_ = dock(tr("Node"), "nodeDock", new PanelScroll(node_panel_), Qt::LeftDockWidgetArea);
    notes_dock_ = dock(tr("Notes"), "notesDock", notes_, Qt::LeftDockWidgetArea);
    timeline_dock_ = dock(tr("Timeline"), "timelineDock", timeline_, Qt::BottomDockWidgetArea);
    table_dock_ = dock(tr("Nodes"), "nodesDock", table_, Qt::BottomDockWidgetArea);
    loss_dock_ = dock(tr("Loss"), "lossDock", loss_, Qt::RightDockWidgetArea);
    idle_dock_ = dock(tr("Idle time"), "idleDock", idle_, Qt::RightDockWidgetArea);
    staleness_dock_ = dock(tr("Staleness"), "stalenessDock", staleness_, Qt::RightDockWidgetArea);
    throughput_dock_ = dock(tr("Throughput"), "throughputDock", throughput_, Qt::RightDockWidgetArea);
    log_dock_ = dock(tr("Event log"), "eventLogDock", log_, Qt::BottomDockWidgetArea);
    runs_dock_ = dock(tr("Runs"), "runsDock", runs_, Qt::BottomDockWidgetArea);
    table_dock_->hide();
    runs_dock_->hide();
    log_dock_->hide();
    throughput_dock_->hide();
    notes_dock_->hide(); // until there are some
    // Tab goes through the parts as they are read: the left column comes first.
    setTabOrder(node_panel_->lastControl(), notes_);
    setTabOrder(notes_, cluster_);

    timeline_dock_->header().setMiddle(new ActivityLegend);
    timeline_dock_->header().addControl(timeline_->chip());
    loss_dock_->header().addControl(loss_->makeAxisMenu());
    loss_dock_->header().addControl(loss_->makeScaleMenu());
    loss_dock_->header().addControl(loss_->makeSmoothingMenu());
}

std::vector<CardDock*> MainWindow::docks() const
{
    return {strategy_dock_, node_dock_,      notes_dock_,      timeline_dock_, table_dock_, loss_dock_,
            idle_dock_,     staleness_dock_, throughput_dock_, log_dock_,      runs_dock_};
}

void MainWindow::arrangeDocks()
{
    // The proportions of a window of the usual size; Qt keeps to the panels' least sizes.
    shares_->give(Qt::LeftDockWidgetArea, 232.0 / 1416);
    shares_->give(Qt::RightDockWidgetArea, 456.0 / 1416);
    shares_->give(Qt::BottomDockWidgetArea, 0.5);
    arrangeLeftColumn();
    host_->resizeDocks({loss_dock_, idle_dock_, staleness_dock_}, {330, 226, 228}, Qt::Vertical);
}

void MainWindow::arrangeLeftColumn()
{
    if (notes_dock_->isHidden()) {
        host_->resizeDocks({strategy_dock_, node_dock_}, {455, 325}, Qt::Vertical);
    } else {
        host_->resizeDocks({strategy_dock_, node_dock_, notes_dock_}, {302, 326, 148}, Qt::Vertical);
    }
}

void MainWindow::connectParts()
{
    connect(&renewal_, &QTimer::timeout, this, &MainWindow::renewNow);
    connect(&appeared_, &QTimer::timeout, this, &MainWindow::showCharts);
    connect(&appearance_, &Appearance::changed, this, [this] { showState(controller_.state()); });
    connect(&controller_, &RunController::prepared, this, &MainWindow::beginRun);
    connect(&controller_, &RunController::polled, this, &MainWindow::showFrame);
    connect(&controller_, &RunController::stateChanged, this, &MainWindow::showState);
    connect(&controller_, &RunController::failed, strip_, &MessageStrip::showError);
    connect(&document_, &Document::changed, this, &MainWindow::showDocument);
    connect(&document_, &Document::liveChanges, this, &MainWindow::applyLive);
    connect(files_, &DocumentFiles::failed, strip_, &MessageStrip::showError);
    connect(files_, &DocumentFiles::done, strip_, &MessageStrip::showNote);
    connect(files_, &DocumentFiles::opened, this, &MainWindow::open);
    connect(files_, &DocumentFiles::recovered, this,
            [this](const Experiment& experiment, const QString& path) {
                document_.openUnsaved(experiment, path);
                reset();
                if (recovery_) {
                    recovery_->keepUp(); // before the old copy goes
                }
            });
    connect(strip_, &MessageStrip::dismissed, this, [this] { was_greeted_ = true; });
    connect(bar_, &RunBar::paceEdited, &controller_, &RunController::setPace);
    connect(strategy_, &StrategyForm::edited, this, &MainWindow::editStrategy);
    connect(strategy_, &StrategyForm::resetRequested, this, &MainWindow::reset);
    connect(cluster_, &ClusterView::selectionChanged, this, &MainWindow::showSelection);
    connect(cluster_, &ClusterView::changesRequested, this, &MainWindow::requestMoves);
    connect(cluster_, &ClusterView::refused, strip_, &MessageStrip::showNote);
    connect(cluster_, &ClusterView::menuRequested, this, &MainWindow::openNodeMenu);
    connect(cluster_, &ClusterView::inspectRequested, this, [this] {
        node_dock_->show();
        node_panel_->focusFirst();
    });
    connect(table_, &NodesTable::selected, cluster_, &ClusterView::select);
    connect(table_, &NodesTable::menuRequested, this, &MainWindow::openNodeMenu);
    connect(&table_->model(), &NodesModel::moveRequested, this,
            [this](NodeId node, GroupId group) { cluster_->requestMove({node}, group); });
    connect(&table_->model(), &NodesModel::slowdownRequested, this, [this](NodeId node, double slowdown) {
        cluster_->select({node});
        editSlowdown(slowdown);
    });
    connect(node_panel_, &NodePanel::slowdownEdited, this, &MainWindow::editSlowdown);
    connect(node_panel_, &NodePanel::jitterEdited, this, &MainWindow::editJitter);
    connect(node_panel_, &NodePanel::failurePlanned, this, &MainWindow::planFailure);
    connect(node_panel_, &NodePanel::failRequested, this, [this] { failSelected(std::nullopt); });
    connect(node_panel_, &NodePanel::failForAWhileRequested, this, [this] { failSelected(fromSeconds(5)); });
    connect(node_panel_, &NodePanel::recoverRequested, this, &MainWindow::recoverSelected);
    connect(node_panel_, &NodePanel::slowForAWhileRequested, this, &MainWindow::slowSelectedForAWhile);
    connect(node_panel_, &NodePanel::traceRequested, this, &MainWindow::chooseTrace);
    connect(timeline_, &TimelineView::momentChosen, this, &MainWindow::view);
    connect(log_, &EventLog::momentChosen, this, &MainWindow::view);
    connect(timeline_, &TimelineView::selectionChanged, this, &MainWindow::showCharts);
    connect(timeline_, &TimelineView::cursorMoved, this, &MainWindow::pointAt);
    connect(loss_, &LossChart::cursorMoved, this, &MainWindow::pointAt);
    connect(throughput_, &ThroughputChart::cursorMoved, this, &MainWindow::pointAt);
    connect(staleness_, &StalenessChart::stepped, loss_, &LossChart::stepCursor);
    connect(notes_, &NotesView::linkFollowed, this,
            [](const QUrl& link) { QDesktopServices::openUrl(link); });
    const auto remark = [this](auto* from, auto signal, CardDock* dock) {
        connect(from, signal, this, [dock](const QString& words) { dock->header().setRemark(words); });
    };
    remark(timeline_, &TimelineView::windowChanged, timeline_dock_);
    remark(staleness_, &StalenessChart::remarkChanged, staleness_dock_);
    remark(throughput_, &ThroughputChart::remarkChanged, throughput_dock_);
    remark(log_, &EventLog::remarkChanged, log_dock_);
}

} // namespace lab
