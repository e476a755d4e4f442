#include "core/base/error.h"
#include "core/sweep/cells.h"
#include "core/sweep/report.h"
#include "core/sweep/run_log.h"
#include "core/sweep/sweep_folder.h"
#include "core/sweep/winners.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <cmath>
#include <fstream>
#include <string>

using namespace lab;
using lab::test::ScratchFolder;

namespace {

/// Two clusters x two strategies x three rates x three seeds; nothing of it is ever run here.
Sweep sweep()
{
    return readSweep(
        parseJson(R"({"format": "straggler-lab/sweep", "version": 1, "title": "Try", "experiment": {},
        "vary": [{"name": "cluster", "values": ["even", "odd, by far"]},
                 {"name": "strategy", "values": ["bsp", "asp"]},
                 {"name": "rate", "values": [0.1, 0.2, 0.4]}],
        "seeds": 3, "target": {"validation_loss": 0.5}, "tune": "rate", "compare": "strategy"})"),
        "s.json", {});
}

RunFigures run(std::size_t index, double time)
{
    RunFigures run;
    run.index = index;
    run.stop_reason = "seconds";
    run.seconds = 10;
    run.updates = 20;
    run.samples = 400;
    run.time_to_target = time;
    run.train_loss = 0.25;
    run.validation_loss = 0.3;
    run.validation_accuracy = 0.9;
    run.idle_fraction = 0.125;
    run.mean_staleness = 1;
    return run;
}

/// All runs; a run's time is its cluster's, strategy's and rate's plus its seed's.
Runs allRuns(const Sweep& sweep)
{
    const std::array<double, 3> of_rate{4, 2, 6};
    Runs runs;
    for (std::size_t index = 0; index < sweep.runs(); ++index) {
        const Combination one = combinationOf(sweep, index);
        const double time = 100.0 * static_cast<double>(one.values[0])
            + 10.0 * static_cast<double>(one.values[1]) + of_rate[one.values[2]]
            + static_cast<double>(one.seed) / 4;
        runs.emplace(index, run(index, time));
    }
    return runs;
}

Evaluation at(double seconds, double loss)
{
    Evaluation one;
    one.time = atSeconds(seconds);
    one.validation_loss = loss;
    one.train_loss = 2 * loss;
    return one;
}

std::string contentOf(const std::filesystem::path& file) { return textOf(file); }

} // namespace

class TestSweepResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void targetIsReachedByTheMedianOfThree();
    void medianOfTimesCountsWhatNeverCame();
    void meansComeWithTheirInterval();
    void failedRunsAreNeverDropped();
    void bestRateIsFoundForEachCell();
    void edgeOfTheGridIsFlagged();
    void nearTiesAreNamedWithTheWinner();
    void rowsReadBack();
    void logGoesOnAfterATornLine();
    void logTakesTheLastOfTwo();
    void logRefusesOthers();
    void folderRefusesAnotherSweep();
    void tablesAreTheSameForAnyOrder();
    void partSaysThatItIsOne();
};

void TestSweepResults::targetIsReachedByTheMedianOfThree()
{
    const Target target{Target::Loss::Validation, 0.5};
    const double nan = std::nan("");

    // One lucky evaluation does not count; of three, two must be there.
    QCOMPARE(timeToTarget(std::vector{at(0, 2), at(1, 0.4), at(2, 0.6), at(3, 0.5), at(4, 0.45)}, target),
             3.0);
    QCOMPARE(timeToTarget(std::vector{at(0, 0.1), at(1, 0.1)}, target), k_never);
    QCOMPARE(timeToTarget(std::vector{at(0, 2), at(1, nan), at(2, 0.4), at(3, nan)}, target), k_never);
    QCOMPARE(timeToTarget(std::vector{at(0, 2), at(1, 0.4), at(2, 0.4)}, {Target::Loss::Training, 0.5}),
             k_never);
    QCOMPARE(timeToTarget(std::vector{at(0, 2), at(1, 0.2), at(2, 0.2)}, {Target::Loss::Training, 0.5}), 2.0);
}

void TestSweepResults::meansComeWithTheirInterval()
{
    const Sweep one = sweep();
    const Cell all = cellsOf(one, {{0, run(0, 5)}, {1, run(1, 6)}, {2, run(2, 7)}})[0];
    QCOMPARE(all.time_interval.mean, 6.0);
    QVERIFY(std::abs(*all.time_interval.half_width - 4.302652729911275 / std::sqrt(3.0)) < 1e-9);
    const Cell some = cellsOf(one, {{0, run(0, 5)}, {1, run(1, k_never)}, {2, run(2, 7)}})[0];
    QCOMPARE(some.time_interval.mean, k_never);

    const std::string text = resultsMarkdown(one,
                                             {{0, run(0, 5)},
                                              {1, run(1, 6)},
                                              {2, run(2, 7)},
                                              {9, run(9, 5)},
                                              {10, run(10, k_never)},
                                              {11, run(11, 7)}});
    QVERIFY2(text.find("| 6 ± 2.5 (3) |") != std::string::npos, text.c_str());
    QVERIFY2(text.find("| 1 of 3 never |") != std::string::npos, text.c_str());
}

void TestSweepResults::medianOfTimesCountsWhatNeverCame()
{
    QCOMPARE(median({3, k_never, 1}), 3.0);
    QCOMPARE(median({k_never, k_never, 1}), k_never);
    QCOMPARE(median({1, 2, k_never, k_never}), k_never);
    QCOMPARE(median({1, 2, 4, k_never}), 3.0);
    QVERIFY(std::isnan(median({})));

    const Sweep one = sweep();
    const std::vector<Cell> cells = cellsOf(one, {{0, run(0, 5)}, {1, run(1, k_never)}, {2, run(2, 7)}});

    QCOMPARE(cells.size(), std::size_t{1});
    QCOMPARE(cells[0].median_time, 7.0);
    QCOMPARE(cells[0].min_time, 5.0);
    QCOMPARE(cells[0].max_time, k_never);
    QCOMPARE(cells[0].reached, std::size_t{2});
    QCOMPARE(cells[0].samples_per_second, 40.0);
}

void TestSweepResults::failedRunsAreNeverDropped()
{
    RunFigures failed;
    failed.index = 0;
    failed.failure = "the disk is full";

    const Sweep one = sweep();
    const std::vector<Cell> cells = cellsOf(one, {{0, failed}, {1, run(1, k_never)}, {2, run(2, 7)}});

    QCOMPARE(cells[0].runs, std::size_t{3});
    QCOMPARE(cells[0].failed, std::size_t{1});
    QCOMPARE(cells[0].median_time, k_never);
    QCOMPARE(cells[0].samples_per_second, 40.0); // of those that ended
}

void TestSweepResults::bestRateIsFoundForEachCell()
{
    const Sweep one = sweep();

    const std::vector<BestCell> best = bestOf(one, cellsOf(one, allRuns(one)));

    QCOMPARE(best.size(), std::size_t{4});
    for (std::size_t i = 0; i < best.size(); ++i) {
        QCOMPARE(best[i].cell.values, (std::vector<std::size_t>{i / 2, i % 2, 1}));
        QVERIFY(!best[i].is_at_edge);
    }
    QCOMPARE(best[3].cell.median_time, 112.5);
}

void TestSweepResults::edgeOfTheGridIsFlagged()
{
    const Sweep one = sweep();
    Runs runs = allRuns(one);
    for (std::size_t index = 6; index < 9; ++index) { // cluster even, bsp, rate 0.4
        runs[index].time_to_target = 1;
    }

    const std::vector<BestCell> best = bestOf(one, cellsOf(one, runs));

    QVERIFY(best[0].is_at_edge);
    QVERIFY(!best[1].is_at_edge);
    QVERIFY(resultsMarkdown(one, runs).find("0.4 (edge)") != std::string::npos);
}

void TestSweepResults::nearTiesAreNamedWithTheWinner()
{
    const Sweep one = sweep();
    Runs runs = allRuns(one);
    runs[3].time_to_target = 13; // bsp's range at its best rate now takes in the median of asp

    const std::vector<WinnerMap> maps = winnerMaps(one, bestOf(one, cellsOf(one, runs)));

    QCOMPARE(maps.size(), std::size_t{1});
    QCOMPARE(maps[0].columns.size(), std::size_t{2});
    QCOMPARE(maps[0].rows[0].winners[0], std::string("bsp 2.75 s ≈ asp 12.5 s"));
    QCOMPARE(maps[0].rows[0].winners[1], std::string("bsp 102 s"));
}

void TestSweepResults::rowsReadBack()
{
    const Sweep one = sweep();
    Runs runs = allRuns(one);
    runs[20].time_to_target = k_never;
    runs[20].validation_loss = std::nan("");
    runs[21] = {};
    runs[21].index = 21;
    runs[21].failure = "says \"no\", and why";
    const std::string text = runsText(one, runs);

    const Runs read = readRuns(text, "runs.csv", one);

    QCOMPARE(runsText(one, read), text);
    QCOMPARE(read.at(20).time_to_target, k_never);
    QCOMPARE(read.at(21).failure, std::string("says \"no\", and why"));
}

void TestSweepResults::logGoesOnAfterATornLine()
{
    const Sweep one = sweep();
    const ScratchFolder scratch;
    const auto file = scratch.path() / "runs.csv";
    {
        RunLog log(file, one);
        log.append(run(4, 1.5));
        log.append(run(2, 2.5));
    }
    std::ofstream(file, std::ios::app) << "7,even,bsp,0.4,2,,sec";

    RunLog log(file, one);
    log.append(run(7, 3.5));

    QCOMPARE(log.runs().size(), std::size_t{3});
    QCOMPARE(readRuns(contentOf(file), "runs.csv", one).size(), std::size_t{3});
    log.sort();
    QCOMPARE(contentOf(file), runsText(one, log.runs()));
}

void TestSweepResults::logTakesTheLastOfTwo()
{
    const Sweep one = sweep();
    const ScratchFolder scratch;
    RunFigures failed;
    failed.index = 4;
    failed.failure = "the disk is full";
    {
        RunLog log(scratch.path() / "runs.csv", one);
        log.append(failed);
        log.append(run(4, 1.5));
    }

    const RunLog log(scratch.path() / "runs.csv", one);

    QCOMPARE(log.runs().size(), std::size_t{1});
    QVERIFY(log.runs().at(4).failure.empty());
}

void TestSweepResults::logRefusesOthers()
{
    const Sweep one = sweep();
    const ScratchFolder scratch;
    const RunLog open(scratch.path() / "runs.csv", one);

    QVERIFY_EXCEPTION_THROWN(RunLog(scratch.path() / "runs.csv", one), Error);
    QVERIFY_EXCEPTION_THROWN(RunLog(scratch.write("other.csv", "a,b\n1,2\n"), one), Error);
    QVERIFY_EXCEPTION_THROWN((void)readRuns(runsHeader(one) + "\n99,x\n", "runs.csv", one), Error);
}

void TestSweepResults::folderRefusesAnotherSweep()
{
    const Sweep one = sweep();
    Sweep other = one;
    std::get<JsonValue::Object>(other.root.value).pop_back();
    const ScratchFolder scratch;
    const auto folder = scratch.path() / "deep" / "new";

    claimSweepFolder(folder, one);
    claimSweepFolder(folder, one);

    QVERIFY_EXCEPTION_THROWN(claimSweepFolder(folder, other), Error);
    QCOMPARE(readSweepFolder(folder).fingerprint, fingerprintOf(one));
    scratch.write("letter.txt", "dear");
    QVERIFY_EXCEPTION_THROWN(claimSweepFolder(scratch.path(), one), Error);
    QVERIFY_EXCEPTION_THROWN(claimSweepFolder(scratch.path() / "letter.txt", one), Error);
    QVERIFY_EXCEPTION_THROWN((void)readSweepFolder(scratch.path()), Error);
}

void TestSweepResults::tablesAreTheSameForAnyOrder()
{
    const Sweep one = sweep();
    const Runs runs = allRuns(one);
    std::string backwards = runsHeader(one) + '\n';
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        backwards += runsRow(one, run->second);
    }

    const Runs read = readRuns(backwards, "runs.csv", one);

    QCOMPARE(resultsCsv(one, read), resultsCsv(one, runs));
    QCOMPARE(resultsMarkdown(one, read), resultsMarkdown(one, runs));
    QVERIFY(resultsCsv(one, runs).find("even,bsp,0.2,3,3,0,2.5,2.25,2.75,false,0.25,0.3,40,2,0.125,1,2.5,")
            != std::string::npos);
}

void TestSweepResults::partSaysThatItIsOne()
{
    const Sweep one = sweep();
    Runs runs = allRuns(one);
    QVERIFY(resultsMarkdown(one, runs).find("part of the sweep") == std::string::npos);

    runs.erase(3);

    QVERIFY(resultsMarkdown(one, runs).find("35 of 36 runs") != std::string::npos);
    QVERIFY(resultsMarkdown(one, runs).find("part of the sweep") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestSweepResults)
#include "tst_sweep_results.moc"
