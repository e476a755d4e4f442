#include "app/action_table.h"

#include "core/base/error.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace lab {

namespace {

using Kind = ActionRow::Kind;

QString tr(const char* text) { return QCoreApplication::translate("lab::Actions", text); }

QString plain(const char* text) { return tr(text).remove(QLatin1Char('&')); }

QList<QKeySequence> keysOf(const ActionRow& row)
{
    QList<QKeySequence> keys;
    for (const QString& key : QString::fromLatin1(row.keys).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        keys << QKeySequence(key, QKeySequence::PortableText);
    }
    return keys;
}

QString keysText(const ActionRow& row)
{
    if (row.kind == Kind::Key) {
        return tr(row.keys);
    }
    return QKeySequence::listToString(keysOf(row), QKeySequence::NativeText)
        .replace(QLatin1String("; "), QLatin1String(", "));
}

} // namespace

const std::vector<ActionRow>& actionTable()
{
    constexpr auto action = Kind::Action;
    constexpr auto submenu = Kind::Submenu;
    constexpr auto key = Kind::Key;
    static const std::vector<ActionRow> table{
        {action, "new", "&File", "&New", "Ctrl+N", "A small experiment to start from."},
        {action, "open", "&File", "&Open…", "Ctrl+O",
         "Opens an experiment or a session; dropping the file on the window does the same."},
        {submenu, "examples", "&File", "&Examples", "", "The experiments that come with the program."},
        {submenu, "recent", "&File", "Open &recent", "", "The last ten files."},
        {submenu, "sessionRuns", "&File", "Runs o&f this session", "",
         "The runs of the session that is open; each can be shown."},
        {action, "", "&File", "", "", ""},
        {action, "save", "&File", "&Save", "Ctrl+S", "Writes the experiment into its file."},
        {action, "saveAs", "&File", "Save &as…", "Ctrl+Shift+S", "Writes the experiment into another file."},
        {action, "saveRun", "&File", "Save r&un as experiment…", "",
         "Writes an experiment that repeats this run, with all that was done to it as events."},
        {action, "saveSession", "&File", "Sa&ve session…", "Ctrl+Alt+S",
         "Writes all runs of this window, with every moment of them, into one file."},
        {action, "export", "&File", "E&xport…", "Ctrl+E",
         "Pictures, tables, a report or a trace of this run, as files."},
        {action, "print", "&File", "&Print…", "Ctrl+P",
         "Prints the chart that has the focus, else all pictures of this run."},
        {action, "", "&File", "", "", ""},
        {action, "close", "&File", "&Close", "Ctrl+W", "Closes the window."},
        {action, "quit", "&File", "&Quit", "Ctrl+Q", "Ends the program."},

        {action, "undo", "&Edit", "&Undo", "Ctrl+Z", "Takes the last edit back. The run goes on."},
        {action, "redo", "&Edit", "&Redo", "Ctrl+Shift+Z Ctrl+Y", "Does it again."},
        {action, "", "&Edit", "", "", ""},
        {action, "cut", "&Edit", "Cu&t", "Ctrl+X", "Copies the selected nodes and removes them."},
        {action, "copy", "&Edit", "&Copy", "Ctrl+C",
         "Copies the selected nodes, or the numbers of the chart that has the focus."},
        {action, "copyPicture", "&Edit", "Copy p&icture", "Ctrl+Shift+C",
         "Copies the chart that has the focus, else the cluster, as a picture."},
        {action, "paste", "&Edit", "&Paste", "Ctrl+V", "Adds nodes like those that were copied."},
        {action, "", "&Edit", "", "", ""},
        {action, "selectAll", "&Edit", "Select &all", "Ctrl+A", "Selects every node."},
        {action, "find", "&Edit", "&Find node…", "Ctrl+F", "Looks for a node by its name."},

        {action, "addNode", "&Nodes", "&Add node", "Ctrl+Shift+N", "Adds a node like the selected one."},
        {action, "duplicate", "&Nodes", "&Duplicate", "Ctrl+D", "Adds a copy of each selected node."},
        {action, "remove", "&Nodes", "&Remove", "Del", "Takes the selected nodes out of the cluster."},
        {action, "", "&Nodes", "", "", ""},
        {submenu, "moveTo", "&Nodes", "&Move to group", "",
         "Moves the selected nodes; they join at the group's next round."},
        {action, "group", "&Nodes", "&Group", "Ctrl+G", "Makes one new group of the selected nodes."},
        {action, "ungroup", "&Nodes", "&Ungroup", "Ctrl+Shift+G",
         "Gives each selected node a group of its own."},
        {action, "", "&Nodes", "", "", ""},
        {action, "slow", "&Nodes", "S&low 10× for 5 s", "",
         "Ten times slower for five seconds of the run's clock."},
        {action, "fail", "&Nodes", "&Fail now", "Ctrl+K",
         "The selected nodes die and lose the work in hand."},
        {action, "failFor", "&Nodes", "Fail for &5 s", "", "They die now and come back by themselves."},
        {action, "recover", "&Nodes", "Re&cover", "Ctrl+Shift+K", "Brings failed nodes back."},

        {action, "run", "&Run", "&Run", "F5",
         "Starts the run, or pauses it. Space does the same on canvas and charts."},
        {action, "step", "&Run", "&Step", "F10", "Goes on by exactly one update, whatever the speed."},
        {action, "stepBack", "&Run", "Step &back", "Ctrl+F10",
         "Looks at the moment of the update before; the run goes on."},
        {action, "live", "&Run", "Back to &live", "Ctrl+L", "Looks at the newest moment again."},
        {action, "", "&Run", "", "", ""},
        {action, "reset", "&Run", "R&eset", "Ctrl+R", "Back to time 0, with all edits applied."},
        {action, "resetAll", "&Run", "Reset &all", "Ctrl+Shift+R",
         "The same, with speed, zoom and selection as at first."},
        {action, "", "&Run", "", "", ""},
        {action, "slower", "&Run", "Slo&wer", "Ctrl+[", "Halves the speed."},
        {action, "normalSpeed", "&Run", "&Normal speed", "Ctrl+\\", "One second of the run per second."},
        {action, "faster", "&Run", "&Faster", "Ctrl+]", "Doubles the speed."},
        {action, "", "&Run", "", "", ""},
        {action, "virtualClock", "&Run", "&Virtual clock", "",
         "Seconds are counted: the same file gives the same run, at any speed."},
        {action, "liveThreads", "&Run", "Live &threads", "",
         "Seconds are those on the wall: every node is a thread that really computes, slow ones stretched."},
        {action, "", "&Run", "", "", ""},
        {action, "pin", "&Run", "&Pin run", "Ctrl+B",
         "Keeps this run's curve in the loss chart to compare others with."},
        {action, "whatIf", "&Run", "W&hat if…", "Ctrl+Shift+W",
         "Runs this run twice from the moment that is shown: as it was, and with something otherwise."},

        {submenu, "panels", "&View", "&Panels", "", "Shows and hides the panels."},
        {action, "nextPanel", "&View", "&Next panel", "F6", "Moves the focus to the next panel."},
        {action, "previousPanel", "&View", "Pre&vious panel", "Shift+F6", "Moves it to the one before."},
        {action, "resetLayout", "&View", "Reset &layout", "", "Puts every panel back where it was at first."},
        {action, "", "&View", "", "", ""},
        {action, "zoomIn", "&View", "Zoom &in",
         "Ctrl++ Ctrl+=", "Enlarges the timeline where it has the focus, else the cluster."},
        {action, "zoomOut", "&View", "Zoom &out", "Ctrl+-", "Makes it smaller."},
        {action, "zoomFit", "&View", "&Fit", "Ctrl+0", "Shows all of it."},
        {action, "", "&View", "", "", ""},
        {submenu, "theme", "&View", "&Theme", "", "Light, dark, or as the desktop has it."},
        {submenu, "textSize", "&View", "Larger te&xt", "", "Up to twice the usual size."},
        {action, "presentation", "&View", "Pre&sentation", "F11 Ctrl+Shift+P",
         "Large and plain, for a projector. Esc leaves it."},

        {action, "help", "&Help", "&Help", "F1", "How to read this window."},
        {action, "shortcuts", "&Help", "&Shortcuts", "Ctrl+F1",
         "Every key, from the table that the program uses."},
        {action, "whatsThis", "&Help", "&What’s this?", "Shift+F1", "Explains whatever you click next."},

        {key, "", "Cluster", "Next or previous node", "Tab, Shift+Tab",
         "Beyond the last one the focus goes on to the next panel."},
        {key, "", "Cluster", "Neighbouring node", "Arrows", "With Shift the selection grows."},
        {key, "", "Cluster", "Change the node", "Enter", "Moves the focus to the node panel."},
        {key, "", "Cluster", "Move to group", "M", "A menu of groups; the same as dragging."},
        {key, "", "Cluster", "Menu of the node", "Shift+F10", "All that can be done with it."},
        {key, "", "Cluster", "Cancel", "Esc", "Ends a drag, or the selection."},
        {key, "", "Cluster and charts", "Run or pause", "Space", ""},
        {key, "", "Timeline", "Pan", "Left, Right", ""},
        {key, "", "Timeline", "Zoom", "+, −, wheel", ""},
        {key, "", "Timeline", "Follow the run", "F, End", ""},
        {key, "", "Timeline", "Look at a moment", "Click, Shift+Left, Shift+Right", "Esc goes back to live."},
        {key, "", "Timeline", "Select a stretch of time", "Shift+drag",
         "Idle time is then that of the stretch."},
        {key, "", "Charts", "Read values", "Left, Right, Home, End", "The same as pointing at the curves."},
        {key, "", "Presentation", "Run or pause", ".", ""},
    };
    return table;
}

Actions::Actions(QMainWindow& window) : QObject(&window)
{
    for (const ActionRow& row : actionTable()) {
        if (row.kind == Kind::Key) {
            continue;
        }
        QMenu*& menu = menus_[QString::fromUtf8(row.menu)];
        if (menu == nullptr) {
            menu = window.menuBar()->addMenu(tr(row.menu));
        }
        if (*row.name == '\0') {
            menu->addSeparator();
            continue;
        }
        const QString name = QString::fromLatin1(row.name);
        if (row.kind == Kind::Submenu) {
            QMenu* inner = menu->addMenu(tr(row.text));
            inner->setObjectName(name + QLatin1String("Menu"));
            menus_[name] = inner;
            continue;
        }
        auto* action = new QAction(tr(row.text), &window);
        action->setObjectName(name);
        action->setShortcuts(keysOf(row));
        action->setWhatsThis(tr(row.help));
        const QString keys = keysText(row);
        action->setToolTip(keys.isEmpty() ? tr(row.help) : QStringLiteral("%1 (%2)").arg(tr(row.help), keys));
        window.addAction(action);
        menu->addAction(action);
        actions_[name] = action;
    }
}

QAction* Actions::operator[](const char* name) const
{
    QAction* action = actions_.value(QString::fromLatin1(name));
    LAB_EXPECTS(action != nullptr);
    return action;
}

QMenu* Actions::menu(const char* name) const
{
    QMenu* menu = menus_.value(QString::fromLatin1(name));
    LAB_EXPECTS(menu != nullptr);
    return menu;
}

QString shortcutsHtml()
{
    QString html;
    QString part;
    for (const ActionRow& row : actionTable()) {
        if (*row.keys == '\0') {
            continue;
        }
        if (part != QString::fromUtf8(row.menu)) {
            html += part.isEmpty() ? QString() : QStringLiteral("</table>");
            part = QString::fromUtf8(row.menu);
            html += QStringLiteral("<h3>%1</h3><table cellpadding='3'>").arg(plain(row.menu).toHtmlEscaped());
        }
        html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                    .arg(keysText(row).toHtmlEscaped(), plain(row.text).remove(QChar(u'…')).toHtmlEscaped(),
                         tr(row.help).toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

} // namespace lab
