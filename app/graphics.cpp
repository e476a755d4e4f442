#include "app/graphics.h"

#include "app/document_files.h"
#include "app/exports.h"
#include "app/headless.h"
#include "app/main_window.h"
#include "app/report.h"
#include "app/run_words.h"
#include "app/window_settings.h"
#include "core/base/error.h"
#include "widgets/run_pictures.h"
#include "widgets/wheel_guard.h"

#include <QApplication>
#include <QByteArray>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <clocale>
#include <iostream>
#include <iterator>
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

/// Pictures need fonts, not a screen: where no application was made yet, this is one without a display.
class Fonts {
public:
    Fonts()
    {
        if (QCoreApplication::instance() != nullptr) {
            return;
        }
        // Nobody at a terminal wants Qt's remarks on how it does without a screen.
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(sayOnlyWhatMatters);
        static int argc = 1;
        static char name[] = "straggler-lab";
        static char* argv[] = {name, nullptr};
        app_ = std::make_unique<QApplication>(argc, argv);
        keepNumbersPlain();
    }

private:
    std::unique_ptr<QApplication> app_;
};

constexpr PictureKind k_kinds_of_a_run[] = {PictureKind::Loss, PictureKind::Idle, PictureKind::Staleness,
                                            PictureKind::Timeline};
constexpr PictureFormat k_formats_of_a_run[] = {PictureFormat::Svg, PictureFormat::Png};

std::vector<NamedBytes> draw(const Experiment& experiment, const RunRecord& run,
                             std::span<const PictureKind> kinds, std::span<const PictureFormat> formats)
{
    const RunHistory history = historyOf(experiment, run);
    const PictureSource source{history, QString::fromStdString(experiment.title), modelText(experiment), {}};
    std::vector<NamedBytes> files;
    for (const PictureKind kind : kinds) {
        const Picture picture = pictureOf(kind, source);
        for (const PictureFormat format : formats) {
            const QByteArray bytes = fileOf({&picture, 1}, format, styleFor(experiment));
            const QString name = QStringLiteral("charts/%1.%2").arg(picture.name, endingOf(format));
            if (bytes.isEmpty()) {
                throw Error(name.toStdString() + " cannot be drawn");
            }
            files.push_back({name.toStdString(), bytes.toStdString()});
        }
    }
    return files;
}

/// Throws Error where the window would be empty.
void openFirst(MainWindow& window, const std::optional<std::string>& wanted)
{
    const std::string name = wanted.value_or(k_first_experiment);
    const QString file = QFileInfo(QFile::decodeName(name.c_str())).absoluteFilePath();
    if (!wanted || !QFileInfo(file).isFile()) { // a shipped one, which no save may look for on the disk
        window.open(loadFileOrShipped(name), {});
        return;
    }
    if (isSessionFile(name)) {
        window.showSession(openSession(file));
    } else {
        window.open(loadFileOrShipped(name), file);
    }
    window.files().setRecent(withRecent(window.files().recent(), file));
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
        openFirst(window, command.file);
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
    const Fonts fonts;
    return draw(experiment, run, k_kinds_of_a_run, k_formats_of_a_run);
}

std::vector<NamedBytes> drawPictures(const Experiment& experiment, const RunRecord& run,
                                     const Summary& summary, std::span<const std::string> formats)
{
    const Fonts fonts;
    std::vector<PictureFormat> pictures;
    std::ranges::copy_if(k_picture_formats, std::back_inserter(pictures), [&](PictureFormat format) {
        return std::ranges::count(formats, endingOf(format).toStdString()) > 0;
    });
    std::vector<NamedBytes> files = draw(experiment, run, k_picture_kinds, pictures);
    if (std::ranges::count(formats, "html") > 0) {
        constexpr PictureFormat svg[] = {PictureFormat::Svg};
        std::vector<QByteArray> inlined;
        for (const NamedBytes& file : draw(experiment, run, k_picture_kinds, svg)) {
            inlined.push_back(QByteArray::fromStdString(file.bytes));
        }
        files.push_back({"report.html", reportHtml(experiment, run, summary, inlined).toStdString()});
    }
    return files;
}

} // namespace lab
