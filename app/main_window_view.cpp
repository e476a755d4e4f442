// How the window looks: panels, layout, presentation, help, and what it remembers of them.

#include "app/main_window.h"

#include "app/action_table.h"
#include "app/dock_shares.h"
#include "app/document_files.h"
#include "app/recording.h"
#include "app/recovery.h"
#include "widgets/card_dock.h"
#include "widgets/cluster_view.h"
#include "widgets/cursor_ring.h"
#include "widgets/loss_chart.h"
#include "widgets/message_strip.h"
#include "widgets/notes_view.h"
#include "widgets/style.h"
#include "widgets/throughput_chart.h"
#include "widgets/timeline_view.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QTextBrowser>
#include <QTimer>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>
#include <QWhatsThis>

#include <algorithm>

namespace lab {

namespace {

constexpr int k_layout_version = 2;
constexpr double k_zoom_step = 1.25;
constexpr int k_presentation_text = 150; ///< per cent of the text's size before

QString helpText()
{
    return MainWindow::tr("<h2>How to read this window</h2>"
                          "<p><b>Cluster.</b> A parameter server on top, nodes in their groups below. A card "
                          "says what its node does, how far "
                          "it is, what share of its time it waited, and how many versions behind its last "
                          "gradient was (τ). Nodes of one "
                          "group wait for each other; groups do not wait for groups. Drag a card into "
                          "another group, or onto empty space for "
                          "a new one.</p>"
                          "<p><b>Timeline.</b> What every node did. Click to look at a moment of the past "
                          "while the run goes on; hold Shift "
                          "and drag to select a stretch of time.</p>"
                          "<p><b>Charts.</b> The loss as it falls, the share of time that each node waited, "
                          "how stale gradients were when "
                          "they were applied. <i>Pin run</i> keeps a curve to compare the next run with.</p>"
                          "<p><b>When edits take effect.</b> A slowdown, a failure: at once. A move between "
                          "groups: when the group's round in "
                          "hand is over. What decides a run from its start, such as the strategy, is marked "
                          "<i>at Reset</i>. Undo takes any "
                          "edit back and never resets the run.</p>");
}

} // namespace

void MainWindow::connectViewActions()
{
    const auto on = [this](const char* name, auto slot) {
        connect((*actions_)[name], &QAction::triggered, this, slot);
    };
    on("nextPanel", [this] { showPanel(+1); });
    on("previousPanel", [this] { showPanel(-1); });
    on("resetLayout", [this] {
        host_->restoreState(usual_layout_, k_layout_version);
        are_notes_closed_ = false;
        notes_dock_->setVisible(!notes_->notes().isEmpty());
        arrangeDocks();
    });
    connect(notes_dock_->toggleViewAction(), &QAction::triggered, this,
            [this](bool is_shown) { are_notes_closed_ = !is_shown; });
    on("zoomIn", [this] { zoom(k_zoom_step); });
    on("zoomOut", [this] { zoom(1 / k_zoom_step); });
    on("zoomFit", [this] { zoom(0); });
    on("presentation", [this] { isPresenting() ? stopPresenting() : present(); });
    on("help", [this] { showHelp(false); });
    on("shortcuts", [this] { showHelp(true); });
    on("whatsThis", [] { QWhatsThis::enterWhatsThisMode(); });
}

void MainWindow::describeParts()
{
    // Whoever asks what a control is gets at least what its tool tip says.
    for (QWidget* widget : findChildren<QWidget*>()) {
        if (widget->whatsThis().isEmpty() && !widget->toolTip().isEmpty()) {
            widget->setWhatsThis(widget->toolTip());
        }
    }
}

void MainWindow::zoom(double factor)
{
    if (timeline_->hasFocus()) {
        factor == 0 ? timeline_->showAll() : timeline_->zoom(1 / factor);
    } else {
        cluster_->setZoom(factor == 0 ? 1 : cluster_->zoom() * factor);
    }
}

void MainWindow::showPanel(int step)
{
    struct Panel {
        QWidget* whole;
        QWidget* first; ///< of its controls
    };
    std::vector<Panel> panels{{cluster_, cluster_}};
    for (const CardDock* dock : docks()) {
        const auto children = dock->widget()->findChildren<QWidget*>();
        const auto first = std::ranges::find_if(children, [](const QWidget* widget) {
            return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
        });
        if (dock->isVisible() && first != children.end()) {
            panels.push_back({dock->widget(), *first});
        }
    }
    const QWidget* focus = focusWidget();
    const auto at = std::ranges::find_if(panels, [focus](const Panel& panel) {
        return focus != nullptr && (focus == panel.whole || panel.whole->isAncestorOf(focus));
    });
    const auto count = static_cast<std::ptrdiff_t>(panels.size());
    const std::ptrdiff_t from = at == panels.end() ? (step > 0 ? -1 : 0) : at - panels.begin();
    panels[static_cast<std::size_t>((from + step + count) % count)].first->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::present()
{
    before_presentation_ = Look{host_->saveState(k_layout_version), host_->size(), windowState(),
                                appearance_.theme(), appearance_.textSize()};
    for (CardDock* dock : {strategy_dock_, node_dock_, notes_dock_, table_dock_}) {
        dock->hide();
    }
    menuBar()->hide();
    appearance_.setTheme(ThemeChoice::Light); // projectors wash dark colours out
    appearance_.setTextSize(appearance_.textSize() * k_presentation_text / 100);
    loss_->setLineScale(2);
    throughput_->setLineScale(2);
    showFullScreen();
    ring_ = std::make_unique<CursorRing>(this);
}

void MainWindow::stopPresenting()
{
    const Look before = *before_presentation_;
    before_presentation_.reset();
    ring_.reset();
    loss_->setLineScale(1);
    throughput_->setLineScale(1);
    appearance_.setTheme(before.theme);
    appearance_.setTextSize(before.text_size);
    menuBar()->show();
    setWindowState(before.state);
    shares_->restoreAt(before.room, before.docks, k_layout_version);
}

void MainWindow::showHelp(bool at_shortcuts)
{
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("helpDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(at_shortcuts ? tr("Shortcuts") : tr("Help"));
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(dialog->windowTitle());
    text->setHtml(at_shortcuts ? QStringLiteral("<h2>%1</h2>%2").arg(tr("Shortcuts"), shortcutsHtml())
                               : helpText());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* rows = new QVBoxLayout(dialog);
    rows->addWidget(text);
    rows->addWidget(buttons);
    const int letter = dialog->fontMetrics().averageCharWidth();
    dialog->resize(std::min(width(), 110 * letter), std::min(height() - 40, 600));
    dialog->show();
}

void MainWindow::remember()
{
    const Remembered remembered = WindowSettings::load();
    remembers_ = true;
    recovery_ = std::make_unique<Recovery>(document_);
    connect(recovery_.get(), &Recovery::failed, strip_, &MessageStrip::showError);
    files_->setRecent(remembered.recent);
    appearance_.setTheme(remembered.theme);
    appearance_.setTextSize(remembered.text_size);
    remembered_layout_ = remembered.docks;
    was_greeted_ = remembered.was_greeted;
    restoreGeometry(remembered.geometry);
    const auto screens = QApplication::screens();
    const bool is_on_screen = std::ranges::any_of(screens, [this](const QScreen* screen) {
        return screen->availableGeometry().intersects(geometry());
    });
    if (!is_on_screen && QApplication::primaryScreen() != nullptr) {
        QRect place(QPoint(0, 0), size().boundedTo(QApplication::primaryScreen()->availableSize()));
        place.moveCenter(QApplication::primaryScreen()->availableGeometry().center());
        setGeometry(place);
    }
    if (!was_greeted_) {
        strip_->showGuidance(
            tr("Press Run (F5), then drag a node into another group, or select one and make it slower. "
               "Watch who waits."));
    }
    recordInto(Recording::usualFolder());
}

void MainWindow::offerRecovery()
{
    files_->offerRecovery();
    offerRecordings();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!files_->mayLeave()) {
        event->ignore();
        return;
    }
    if (isPresenting()) {
        stopPresenting();
    }
    controller_.pause();
    recovery_.reset(); // a clean end leaves no copy
    if (remembers_) {
        notes_dock_->setVisible(!are_notes_closed_); // not for want of notes in this experiment
        WindowSettings::save({saveGeometry(), host_->saveState(k_layout_version), appearance_.theme(),
                              appearance_.textSize(), files_->recent(), was_greeted_});
    }
    event->accept();
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
        usual_layout_ = host_->saveState(k_layout_version);
        // Of another version, or garbage: it stays as usual.
        if (host_->restoreState(remembered_layout_, k_layout_version)) {
            are_notes_closed_ = notes_dock_->isHidden();
            QTimer::singleShot(0, shares_, &DockShares::adopt);
        }
        showNotes();
        // Showing a widget for the first time gives it the fonts of the style sheet, whatever size was chosen before.
        QTimer::singleShot(0, this, [] { applyFont(QApplication::font()); });
    }
    controller_.setWatched(true);
    appeared_.start(0); // charts of a run that rests
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && isPresenting()) {
        stopPresenting();
    } else if (event->key() == Qt::Key_Escape && !history_.isLive()) {
        view(std::nullopt);
    } else if (event->key() == Qt::Key_Space || (event->key() == Qt::Key_Period && isPresenting())) {
        toggleRun();
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) {
        event->acceptProposedAction();
        files_->open(urls.front().toLocalFile());
    }
}

} // namespace lab
