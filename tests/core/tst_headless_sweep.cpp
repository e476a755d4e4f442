#include "app/headless.h"
#include "core/sweep/sweep_folder.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace lab;
namespace fs = std::filesystem;

namespace {

const std::string k_sweep = R"({"format": "straggler-lab/sweep", "version": 1, "title": "small",
    "experiment": {"format": "straggler-lab/experiment", "version": 1, "data": {"source": "blobs"},
        "model": {"kind": "softmax"}, "stop": {"updates": 30}, "evaluate": {"every_updates": 5},
        "cluster": {"jitter": {"kind": "exponential"}, "nodes": [{}, {"slowdown": 2}]},
        "strategy": {"kind": "bsp"}},
    "vary": [{"name": "strategy", "path": "strategy.kind", "values": ["bsp", "asp"]},
             {"name": "rate", "path": "training.learning_rate", "values": [0.05, 0.2, 0.8]}],
    "seeds": 2, "target": {"train_loss": 0.4}, "tune": "rate", "compare": "strategy"})";

} // namespace

class TestHeadlessSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void sweepLeavesItsTables();
    void threadsMakeNoDifference();
    void interruptedSweepGoesOn();
    void slicesMergeIntoTheWhole();
    void mergeSaysWhatIsWrong();
    void changedSweepIsRefused();
    void wrongFileIsStatus2AndLeavesNothing();
    void failedRunsAreStatus1AndTriedAgain();
    void progressGoesToATerminalOnly();

private:
    ExitStatus sweep(const std::string& out, Slice slice = {}, int threads = 1)
    {
        SweepCommand command;
        command.file = file_;
        command.out = root_ + '/' + out;
        command.slice = slice;
        command.threads = threads;
        return carryOut(command, Console{out_, err_, shows_progress_, is_over_});
    }
    ExitStatus merge(const std::vector<std::string>& parts, const std::string& out)
    {
        MergeCommand command;
        for (const std::string& part : parts) {
            command.parts.push_back(root_ + '/' + part);
        }
        command.out = root_ + '/' + out;
        return carryOut(command, Console{out_, err_, false, {}});
    }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(root_ + '/' + name, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const { return textOf(root_ + '/' + name); }
    [[nodiscard]] bool areEqual(const std::string& a, const std::string& b) const
    {
        return read(a + "/runs.csv") == read(b + "/runs.csv")
            && read(a + "/results.csv") == read(b + "/results.csv")
            && read(a + "/results.md") == read(b + "/results.md");
    }

    QTemporaryDir scratch_;
    std::string root_;
    std::string file_;
    std::ostringstream out_;
    std::ostringstream err_;
    bool shows_progress_ = false;
    std::function<bool()> is_over_;
};

void TestHeadlessSweep::init()
{
    root_ = scratch_.path().toStdString();
    fs::remove_all(root_);
    fs::create_directory(root_);
    file_ = root_ + "/s.json";
    write("s.json", k_sweep);
    out_.str({});
    err_.str({});
    shows_progress_ = false;
    is_over_ = {};
}

void TestHeadlessSweep::sweepLeavesItsTables()
{
    QCOMPARE(sweep("d"), k_ended);

    const std::string runs = read("d/runs.csv");
    QCOMPARE(std::count(runs.begin(), runs.end(), '\n'), 13);
    const std::string results = read("d/results.csv");
    QCOMPARE(std::count(results.begin(), results.end(), '\n'), 3);
    QVERIFY(read("d/results.md").find("## Who wins") != std::string::npos);
    QCOMPARE(out_.str(), "12 of 12 runs: " + root_ + "/d/results.md\n");
    QCOMPARE(err_.str(), std::string());
}

void TestHeadlessSweep::threadsMakeNoDifference()
{
    QCOMPARE(sweep("one", {}, 1), k_ended);
    QCOMPARE(sweep("two", {}, 2), k_ended);
    QCOMPARE(sweep("many", {}, 5), k_ended);

    QVERIFY(areEqual("one", "two"));
    QVERIFY(areEqual("one", "many"));
}

void TestHeadlessSweep::interruptedSweepGoesOn()
{
    QCOMPARE(sweep("whole"), k_ended);
    int asked = 0;
    is_over_ = [&] { return ++asked == 5; };

    QCOMPARE(sweep("d"), k_interrupted);
    QVERIFY(err_.str().find("the same command goes on") != std::string::npos);
    const std::string so_far = read("d/runs.csv");
    QVERIFY(std::count(so_far.begin(), so_far.end(), '\n') < 13);
    QVERIFY(!fs::exists(root_ + "/d/results.csv"));
    std::ofstream(root_ + "/d/runs.csv", std::ios::app) << "11,as"; // as if killed while writing
    is_over_ = {};

    QCOMPARE(sweep("d"), k_ended);
    QVERIFY(areEqual("whole", "d"));
}

void TestHeadlessSweep::slicesMergeIntoTheWhole()
{
    QCOMPARE(sweep("whole"), k_ended);

    for (const std::size_t part : {1U, 2U, 3U}) {
        QCOMPARE(sweep(std::to_string(part), {part, 3}), k_ended);
    }
    QCOMPARE(merge({"3", "1", "2"}, "merged"), k_ended);

    QVERIFY(areEqual("whole", "merged"));
    QVERIFY(read("1/results.md").find("4 of 12 runs") != std::string::npos);
}

void TestHeadlessSweep::mergeSaysWhatIsWrong()
{
    QCOMPARE(sweep("1", {1, 3}), k_ended);
    QCOMPARE(sweep("2", {2, 3}), k_ended);

    QCOMPARE(merge({"1", "2"}, "m"), k_not_carried_out);
    QCOMPARE(err_.str(), std::string("these runs are in none of the folders: 2, 5, 8, 11\n"));
    err_.str({});
    QCOMPARE(merge({"1", "2", "1"}, "m"), k_not_carried_out);
    QCOMPARE(err_.str(), root_ + "/1: holds runs that " + root_ + "/1 holds already: 0, 3, 6, 9\n");
    err_.str({});
    std::string other = k_sweep;
    other.replace(other.find("0.05"), 4, "0.06");
    write("s.json", other);
    QCOMPARE(sweep("3", {3, 3}), k_ended);
    QCOMPARE(merge({"1", "2", "3"}, "m"), k_not_carried_out);
    QVERIFY(err_.str().find("holds runs of another sweep") != std::string::npos);
    QVERIFY(!fs::exists(root_ + "/m"));
}

void TestHeadlessSweep::changedSweepIsRefused()
{
    QCOMPARE(sweep("d"), k_ended);
    const std::string before = read("d/runs.csv");
    std::string other = k_sweep;
    other.replace(other.find("\"updates\": 30"), 13, "\"updates\": 40");
    write("s.json", other);

    QCOMPARE(sweep("d"), k_not_carried_out);

    QVERIFY(err_.str().find("holds runs of another sweep") != std::string::npos);
    QCOMPARE(read("d/runs.csv"), before);
}

void TestHeadlessSweep::wrongFileIsStatus2AndLeavesNothing()
{
    std::string wrong = k_sweep;
    wrong.replace(wrong.find("\"bsp\", \"asp\""), 12, "\"bsp\", \"asb\"");
    write("s.json", wrong);

    QCOMPARE(sweep("d"), k_wrong_input);

    QVERIFY2(err_.str().starts_with(file_ + ":6: vary[0].values[1]: strategy.kind: "), err_.str().c_str());
    QVERIFY(!fs::exists(root_ + "/d"));
}

void TestHeadlessSweep::failedRunsAreStatus1AndTriedAgain()
{
    std::string with_file = k_sweep;
    with_file.replace(with_file.find("\"blobs\""), 7, "{\"csv\": \"data.csv\"}");
    write("s.json", with_file);
    write("data.csv", "a,b,label\n1,x,0\n");

    QCOMPARE(sweep("d"), k_not_carried_out);
    QVERIFY(err_.str().find("12 of the runs failed; runs.csv says why") != std::string::npos);
    QVERIFY(read("d/results.csv").find(",2,0,2,,,") != std::string::npos); // runs, reached, failed

    std::string data = "a,b,label\n";
    for (int i = 0; i < 40; ++i) {
        data +=
            std::to_string(i % 7) + ',' + std::to_string(i % 5) + ',' + (i % 2 == 0 ? "yes" : "no") + '\n';
    }
    write("data.csv", data);
    QCOMPARE(sweep("d"), k_ended);
    QCOMPARE(sweep("new"), k_ended);
    QVERIFY(areEqual("d", "new"));
}

void TestHeadlessSweep::progressGoesToATerminalOnly()
{
    QCOMPARE(sweep("quiet"), k_ended);
    QCOMPARE(err_.str(), std::string());
    shows_progress_ = true;

    QCOMPARE(sweep("shown"), k_ended);

    QVERIFY(err_.str().find("\r12 of 12 runs, 0 s left") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestHeadlessSweep)
#include "tst_headless_sweep.moc"
