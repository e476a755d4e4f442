#pragma once

#include "app/appearance.h"
#include "app/document.h"
#include "app/opened_session.h"
#include "app/run_controller.h"
#include "app/window_settings.h"
#include "core/record/frame.h"
#include "widgets/run_history.h"

#include <QMainWindow>
#include <QTimer>

#include <memory>
#include <set>
#include <vector>

class QLabel;

namespace lab {

class Actions;
class Card;
class CardDock;
class ClusterView;
class CursorRing;
class DockShares;
class DocumentFiles;
class EventLog;
class IdleChart;
class LossChart;
class MessageStrip;
class NodePanel;
class NodesTable;
class NotesView;
class Recording;
class Recovery;
class RunBar;
class RunsPanel;
class StalenessChart;
class StrategyForm;
class ThroughputChart;
class TimelineView;
struct StrategyValues;

/// The window: puts the parts in their places and carries what they want to the document and the run.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens an experiment, ready to run. `path` is empty for one that is not on disk.
    void open(Experiment experiment, const QString& path);
    /// Looks as it did when it was closed last, remembers how it looks now when it is closed, and keeps a copy of unsaved
    /// edits. Without this call nothing is read from or written into the user's configuration.
    void remember();
    /// Offers what a crash left behind.
    void offerRecovery();
    /// Records all runs from now on into a file in this folder, which is gone when the window is.
    void recordInto(const QString& folder);
    /// Writes what was recorded, or else the session that is open, into a file. False where that failed, which the window
    /// says.
    bool saveSessionTo(const QString& path);
    /// Shows a run of a session as one that is over.
    void showSession(const OpenedSession& session);

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] DocumentFiles& files() { return *files_; }
    [[nodiscard]] RunController& controller() { return controller_; }
    [[nodiscard]] Appearance& appearance() { return appearance_; }
    [[nodiscard]] const RunHistory& history() const { return history_; }
    [[nodiscard]] bool isPresenting() const { return before_presentation_.has_value(); }
    /// Shows the run at a moment of its past; nothing: as it is now.
    void view(std::optional<TimePoint> moment);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// How the window looked before it was made fit for a projector.
    struct Look {
        QByteArray docks;
        QSize room; ///< that they had
        Qt::WindowStates state;
        ThemeChoice theme = ThemeChoice::System;
        int text_size = 100;
    };

    void makeParts();
    void makeDocks();
    void arrangeDocks();
    void arrangeLeftColumn();
    void connectParts();
    void connectActions();
    void connectNodeActions();
    void connectExports();
    void connectViewActions();
    void connectRuns();
    void connectSessions();
    void fillMenus();
    void describeParts();
    [[nodiscard]] std::vector<CardDock*> docks() const;

    void reset();
    void resetAll();
    void toggleRun();
    void step();
    void beginRun();
    /// A run that has not begun is made anew from the document, so that its edits need no Reset.
    void renewSoon();
    /// False where that cannot be done.
    bool renewNow();
    [[nodiscard]] bool isOutdated() const;
    void showFrame(const Frame& frame);
    void showCharts();
    void showChart(int turn); ///< one part of them, 0 … 2
    void showNotes();
    /// Draws the line that charts and timeline share at a moment, and what was then; nothing: no longer.
    void pointAt(std::optional<TimePoint> moment);
    void showState(RunState state);
    void showDocument();
    void showNodes();
    void showStatus();
    void showSelection();
    void applyLive(const std::vector<Document::LiveChange>& changes, bool is_kept);
    void pinRun();
    void askWhatIf();
    void stepBack();
    void saveSession();
    [[nodiscard]] bool hasRecordedRuns() const;
    void record(std::unique_ptr<Recording> recording);
    void offerRecordings();
    void fillSessionRuns();
    /// Runs that follow those of a session that was opened are recorded into a copy of it.
    void takeSessionAlong();
    void tellWhereRecordingEnds(const Frame& frame);
    void setPace(double factor);
    void chooseClock(ClockKind clock);
    void showClock();

    [[nodiscard]] std::vector<NodeId> selected() const; ///< of the run
    [[nodiscard]] std::vector<NodeId> edited() const;   ///< the same in the document
    [[nodiscard]] NodeId inDocument(NodeId of_run) const;
    [[nodiscard]] Partition drawnGroups() const; ///< on the canvas, of the document's nodes
    [[nodiscard]] QString wordFor(const std::vector<NodeId>& of_run) const;
    [[nodiscard]] Document::LiveChange liveChange(NodeId of_run, const Change& change) const;
    /// Does the edit where a run can be made from it, else says why not.
    void edit(const QString& text, Experiment after, Document::Live live, int kind);
    void editStrategy(const StrategyValues& values, const QString& what);
    void editSlowdown(double slowdown);
    void editJitter(const Jitter& jitter);
    void planFailure(double at, double back_after);
    void chooseTrace();
    void requestMoves(const std::vector<Change>& changes);
    void failSelected(std::optional<Duration> lasting);
    void recoverSelected();
    void slowSelectedForAWhile();
    void addNode();
    void duplicateSelected();
    void removeSelected();
    void copySelected();
    void paste();
    void groupSelected();
    void ungroupSelected();

    void showPanel(int step);
    void zoom(double factor);
    void present();
    void stopPresenting();
    void showHelp(bool at_shortcuts);
    void openNodeMenu(QPoint where);

    Appearance appearance_;
    Document document_;
    std::unique_ptr<Recording> recording_; ///< null: runs are not recorded; outlives the run
    RunController controller_;
    RunHistory history_;
    DocumentFiles* files_;
    Actions* actions_;
    std::unique_ptr<Recovery> recovery_;   ///< null: nothing is remembered
    std::optional<OpenedSession> session_; ///< that was opened last, without its run
    bool was_greeted_ = false;
    bool remembers_ = false;

    QMainWindow* host_; ///< holds the docks, with room around them that the tool bar does not have
    MessageStrip* strip_ = nullptr;
    RunBar* bar_ = nullptr;
    Card* cluster_card_ = nullptr;
    ClusterView* cluster_ = nullptr;
    TimelineView* timeline_ = nullptr;
    StrategyForm* strategy_ = nullptr;
    NodePanel* node_panel_ = nullptr;
    NodesTable* table_ = nullptr;
    LossChart* loss_ = nullptr;
    IdleChart* idle_ = nullptr;
    StalenessChart* staleness_ = nullptr;
    ThroughputChart* throughput_ = nullptr;
    EventLog* log_ = nullptr;
    RunsPanel* runs_ = nullptr;
    NotesView* notes_ = nullptr;
    CardDock* strategy_dock_ = nullptr;
    CardDock* node_dock_ = nullptr;
    CardDock* notes_dock_ = nullptr;
    CardDock* timeline_dock_ = nullptr;
    CardDock* table_dock_ = nullptr;
    CardDock* loss_dock_ = nullptr;
    CardDock* idle_dock_ = nullptr;
    CardDock* staleness_dock_ = nullptr;
    CardDock* throughput_dock_ = nullptr;
    CardDock* log_dock_ = nullptr;
    CardDock* runs_dock_ = nullptr;
    QByteArray usual_layout_; ///< empty until the window was first shown
    QByteArray remembered_layout_;
    std::optional<Look> before_presentation_;
    DockShares* shares_ = nullptr;
    bool are_notes_closed_ = false;    ///< by a person; without notes the panel is hidden anyhow
    std::unique_ptr<CursorRing> ring_; ///< while presenting
    std::optional<TimePoint> cursor_;  ///< of charts and timeline
    QLabel* status_ = nullptr;
    QTimer renewal_;
    QTimer appeared_; ///< draws what has become visible, once for all of it
    std::vector<NodeSpec> copied_;
    int frames_ = 0;
};

} // namespace lab
