#include "app/headless.h"
#include "app/progress_line.h"
#include "app/shipped_experiments.h"
#include "core/base/error.h"
#include "tests/support/disk_content.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

using namespace lab;
using lab::test::contentOf;
namespace fs = std::filesystem;

namespace {

const std::string k_experiment = R"({"format": "straggler-lab/experiment", "version": 1, "title": "small",
    "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"updates": 20},
    "cluster": {"nodes": [{}, {"slowdown": 2}]}, "strategy": {"kind": "bsp"}})";

} // namespace

class TestHeadless : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void runEndsWithOneLine();
    void runWritesItsFolder();
    void sameSeedGivesTheSameTables();
    void chartsJoinTheFolder();
    void chartsThatFailLeaveNothing();
    void existingRunIsFoundBeforeRunning();
    void wrongFileIsStatus2();
    void stalledRunIsStatus3AndWritten();
    void interruptedRunWritesNothing();
    void deafOutputIsAnError();
    void progressGoesToATerminalOnly();
    void listsNameEverything();
    void validateSaysBoth();
    void shippedExperimentsAreValid();
    void shareDoneIsOfTheNearestCondition();

private:
    ExitStatus run(const RunCommand& command, const DrawCharts& draw_charts = {})
    {
        return carryOut(command, Console{out_, err_, shows_progress_, is_over_}, draw_charts);
    }
    [[nodiscard]] RunCommand command() const
    {
        RunCommand command;
        command.experiment = file_;
        command.threads = 1;
        return command;
    }

    QTemporaryDir scratch_;
    std::string root_;
    std::string file_;
    std::ostringstream out_;
    std::ostringstream err_;
    bool shows_progress_ = false;
    std::function<bool()> is_over_;
};

void TestHeadless::init()
{
    root_ = scratch_.path().toStdString();
    fs::remove_all(root_);
    fs::create_directory(root_);
    file_ = root_ + "/small.json";
    std::ofstream(file_) << k_experiment;
    out_.str({});
    err_.str({});
    out_.clear();
    shows_progress_ = false;
    is_over_ = {};
}

void TestHeadless::runEndsWithOneLine()
{
    QCOMPARE(run(command()), k_ended);

    const QByteArray said = QByteArray::fromStdString(out_.str());
    QVERIFY2(said.startsWith("bsp: seconds 4, updates 20, loss "), said);
    QCOMPARE(said.count('\n'), 1);
    QVERIFY(said.endsWith(", staleness 0\n"));
    QCOMPARE(err_.str(), std::string());
}

void TestHeadless::runWritesItsFolder()
{
    RunCommand one = command();
    one.out = root_ + "/a/run";
    one.overrides = {{"strategy.kind", "asp"}, {"seed", "\"5\""}};

    QCOMPARE(run(one), k_ended);

    const std::string summary = contentOf(root_ + "/a/run/summary.json");
    QVERIFY2(summary.find("\"strategy\": \"asp\"") != std::string::npos, summary.c_str());
    QVERIFY(summary.find("\"seed\": 5,") != std::string::npos);
    QVERIFY(summary.find("\"stop_reason\": \"updates\"") != std::string::npos);
    QCOMPARE(QByteArray::fromStdString(contentOf(root_ + "/a/run/updates.csv")).count('\n'), 21);
    QVERIFY(contentOf(root_ + "/a/run/nodes.csv").find("\nn2,") != std::string::npos);
}

void TestHeadless::sameSeedGivesTheSameTables()
{
    for (const char* name : {"/one", "/two"}) {
        RunCommand one = command();
        one.out = root_ + name;
        one.threads = name[1] == 'o' ? 1 : 3;
        QCOMPARE(run(one), k_ended);
    }
    for (const char* table : {"/curve.csv", "/updates.csv", "/nodes.csv", "/timeline.csv"}) {
        QCOMPARE(contentOf(root_ + "/one" + table), contentOf(root_ + "/two" + table));
    }
}

void TestHeadless::chartsJoinTheFolder()
{
    RunCommand one = command();
    one.out = root_ + "/run";

    QCOMPARE(
        run(one,
            [](const Experiment&, const RunRecord& record) {
                return std::vector<NamedBytes>{{"charts/loss.svg", std::to_string(record.updates.size())}};
            }),
        k_ended);

    QCOMPARE(contentOf(root_ + "/run/charts/loss.svg"), std::string("20"));
}

void TestHeadless::chartsThatFailLeaveNothing()
{
    RunCommand one = command();
    one.out = root_ + "/run";

    QCOMPARE(
        run(one,
            [](const Experiment&, const RunRecord&) -> std::vector<NamedBytes> { throw Error("no paint"); }),
        k_not_carried_out);

    QCOMPARE(err_.str(), std::string("no paint\n"));
    QVERIFY(!fs::exists(root_ + "/run"));
}

void TestHeadless::existingRunIsFoundBeforeRunning()
{
    RunCommand one = command();
    one.out = root_ + "/run";
    QCOMPARE(run(one), k_ended);
    bool has_run = false;
    is_over_ = [&] {
        has_run = true;
        return false;
    };

    QCOMPARE(run(one), k_not_carried_out);

    QVERIFY(!has_run);
    QVERIFY(err_.str().find("--force replaces it") != std::string::npos);
    one.may_replace = true;
    QCOMPARE(run(one), k_ended);
}

void TestHeadless::wrongFileIsStatus2()
{
    std::ofstream(file_) << "{";
    QCOMPARE(run(command()), k_wrong_input);
    QVERIFY2(err_.str().starts_with(file_ + ":1: broken JSON"), err_.str().c_str());

    RunCommand missing = command();
    missing.experiment = root_ + "/none.json";
    QCOMPARE(run(missing), k_wrong_input);
    QCOMPARE(out_.str(), std::string());
}

void TestHeadless::stalledRunIsStatus3AndWritten()
{
    RunCommand one = command();
    one.out = root_ + "/run";
    one.overrides = {
        {"events", R"([{"at": 1, "node": "n1", "do": "fail"}, {"at": 1, "node": "n2", "do": "fail"}])"}};

    QCOMPARE(run(one), k_stalled);

    QVERIFY(contentOf(root_ + "/run/summary.json").find("\"stop_reason\": \"stalled\"") != std::string::npos);
    QVERIFY2(err_.str().starts_with("straggler-lab: the run stalled"), err_.str().c_str());
    QVERIFY(out_.str().starts_with("bsp: "));
}

void TestHeadless::interruptedRunWritesNothing()
{
    RunCommand one = command();
    one.out = root_ + "/run";
    one.overrides = {{"stop", "{\"updates\": 100000000}"}};
    is_over_ = [] { return true; };

    QCOMPARE(run(one), k_interrupted);

    QVERIFY(!fs::exists(root_ + "/run"));
    QCOMPARE(out_.str(), std::string());
}

void TestHeadless::deafOutputIsAnError()
{
    out_.setstate(std::ios::badbit);

    QCOMPARE(run(command()), k_not_carried_out);
}

void TestHeadless::progressGoesToATerminalOnly()
{
    shows_progress_ = true;
    RunCommand one = command();
    one.is_quiet = true;
    QCOMPARE(run(one), k_ended);
    QCOMPARE(err_.str(), std::string());

    ProgressLine line(Experiment{}, &err_);
    Frame frame;
    frame.now = atSeconds(30);
    frame.version = 12;
    line.show(frame, 5);
    QCOMPARE(err_.str(), std::string("\r30 s, 12 updates, loss -, 5 s left"));
    line.clear();
    QVERIFY(err_.str().ends_with("\r"));
    frame.version = 1;
    line.show(frame, 5);
    QVERIFY(err_.str().ends_with("\r30 s, 1 update, loss -, 5 s left"));
}

void TestHeadless::listsNameEverything()
{
    for (const ListCommand::What what : {ListCommand::What::Strategies, ListCommand::What::Models,
                                         ListCommand::What::Data, ListCommand::What::Experiments}) {
        QCOMPARE(carryOut(ListCommand{what}, Console{out_, err_, false, {}}), k_ended);
    }
    for (const char* line :
         {"bsp ", "asp ", "hybrid ", "softmax ", "mlp ", "digits ", "blobs ", "unbalanced "}) {
        QVERIFY2(("\n" + out_.str()).find(std::string("\n") + line) != std::string::npos, line);
    }
}

void TestHeadless::validateSaysBoth()
{
    const std::string bad = root_ + "/bad.json";
    std::ofstream(bad) << "[]";
    const std::string start =
        R"({"format": "straggler-lab/sweep", "version": 1, "experiment": )" + k_experiment;
    const std::string sweep = root_ + "/sweep.json";
    std::ofstream(sweep) << start
                         << R"(, "vary": [{"name": "training.batch", "values": [8, 16]}], "seeds": 3})";
    const std::string bad_sweep = root_ + "/bad_sweep.json";
    std::ofstream(bad_sweep) << start << "\n, \"vary\": [{\"name\": \"training.batch\", \"values\": [0]}]}";

    QCOMPARE(carryOut(ValidateCommand{{file_}}, Console{out_, err_, false, {}}), k_ended);
    QCOMPARE(carryOut(ValidateCommand{{bad, file_}}, Console{out_, err_, false, {}}), k_wrong_input);

    QCOMPARE(carryOut(ValidateCommand{{sweep, bad_sweep}}, Console{out_, err_, false, {}}), k_wrong_input);

    QCOMPARE(out_.str(),
             file_ + ": is a valid experiment\n" + file_ + ": is a valid experiment\n" + sweep
                 + ": is a valid sweep of 6 runs\n");
    QCOMPARE(
        err_.str(),
        bad + ":1: must be an object in { }, not a list\n" + bad_sweep
            + ":4: vary[0].values[0]: training.batch: must be a whole number from 1 to 1000000, not 0\n");
}

void TestHeadless::shippedExperimentsAreValid()
{
    QVERIFY(!shippedExperiments().empty());
    for (const ShippedExperiment& one : shippedExperiments()) {
        const Experiment experiment = loadFileOrShipped(std::string(one.name));

        QVERIFY(!experiment.title.empty());
        QVERIFY(!experiment.notes.empty());
        QCOMPARE(one.json,
                 std::string_view(contentOf(fs::path(LAB_SOURCE_DIR "/experiments") / one.name += ".json")));
    }
    QVERIFY(findShippedExperiment("unbalanced.json") != nullptr);
    QVERIFY(findShippedExperiment("none") == nullptr);
}

void TestHeadless::shareDoneIsOfTheNearestCondition()
{
    Frame frame;
    frame.now = atSeconds(10);
    frame.version = 30;

    QCOMPARE(shareDone({.seconds = 40.0, .updates = 60, .samples = {}, .loss = {}}, frame).value(), 0.5);
    QCOMPARE(shareDone({.seconds = 5.0, .updates = {}, .samples = {}, .loss = {}}, frame).value(), 1.0);
    QVERIFY(!shareDone({.seconds = {}, .updates = {}, .samples = {}, .loss = 0.1}, frame));
}

QTEST_APPLESS_MAIN(TestHeadless)
#include "tst_headless.moc"
