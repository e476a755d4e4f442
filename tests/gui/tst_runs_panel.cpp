// Kept runs: their figures, where they differ, what several seeds say, and their place in the loss chart.

#include "app/runs_panel.h"
#include "core/compare/statistics.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/experiment_fixture.h"
#include "widgets/chart_legend.h"
#include "widgets/loss_chart.h"

#include <QAbstractItemModelTester>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>

#include <cmath>

using namespace lab;

namespace {

/// A run whose training loss falls through these values, one each second.
KeptRun kept(const QString& name, std::uint64_t seed, const std::vector<double>& losses)
{
    KeptRun run{.name = name, .experiment = test::smallExperiment(2), .last = {}, .curve = {}};
    run.experiment.seed = seed;
    run.last.now = atSeconds(static_cast<double>(losses.size() - 1));
    run.last.version = static_cast<Version>(losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) {
        run.curve.push_back({.time = atSeconds(static_cast<double>(i)),
                             .update = static_cast<Version>(i),
                             .samples = 0,
                             .train_loss = losses[i],
                             .validation_loss = losses[i],
                             .validation_accuracy = 0});
    }
    return run;
}

QString cell(const KeptRuns& runs, int row, KeptRuns::Column column)
{
    return runs.data(runs.index(row, column), Qt::DisplayRole).toString();
}

template <class Part> Part& in(QWidget& parent, const char* name)
{
    auto* part = parent.findChild<Part*>(QLatin1String(name));
    Q_ASSERT(part != nullptr);
    return *part;
}

} // namespace

class RunsPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theModelKeepsQtsRules()
    {
        KeptRuns runs;
        const QAbstractItemModelTester tester(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        runs.keep(kept(QStringLiteral("a"), 1, {3, 2, 1, 1}));
        runs.keep(kept(QStringLiteral("a"), 2, {3, 2, 2, 2}));
        QCOMPARE(cell(runs, 1, KeptRuns::Name), QStringLiteral("a 2"));
        QVERIFY(runs.setData(runs.index(0, 0), QStringLiteral("first"), Qt::EditRole));
        QVERIFY(!runs.setData(runs.index(0, 0), QStringLiteral("  "), Qt::EditRole));
        runs.remove(1);
        QCOMPARE(runs.rowCount(), 1);
    }

    void aRunThatNeverReachesTheTargetSaysSo()
    {
        KeptRuns runs;
        runs.keep(kept(QStringLiteral("a"), 1, {3, 1, 1, 1}));
        runs.keep(kept(QStringLiteral("b"), 1, {3, 2, 2, 2}));

        QCOMPARE(runs.target(), 2.0); // the lowest that both reach
        QCOMPARE(cell(runs, 0, KeptRuns::ToTarget), QStringLiteral("2 s"));
        runs.setTarget(1.5);
        QCOMPARE(cell(runs, 0, KeptRuns::ToTarget), QStringLiteral("2 s"));
        QCOMPARE(cell(runs, 1, KeptRuns::ToTarget), QStringLiteral("not reached"));
    }

    void seedsAreAMeanWithAnInterval()
    {
        std::vector<KeptRun> runs{kept(QStringLiteral("a"), 1, {3, 1, 1, 1}),
                                  kept(QStringLiteral("b"), 2, {3, 3, 1, 1}),
                                  kept(QStringLiteral("again"), 2, {3, 3, 1, 1})};
        const QStringList lines = seedLines(runs, 1);

        // Times 2 s and 3 s: mean 2.5, half width t(0.975, 1) x 0.7071 / sqrt(2) = 6.353; the repeated seed counts once.
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines[0].contains(QStringLiteral("2 seeds")), qPrintable(lines[0]));
        QVERIFY2(lines[0].contains(QStringLiteral("at the target after 2.5 ± 6.4 s")), qPrintable(lines[0]));
        QVERIFY(seedLines(runs, 0.5)[0].contains(QStringLiteral("2 of 2 never at the target")));
        runs[1].experiment.training.learning_rate *= 2;
        runs.pop_back();
        QVERIFY(seedLines(runs, 1).isEmpty()); // they differ in more than the seed
    }

    void selectedRunsShowWhereTheyDiffer()
    {
        RunsPanel panel;
        panel.show();
        KeptRun other = kept(QStringLiteral("b"), 1, {2, 1, 1});
        other.experiment.cluster.nodes[1].slowdown = 4;
        panel.runs().keep(kept(QStringLiteral("a"), 1, {2, 1, 1}));
        panel.runs().keep(std::move(other));
        QVERIFY(!in<QTableWidget>(panel, "differences").isVisible());

        in<QTableView>(panel, "runsTable").selectAll();

        const auto& differences = in<QTableWidget>(panel, "differences");
        QVERIFY(differences.isVisible());
        QCOMPARE(differences.rowCount(), 1);
        QCOMPARE(differences.item(0, 0)->text(), QStringLiteral("cluster.nodes[1].slowdown"));
        QCOMPARE(differences.item(0, 1)->text(), QStringLiteral("1"));
        QCOMPARE(differences.item(0, 2)->text(), QStringLiteral("4"));
    }

    void aPinnedRunIsKeptAndDrawn()
    {
        ShownWindow shown;
        shown.runTo(40);
        shown.action("pin")->trigger();
        auto* panel = shown.window.findChild<RunsPanel*>();
        auto* chart = shown.window.findChild<LossChart*>();

        QCOMPARE(panel->runs().rowCount(), 1);
        QCOMPARE(chart->pinned().size(), std::size_t{1});
        panel->runs().setData(panel->runs().index(0, 0), int(Qt::Unchecked), Qt::CheckStateRole);
        QVERIFY(chart->pinned().empty());
    }

    void moreSeedsRunInTheBackground()
    {
        Experiment experiment = twoGroups();
        experiment.stop.seconds = 2;
        ShownWindow shown(experiment);
        auto* panel = shown.window.findChild<RunsPanel*>();
        QTest::mouseClick(&in<QPushButton>(*panel, "moreSeeds"), Qt::LeftButton);
        QVERIFY(panel->seeds().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!panel->seeds().isRunning(), 20'000);

        QCOMPARE(panel->runs().rowCount(), 4);
        QCOMPARE(cell(panel->runs(), 0, KeptRuns::Seed), QStringLiteral("4"));
        QCOMPARE(cell(panel->runs(), 3, KeptRuns::Seed), QStringLiteral("7"));
        QVERIFY(in<QLabel>(*panel, "seedSummary").text().contains(QStringLiteral("4 seeds")));
        // The next ones go on where these ended.
        QCOMPARE(highestSeed(panel->runs().runs(), experiment), std::uint64_t{7});
    }
};

QTEST_MAIN(RunsPanelTest)
#include "tst_runs_panel.moc"
