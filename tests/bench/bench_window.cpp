// How quick the window answers and how much memory it needs.
//
//     bench_window refresh             20,000 refreshes of the loss chart, four curves of 2,000 points
//     bench_window run [SECONDS]       64 nodes, asynchronous, as fast as the machine can; 600 s where not told
//     bench_window clocks [NODES]      frames a second under the virtual clock and with live threads, 20 s each; 16 nodes

#include "app/main_window.h"
#include "core/experiment/experiment_json.h"
#include "widgets/chart_view.h"
#include "widgets/cluster_view.h"
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
#include <utility>
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

Experiment manyNodes(int count)
{
    std::string nodes;
    for (int i = 1; i <= count; ++i) {
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

/// How long events have to wait, and how often a widget is drawn.
class Watch final : public QObject {
public:
    explicit Watch(QWidget& drawn)
    {
        drawn.installEventFilter(this);
        tick_.setTimerType(Qt::PreciseTimer);
        connect(&tick_, &QTimer::timeout, this, [this] {
            late_.push_back(std::max(0.0, static_cast<double>(since_tick_.nsecsElapsed()) / 1e6 - k_every));
            since_tick_.restart();
        });
        restart();
        tick_.start(k_every);
    }

    /// Since the last time; then it begins anew.
    QString report()
    {
        std::ranges::sort(late_);
        const auto at = [&](double share) {
            return late_.empty()
                ? 0
                : late_[static_cast<std::size_t>(share * static_cast<double>(late_.size() - 1))];
        };
        const QString words =
            QStringLiteral("frames/s %1, latency ms p50 %2 p99 %3 max %4")
                .arg(1000.0 * frames_ / static_cast<double>(since_start_.elapsed()), 0, 'f', 1)
                .arg(at(0.5), 0, 'f', 1)
                .arg(at(0.99), 0, 'f', 1)
                .arg(at(1), 0, 'f', 1);
        restart();
        return words;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        frames_ += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }

private:
    void restart()
    {
        late_.clear();
        frames_ = 0;
        since_start_.start();
        since_tick_.start();
    }

    static constexpr int k_every = 5;
    QTimer tick_;
    QElapsedTimer since_start_;
    QElapsedTimer since_tick_;
    std::vector<double> late_; ///< ms
    int frames_ = 0;
};

QWidget& canvasOf(MainWindow& window)
{
    return *window.findChild<ClusterView*>(QStringLiteral("clusterView"))->viewport();
}

int run(int seconds)
{
    MainWindow window;
    window.open(manyNodes(64), {});
    window.show();
    window.controller().setPace(std::nullopt);
    window.findChild<QAction*>(QStringLiteral("run"))->trigger();
    QElapsedTimer since_start;
    since_start.start();
    Watch watch(canvasOf(window));
    QTimer report;
    QObject::connect(&report, &QTimer::timeout, &report, [&] {
        const Frame& now = window.history().latest();
        out() << since_start.elapsed() / 1000 << " s: run " << toSeconds(now.now) << " s, updates "
              << now.version << ", " << watch.report() << ", memory MB " << memory() << Qt::endl;
        if (since_start.elapsed() >= 1000LL * seconds) {
            QApplication::quit();
        }
    });
    report.start(std::max(1, seconds / 10) * 1000);
    return QApplication::exec();
}

int clocks(int nodes)
{
    constexpr int seconds = 20;
    for (const auto& [name, clock] :
         {std::pair("virtual", ClockKind::Virtual), std::pair("live", ClockKind::Live)}) {
        MainWindow window;
        window.controller().setClock(clock);
        window.open(manyNodes(nodes), {});
        window.show();
        window.findChild<QAction*>(QStringLiteral("run"))->trigger();
        Watch watch(canvasOf(window));
        QTimer::singleShot(2000, &watch, [&] { watch.report(); }); // the beginning does not count
        QTimer::singleShot(1000 * (seconds + 2), &watch, [&, name = name] {
            const Frame& now = window.history().latest();
            out() << name << ", " << nodes << " nodes: run " << toSeconds(now.now) << " s, updates "
                  << now.version << ", " << watch.report();
            if (now.live) {
                out() << ", this machine's doing % " << 100 * now.live->machine_share;
            }
            out() << Qt::endl;
            QApplication::quit();
        });
        QApplication::exec();
    }
    return 0;
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
    if (what == "clocks") {
        return clocks(argc > 2 ? std::stoi(argv[2]) : 16);
    }
    out() << "bench_window refresh | run [SECONDS] | clocks [NODES]" << Qt::endl;
    return 2;
}
