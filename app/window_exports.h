#pragma once

#include "app/exports.h"

#include <QObject>

#include <vector>

class QWidget;

namespace lab {

class LossChart;
class RunController;
class TimelineView;

/// What the window's run gives away: the export dialog, and charts for the printer and the clipboard.
class WindowExports final : public QObject {
    Q_OBJECT
public:
    /// A part of the window, and what is taken out of it while it has the focus.
    struct Part {
        const QWidget* widget = nullptr;
        ExportWhat what = ExportWhat::Loss;
    };
    /// Where everything comes from. All of it outlives this object.
    struct Window {
        QWidget& window;
        const RunController& controller;
        const RunHistory& history;
        const LossChart& loss;
        const TimelineView& timeline;
        std::vector<Part> parts;
    };
    explicit WindowExports(Window window);

    /// Opens the dialog, at the part that has the focus.
    void open();
    /// Asks for a printer and prints that part's picture, else all pictures of the run.
    void print();
    /// Copies that part's picture, as pixels and as SVG.
    void copyPicture();
    /// Copies its numbers as CSV. False where no part with numbers has the focus.
    bool copyData();

Q_SIGNALS:
    void done(const QString& what);

private:
    [[nodiscard]] std::optional<ExportWhat> focused() const;
    [[nodiscard]] ExportWhat focusedPicture(ExportWhat otherwise) const;
    [[nodiscard]] ExportSource source() const;
    [[nodiscard]] ExportWish wishFor(ExportWhat what, ExportFormat format) const;

    Window window_;
};

} // namespace lab
