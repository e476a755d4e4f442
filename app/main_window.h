#pragma once

#include "app/document.h"
#include "app/run_controller.h"
#include "core/record/frame.h"
#include "widgets/run_history.h"

#include <QMainWindow>

#include <set>
#include <vector>

class QLabel;

namespace lab {

class CardDock;
class Card;
class ClusterView;
class IdleChart;
class LossChart;
class NodePanel;
class RunBar;
class StalenessChart;
class StrategyForm;
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

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] RunController& controller() { return controller_; }
    [[nodiscard]] const RunHistory& history() const { return history_; }

protected:
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    void makeMenus();
    void makeParts();
    void makeDocks();
    void arrangeDocks();
    void connectParts();

    void reset();
    void toggleRun();
    void beginRun();
    void showFrame(const Frame& frame);
    void showState(RunState state);
    void showDocument();
    void showNodes();
    void showStatus(const Frame& frame);
    void showMessage(const QString& text);

    [[nodiscard]] std::vector<NodeId> selected() const;
    [[nodiscard]] QString wordFor(const std::vector<NodeId>& nodes) const;
    void editStrategy(const StrategyValues& values, const QString& what);
    void editSlowdown(double slowdown);
    void editJitter(const Jitter& jitter);
    void requestChanges(const std::vector<Change>& changes);
    void failSelected();
    void recoverSelected();
    void slowSelectedForAWhile();

    Document document_;
    RunController controller_;
    RunHistory history_;

    QMainWindow* host_; ///< holds the docks, with room around them that the tool bar does not have
    QAction* run_action_ = nullptr;
    QAction* step_action_ = nullptr;
    QAction* reset_action_ = nullptr;
    QAction* fail_action_ = nullptr;
    QAction* recover_action_ = nullptr;
    RunBar* bar_ = nullptr;
    Card* cluster_card_ = nullptr;
    ClusterView* cluster_ = nullptr;
    TimelineView* timeline_ = nullptr;
    StrategyForm* strategy_ = nullptr;
    NodePanel* node_panel_ = nullptr;
    LossChart* loss_ = nullptr;
    IdleChart* idle_ = nullptr;
    StalenessChart* staleness_ = nullptr;
    CardDock* strategy_dock_ = nullptr;
    CardDock* node_dock_ = nullptr;
    CardDock* timeline_dock_ = nullptr;
    CardDock* loss_dock_ = nullptr;
    CardDock* idle_dock_ = nullptr;
    CardDock* staleness_dock_ = nullptr;
    QByteArray usual_layout_; ///< empty until the window was first shown
    QLabel* status_ = nullptr;
    int frames_ = 0;
};

} // namespace lab
