#pragma once

#include "app/main_window.h"
#include "core/experiment/experiment_json.h"
#include "widgets/cluster_view.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>

namespace lab {

/// Four nodes in two groups, a tiny model: a run that goes on for as long as a test needs.
inline Experiment twoGroups()
{
    return parseExperiment(R"({
        "format": "straggler-lab/experiment", "version": 1, "title": "two groups", "seed": 3,
        "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"seconds": 1e8},
        "cluster": {"batch_seconds": 0.05, "failure_detection_seconds": 0.1,
                    "nodes": [{"name": "n1"}, {"name": "n2"}, {"name": "n3", "slowdown": 3}, {"name": "n4", "slowdown": 3}]},
        "groups": {"members": [["n1", "n2"], ["n3", "n4"]]},
        "strategy": {"kind": "hybrid"}})",
                           "two-groups.json", {});
}

/// A window with an experiment, on screen.
struct ShownWindow {
    MainWindow window;

    explicit ShownWindow(const Experiment& experiment = twoGroups())
    {
        window.open(experiment, {});
        window.show();
        if (!QTest::qWaitForWindowExposed(&window)) {
            qFatal("the window was never shown");
        }
    }
    /// Its edits are thrown away with it: nothing asks about them.
    ~ShownWindow() { window.document().open(window.document().experiment(), {}); }
    ShownWindow(const ShownWindow&) = delete;
    ShownWindow& operator=(const ShownWindow&) = delete;

    [[nodiscard]] QAction* action(const char* name)
    {
        return window.findChild<QAction*>(QLatin1String(name));
    }
    [[nodiscard]] ClusterView* cluster()
    {
        return window.findChild<ClusterView*>(QStringLiteral("clusterView"));
    }
    [[nodiscard]] const Frame& now() const { return window.history().latest(); }

    /// Runs until that many updates are made.
    void runTo(Version version)
    {
        action("run")->trigger();
        QTRY_VERIFY(now().version >= version);
    }
};

/// Drags a file from the desktop onto the window. False where the window would not have it.
inline bool dropFile(MainWindow& window, const QString& path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) {
        return false;
    }
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    return true;
}

} // namespace lab
