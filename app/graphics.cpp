#include "app/graphics.h"

#include "app/document_files.h"
#include "app/headless.h"
#include "app/main_window.h"
#include "app/window_settings.h"
#include "core/base/error.h"
#include "widgets/chart_image.h"
#include "widgets/wheel_guard.h"

#include <QApplication>
#include <QByteArray>
#include <QFile>
#include <QFileInfo>

#include <clocale>
#include <iostream>
#include <memory>
#include <utility>

namespace lab {

namespace {

const char* const k_first_experiment = "unbalanced";

/// The application object adopts the environment's locale, and the numbers of files must not.
void keepNumbersPlain() { std::setlocale(LC_NUMERIC, "C"); }

void sayOnlyWhatMatters(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text)
{
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::cerr << "straggler-lab: " << text.toStdString() << '\n';
    }
}

/// What the window's store would hold had it watched the run.
RunHistory historyOf(const Experiment& experiment, const RunRecord& run)
{
    std::vector<QString> names;
    for (const NodeSpec& node : experiment.cluster.nodes) {
        names.push_back(QString::fromStdString(node.name));
    }
    RunHistory history;
    history.begin(std::move(names));
    Frame frame = run.last;
    frame.evaluations = run.curve;
    frame.spans = run.spans;
    frame.open.clear();
    frame.log = run.log;
    history.append(std::move(frame));
    return history;
}

} // namespace

int showWindow(int& argc, char** argv, const WindowCommand& command)
{
    QApplication app(argc, argv);
    keepNumbersPlain();
    QApplication::setApplicationName(QStringLiteral("Straggler Lab"));
    QApplication::setDesktopFileName(QStringLiteral("straggler-lab"));
    app.installEventFilter(new WheelGuard(&app));
    MainWindow window;
    window.remember();
    try {
        const std::string name = command.file.value_or(k_first_experiment);
        Experiment experiment = loadFileOrShipped(name);
        const QFileInfo file(QFile::decodeName(name.c_str()));
        if (command.file
            && file.isFile()) { // else it is a shipped one, which no save may look for on the disk
            window.files().setRecent(withRecent(window.files().recent(), file.absoluteFilePath()));
            window.open(std::move(experiment), file.absoluteFilePath());
        } else {
            window.open(std::move(experiment), {});
        }
    } catch (const ExperimentError& error) {
        std::cerr << "straggler-lab: " << error.what() << '\n';
        return k_wrong_input;
    }
    window.show();
    window.offerRecovery();
    if (command.starts) {
        window.controller().run();
    }
    return QApplication::exec();
}

std::vector<NamedBytes> drawCharts(const Experiment& experiment, const RunRecord& run)
{
    std::unique_ptr<QApplication> app;
    if (QCoreApplication::instance() == nullptr) {
        // Pictures need fonts, not a screen, and nobody at a terminal wants Qt's remarks on how it does without.
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(sayOnlyWhatMatters);
        static int argc = 1;
        static char name[] = "straggler-lab";
        static char* argv[] = {name, nullptr};
        app = std::make_unique<QApplication>(argc, argv);
        keepNumbersPlain();
    }
    std::vector<NamedBytes> files;
    for (const ChartImage& image :
         drawRunCharts(historyOf(experiment, run), QString::fromStdString(experiment.title))) {
        if (image.bytes.isEmpty()) {
            throw Error("the chart " + image.name.toStdString() + " cannot be drawn");
        }
        files.push_back({"charts/" + image.name.toStdString(), image.bytes.toStdString()});
    }
    return files;
}

} // namespace lab
