// How quick the window answers and how much memory it needs.
//
//     bench_window refresh             20,000 refreshes of the loss chart, four curves of 2,000 points
//     bench_window run [SECONDS]       64 nodes, asynchronous, as fast as the machine can; 600 s where not told

#include "app/main_window.h"
#include "core/experiment/experiment_json.h"
#include "widgets/chart_view.h"
#include "widgets/line_plot.h"

#include <QAction>
#include <QApplication>
#include <QChart>
#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;

namespace {

QTextStream& out()
{
    static QTextStream stream(stdout);
    return stream;
}

/// Resident memory of this process in MB.
double memory()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    return file.readAll().split(' ').at(1).toDouble() * 4096 / 1e6;
}

int refreshes()
{
    ChartView view(new QChart);
    LinePlot plot(view.chart());
    plot.setTheme(lightTheme(), QApplication::font());
    view.resize(460, 300);
    view.show();
    int done = 0;
    double warm = 0;
    QElapsedTimer clock;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        std::vector<Curve> curves(4);
        for (std::size_t c = 0; c < curves.size(); ++c) {
            for (int i = 0; i < 2000; ++i) {
                const double x = i + done;
                curves[c].points.emplaceBack(i, 2 + std::sin(x * 0.01 + static_cast<double>(c)));
            }
            curves[c].colour = lightTheme().series[c];
        }
        plot.show(curves, 1);
        if (++done == 2000) {
            warm = memory();
            clock.start();
        }
        if (done == 20'000) {
            out() << "refreshes 18000, ms each " << static_cast<double>(clock.elapsed()) / 18'000
                  << ", memory MB " << warm << " -> " << memory() << Qt::endl;
            QApplication::quit();
        }
    });
    timer.start(0);
    return QApplication::exec();
}

Experiment sixtyFour()
{
    std::string nodes;
    for (int i = 1; i <= 64; ++i) {
        nodes += (i > 1 ? "," : "") + std::string(R"({"name": "n)") + std::to_string(i) + R"(", "slowdown": )"
            + std::to_string(1 + i % 4) + "}";
    }
    return parseExperiment(
        R"({"format": "straggler-lab/experiment", "version": 1, "model": {"kind": "softmax"},
        "stop": {"seconds": 1e7}, "strategy": {"kind": "asp"}, "cluster": {"batch_seconds": 0.1,
        "jitter": {"kind": "exponential"}, "network": {"latency": 0.001}, "nodes": [)"
            + nodes + "]}}",
        "bench", {});
}

int run(int seconds)
{
    MainWindow window;
    window.open(sixtyFour(), {});
    window.show();
    window.controller().setPace(std::nullopt);
    window.findChild<QAction*>(QStringLiteral("run"))->trigger();
    QElapsedTimer since_start;
    since_start.start();
    QElapsedTimer since_tick;
    since_tick.start();
    std::vector<double> late; // how long an event had to wait, ms
    constexpr int every = 5;
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &tick, [&] {
        late.push_back(std::max(0.0, static_cast<double>(since_tick.nsecsElapsed()) / 1e6 - every));
        since_tick.restart();
    });
    tick.start(every);
    QTimer report;
    QObject::connect(&report, &QTimer::timeout, &report, [&] {
        std::ranges::sort(late);
        const auto at = [&](double share) {
            return late.empty()
                ? 0
                : late[static_cast<std::size_t>(share * static_cast<double>(late.size() - 1))];
        };
        const Frame& now = window.history().latest();
        out() << since_start.elapsed() / 1000 << " s: run " << toSeconds(now.now) << " s, updates "
              << now.version << ", latency ms p50 " << at(0.5) << " p99 " << at(0.99) << " max " << at(1)
              << ", memory MB " << memory() << Qt::endl;
        late.clear();
        if (since_start.elapsed() >= 1000LL * seconds) {
            QApplication::quit();
        }
    });
    report.start(std::max(1, seconds / 10) * 1000);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication app(argc, argv);
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "refresh") {
        return refreshes();
    }
    if (what == "run") {
        return run(argc > 2 ? std::stoi(argv[2]) : 600);
    }
    out() << "bench_window refresh | run [SECONDS]" << Qt::endl;
    return 2;
}
