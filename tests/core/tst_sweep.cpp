#include "core/base/error.h"
#include "core/strategy/strategy.h"
#include "core/sweep/sweep.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <set>
#include <string>

using namespace lab;
using lab::test::ScratchFolder;

namespace {

const std::string k_experiment = R"({"format": "straggler-lab/experiment", "version": 1, "title": "base",
    "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"updates": 20},
    "cluster": {"nodes": [{}, {"slowdown": 2}]}, "strategy": {"kind": "bsp"}})";

/// A sweep around that experiment; `rest` follows its first keys.
std::string sweepText(const std::string& rest, const std::string& experiment = k_experiment)
{
    return "{\"format\": \"straggler-lab/sweep\", \"version\": 1, \"experiment\": " + experiment + ",\n"
        + rest + '}';
}

Sweep read(const std::string& text) { return readSweep(parseJson(text), "s.json", {}); }

std::string refusal(const std::string& text)
{
    try {
        checkCombinations(read(text));
        return "nothing";
    } catch (const ExperimentError& error) {
        return error.what();
    }
}

const std::string k_two_factors = R"("vary": [
    {"name": "strategy", "values": [{"label": "all", "strategy": {"kind": "bsp"}},
                                    {"label": "each", "strategy": {"kind": "asp"}, "evaluate.every_updates": 3}]},
    {"name": "rate", "path": "training.learning_rate", "values": [0.1, 0.2, 0.4]}],
    "seeds": [5, 9])";

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationIsOneRun();
    void runsHaveTheirExperiments();
    void nameIsThePathWhereNoneIsGiven();
    void countOfSeedsStartsAtOne();
    void slicesPartTheRuns();
    void experimentMayBeAFileBesideIt();
    void fingerprintIsOfWhatDecidesTheRuns();
    void badFilesAreRefused_data();
    void badFilesAreRefused();
    void badCombinationsAreListedOnce();
    void experimentIsToBlameForItsOwn();
};

void TestSweep::everyCombinationIsOneRun()
{
    const Sweep sweep = read(sweepText(k_two_factors));
    std::set<std::pair<std::vector<std::size_t>, std::uint64_t>> seen;

    for (std::size_t index = 0; index < sweep.runs(); ++index) {
        const Combination one = combinationOf(sweep, index);
        seen.insert({one.values, one.seed});
    }

    QCOMPARE(sweep.runs(), std::size_t{12});
    QCOMPARE(seen.size(), std::size_t{12});
    const Combination seventh = combinationOf(sweep, 7); // the seed changes fastest, the first factor slowest
    QCOMPARE(seventh.values, (std::vector<std::size_t>{1, 0}));
    QCOMPARE(seventh.seed, std::uint64_t{9});
    QCOMPARE(labelsOf(sweep, seventh.values), std::string("strategy = each, rate = 0.1"));
}

void TestSweep::runsHaveTheirExperiments()
{
    const Sweep sweep = read(sweepText(k_two_factors));

    const Experiment last = experimentOf(sweep, 11);
    const Experiment first = experimentOf(sweep, 0);

    QCOMPARE(last.strategy.kind, std::string("asp"));
    QCOMPARE(last.evaluate_every_updates, 3);
    QCOMPARE(last.training.learning_rate, 0.4);
    QCOMPARE(last.seed, std::uint64_t{9});
    QCOMPARE(first.strategy.kind, std::string("bsp"));
    QCOMPARE(first.evaluate_every_updates, 10);
    QCOMPARE(first.training.learning_rate, 0.1);
    QCOMPARE(first.seed, std::uint64_t{5});
}

void TestSweep::nameIsThePathWhereNoneIsGiven()
{
    const Sweep sweep = read(sweepText(R"("vary": [{"name": "strategy.kind", "values": ["bsp", "asp"]}])"));

    QCOMPARE(experimentOf(sweep, 1).strategy.kind, std::string("asp"));
    QCOMPARE(sweep.runs(), std::size_t{2});
}

void TestSweep::countOfSeedsStartsAtOne()
{
    const Sweep sweep = read(sweepText(R"("vary": [], "seeds": 3)"));

    QCOMPARE(sweep.seeds, (std::vector<std::uint64_t>{1, 2, 3}));
    QCOMPARE(sweep.runs(), std::size_t{3});
}

void TestSweep::slicesPartTheRuns()
{
    for (const std::size_t of : {1, 2, 5, 12, 20}) {
        for (std::size_t index = 0; index < 12; ++index) {
            std::size_t holders = 0;
            for (std::size_t part = 1; part <= of; ++part) {
                holders += Slice{part, of}.holds(index) ? 1 : 0;
            }
            QCOMPARE(holders, std::size_t{1});
        }
    }
}

void TestSweep::experimentMayBeAFileBesideIt()
{
    const ScratchFolder scratch;
    scratch.write("base.json", k_experiment);
    const auto file = scratch.write("s.json", sweepText(k_two_factors, "\"base.json\""));

    const Sweep from_file = loadSweep(file);
    const Sweep inside = read(sweepText(k_two_factors));

    QCOMPARE(from_file.folder, scratch.path());
    QCOMPARE(from_file.experiment_file, (scratch.path() / "base.json").string());
    QCOMPARE(fingerprintOf(from_file), fingerprintOf(inside));
}

void TestSweep::fingerprintIsOfWhatDecidesTheRuns()
{
    const std::string base = fingerprintOf(read(sweepText(k_two_factors)));
    std::string other_title = k_experiment;
    other_title.replace(other_title.find("base"), 4, "same");

    QCOMPARE(fingerprintOf(read(sweepText("\"title\": \"words\", \"notes\": \"more\", " + k_two_factors))),
             base);
    QCOMPARE(fingerprintOf(read(sweepText(k_two_factors, other_title))), base);
    QVERIFY(fingerprintOf(read(sweepText(k_two_factors + ", \"target\": {\"train_loss\": 1}"))) != base);
    QVERIFY(fingerprintOf(read(sweepText(R"("vary": [])"))) != base);
    QCOMPARE(base.size(), std::size_t{16});
}

void TestSweep::badFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* rest, const char* said) {
        QTest::newRow(rest) << QByteArray(rest) << QByteArray(said);
    };
    row(R"("seeds": 2)", "s.json:1: vary: is missing; list what differs between the runs");
    row(R"("vary": [], "seed": 2)", "s.json:4: seed: unknown key; did you mean seeds?");
    row(R"("vary": [], "seeds": 0)",
        "s.json:4: seeds: must be a count from 1 to 1000 or a list of seeds, not 0");
    row(R"("vary": [], "seeds": [1, 1])", "s.json:4: seeds[1]: is listed already; every seed counts once");
    row(R"("vary": [{"values": [1]}])",
        "s.json:4: vary[0].name: is missing; it is what tables call this factor");
    row(R"("vary": [{"name": "a", "values": []}])", "s.json:4: vary[0].values: must list at least one value");
    row(R"("vary": [{"name": "a", "values": [1, 1]}])",
        "s.json:4: vary[0].values[1]: \"1\" is listed already; every value may be listed once");
    row(R"("vary": [{"name": "a", "values": [{"training.batch": 4}]}])",
        "s.json:4: vary[0].values[0]: needs a \"label\", which tables show");
    row(R"("vary": [{"name": "seed", "values": [1]}])",
        "s.json:4: vary[0].name: cannot be \"seed\", which is a column of the results");
    row(R"("vary": [{"name": "a", "path": "seed", "values": [1]}])",
        "s.json:4: vary[0].values[0]: cannot set the seed: that is what \"seeds\" is for");
    row(R"("vary": [], "target": {"validation_loss": 0.4, "train_loss": 1})",
        "s.json:4: target: must be one loss above 0, as in {\"validation_loss\": 0.4}");
    row(R"("vary": [{"name": "a", "path": "training.batch", "values": [1]}], "target": {"train_loss": 1}, "tune": "b")",
        "s.json:4: tune: must be the name of a factor, not \"b\"; allowed: a");
    row(R"("vary": [{"name": "a", "path": "training.batch", "values": [1]}], "tune": "a")",
        "s.json:4: tune: needs a \"target\": the best value reaches it first");
    row(R"("vary": [{"name": "a", "path": "training.batch", "values": [0]}])",
        "s.json:4: vary[0].values[0]: training.batch: must be a whole number from 1 to 1000000, not 0");
    row(R"("vary": [{"name": "a", "path": "stop", "values": [{"label": "x", "stop": {"loss": 0.1}}]}])",
        "s.json:4: vary[0].values[0]: stop: has only a loss to stop at, which a run may never reach; give "
        "seconds, "
        "updates or samples too");
    row(R"("vary": [{"name": "a", "path": "training.rate", "values": [1]}])",
        "s.json:4: vary[0].values[0]: training.rate: unknown key");
}

void TestSweep::badFilesAreRefused()
{
    QFETCH(QByteArray, rest);
    QFETCH(QByteArray, said);

    const std::string refused = refusal(sweepText(rest.toStdString()));

    QVERIFY2(refused.starts_with(said.toStdString()), refused.c_str());
}

void TestSweep::badCombinationsAreListedOnce()
{
    const std::string refused = refusal(sweepText(R"("vary": [
        {"name": "nodes", "values": [{"label": "two"}, {"label": "one", "cluster.nodes": [{}]}]},
        {"name": "strategy", "values": [{"label": "sync", "strategy.kind": "bsp"},
                                        {"label": "spare", "strategy": {"kind": "backup_workers", "backups": 1}}]},
        {"name": "rate", "path": "training.learning_rate", "values": [0.1, 0.2]}], "seeds": 4)"));

    QCOMPARE(refused,
             std::string("s.json:7: vary[1].values[1]: strategy.backups: must be below the number of nodes, "
                         "1, not 1 (with "
                         "nodes = one, strategy = spare, rate = 0.1, and in 1 more)"));
}

void TestSweep::experimentIsToBlameForItsOwn()
{
    std::string broken = k_experiment;
    broken.replace(broken.find("softmax"), 7, "softmix");
    const ScratchFolder scratch;
    scratch.write("base.json", broken);
    const auto file = scratch.write("s.json", sweepText(k_two_factors, "\"base.json\""));

    QVERIFY(refusal(sweepText(k_two_factors, broken)).starts_with("s.json:2: experiment.model.kind: "));
    try {
        checkCombinations(loadSweep(file));
        QFAIL("was taken");
    } catch (const ExperimentError& error) {
        QVERIFY2(std::string(error.what())
                     .starts_with((scratch.path() / "base.json").string() + ":2: model.kind: "),
                 error.what());
    }
}

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
