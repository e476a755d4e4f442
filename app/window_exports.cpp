#include "app/window_exports.h"

#include "app/export_dialog.h"
#include "app/run_controller.h"
#include "widgets/loss_chart.h"
#include "widgets/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>
#include <memory>
#include <utility>

namespace lab {

namespace {

/// Where files go at first: where documents are, if there is such a folder.
QString usualFolder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

/// A title as the beginning of a file's name, whatever stands in it.
QString stemOf(const std::string& title)
{
    static const QRegularExpression odd(QStringLiteral("[^\\p{L}\\p{N}]+"));
    QString stem = QString::fromStdString(title).toLower().replace(odd, QStringLiteral("-")).left(40);
    while (stem.startsWith(QLatin1Char('-'))) {
        stem.remove(0, 1);
    }
    while (stem.endsWith(QLatin1Char('-'))) {
        stem.chop(1);
    }
    return stem.isEmpty() ? QStringLiteral("run") : stem;
}

} // namespace

WindowExports::WindowExports(Window window) : QObject(&window.window), window_(std::move(window)) {}

std::optional<ExportWhat> WindowExports::focused() const
{
    const QWidget* focus = window_.window.focusWidget();
    const auto part = std::ranges::find_if(window_.parts, [focus](const Part& one) {
        return focus != nullptr && (focus == one.widget || one.widget->isAncestorOf(focus));
    });
    return part == window_.parts.end() ? std::nullopt : std::optional(part->what);
}

ExportWhat WindowExports::focusedPicture(ExportWhat otherwise) const
{
    const ExportWhat what = focused().value_or(otherwise);
    return what == ExportWhat::Events ? otherwise : what; // a log is no picture
}

ExportSource WindowExports::source() const
{
    const std::shared_ptr<const OpenedRun>& recorded = window_.controller.recorded();
    return {recorded ? recorded->experiment : window_.controller.experiment(),
            window_.controller.journal(),
            window_.history,
            window_.loss.state(),
            window_.timeline.selection(),
            &themeOf(window_.window.palette()),
            recorded ? std::shared_ptr<const RunRecord>(recorded, &recorded->recorded.record) : nullptr};
}

ExportWish WindowExports::wishFor(ExportWhat what, ExportFormat format) const
{
    ExportWish wish;
    wish.what = what;
    wish.format = format;
    wish.only_stretch = window_.timeline.selection().has_value();
    return wish;
}

void WindowExports::open()
{
    if (!window_.controller.hasRun()) {
        return;
    }
    const ExportSource snapshot = source();
    auto* dialog = new ExportDialog(snapshot, focused().value_or(ExportWhat::Loss), usualFolder(),
                                    stemOf(snapshot.experiment.title), &window_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::done, this, &WindowExports::done);
    dialog->open();
}

void WindowExports::print()
{
    if (!window_.controller.hasRun()) {
        return;
    }
    const ExportWhat what = focusedPicture(ExportWhat::AllPictures);
    const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(QString::fromStdString(window_.controller.experiment().title));
    printer->setPageOrientation(QPageLayout::Landscape);
    auto* dialog = new QPrintDialog(printer.get(), &window_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto paint = [this, printer, what, snapshot = std::make_shared<const ExportSource>(source())] {
        const std::vector<Picture> pages = pagesOf(*snapshot, wishFor(what, ExportFormat::Pdf));
        Q_EMIT done(printPages(pages, *printer, lightTheme())
                        ? tr("Printed: %1").arg(wordFor(what))
                        : tr("Not printed: the printer, or the file to print into, takes nothing"));
    };
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this, paint);
    dialog->open();
}

void WindowExports::copyPicture()
{
    if (!window_.controller.hasRun()) {
        return;
    }
    const ExportSource snapshot = source();
    const ExportWhat what = focusedPicture(ExportWhat::Cluster);
    auto data = std::make_unique<QMimeData>();
    data->setImageData(QImage::fromData(exported(snapshot, wishFor(what, ExportFormat::Png))));
    data->setData(QStringLiteral("image/svg+xml"), exported(snapshot, wishFor(what, ExportFormat::Svg)));
    QApplication::clipboard()->setMimeData(data.release());
    Q_EMIT done(tr("Copied as a picture: %1").arg(wordFor(what)));
}

bool WindowExports::copyData()
{
    const auto what = focused();
    if (!what || *what == ExportWhat::Cluster || !window_.controller.hasRun()) {
        return false; // on the canvas it is nodes that are copied
    }
    const QByteArray csv = exported(source(), wishFor(*what, ExportFormat::Csv));
    auto data = std::make_unique<QMimeData>();
    data->setData(QStringLiteral("text/csv"), csv);
    data->setText(QString::fromUtf8(csv));
    QApplication::clipboard()->setMimeData(data.release());
    Q_EMIT done(tr("Copied as a table: %1").arg(wordFor(*what)));
    return true;
}

} // namespace lab
