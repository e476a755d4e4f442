#include "app/headless.h"
#include "core/experiment/json_tree.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/session.h"
#include "core/record/number_text.h"
#include "core/record/session_reader.h"
#include "tests/support/disk_content.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/session_fixture.h"
#include "tests/support/small_disk.h"

#include <QTest>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace lab;
using lab::test::contentOf;
using lab::test::namesIn;
using lab::test::ScratchFolder;
using lab::test::SmallDisk;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> k_tables{"curve.csv", "updates.csv", "nodes.csv", "timeline.csv"};

/// The first argument of the child that is to be killed.
constexpr const char* k_endless = "--run-endlessly";

int runEndlessly(const std::string& experiment, const std::string& out)
{
    RunCommand command;
    command.experiment = experiment;
    command.out = out;
    command.overrides = {{"stop.updates", "1000000000"}};
    return carryOut(command, Console{std::cout, std::cerr, false, {}}, {});
}

double numberOf(const JsonValue* value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value->value)) {
        return static_cast<double>(*whole);
    }
    return std::get<double>(value->value);
}

/// A picture for each format that is asked for.
std::vector<NamedBytes> drawNames(const Experiment& /*experiment*/, const RunRecord& run,
                                  const Summary& /*summary*/, std::span<const std::string> formats)
{
    std::vector<NamedBytes> files;
    for (const std::string& format : formats) {
        if (format == "png" || format == "svg") {
            files.push_back({"charts/loss." + format, std::to_string(run.updates.size())});
        }
    }
    return files;
}

} // namespace

class TestHeadlessExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRunLeavesItsSession();
    void tablesAreThoseOfTheRunToTheByte();
    void liveTablesComeWithTheirReplay();
    void jsonHoldsEveryNumber();
    void onlyTheFormatsAskedForAreWritten();
    void oneOfSeveralRunsHasToBeChosen();
    void aRunThatWasGivenUpIsExported();
    void aDamagedSessionIsExportedAsFarAsItIsSound();
    void whatIsNoSessionIsStatus2();
    void aTargetThatCannotBeIsNamed();
    void aFullDiskLeavesTheOldExport();
    void fullDiskEndsARunWithAMessage();
    void aKilledRunIsFoundByTheNext();
    void validateJudgesSessions();
    void aCommaAsDecimalMarkChangesNoByte();

private:
    ExitStatus exportSession(const std::vector<std::string>& formats = {"csv", "json", "png", "svg"},
                             const std::string& out = "export");
    ExitStatus runInto(const std::string& out, const std::vector<Override>& overrides = {});
    [[nodiscard]] fs::path at(const std::string& name) const { return scratch_->path() / name; }

    std::optional<ScratchFolder> scratch_;
    fs::path session_;
    std::ostringstream out_;
    std::ostringstream err_;
    Console console_{out_, err_, false, {}};
    std::optional<std::int64_t> run_;
    bool may_replace_ = false;
};

void TestHeadlessExport::init()
{
    scratch_.reset();
    scratch_.emplace();
    session_ = at("run") / "session.slab";
    (void)scratch_->write("small.json",
                          R"({"format": "straggler-lab/experiment", "version": 1, "title": "small",
        "data": {"source": "blobs"}, "model": {"kind": "softmax"}, "stop": {"updates": 200},
        "cluster": {"jitter": {"kind": "lognormal"}, "network": {"latency": 0.001},
                    "nodes": [{"name": "a, \"b\""}, {"slowdown": 2}, {"name": "四"}]}, "strategy": {"kind": "asp"}})");
    out_.str({});
    err_.str({});
    run_.reset();
    may_replace_ = false;
}

ExitStatus TestHeadlessExport::runInto(const std::string& out, const std::vector<Override>& overrides)
{
    RunCommand command;
    command.experiment = at("small.json").string();
    command.out = at(out).string();
    command.overrides = overrides;
    command.threads = 1;
    return carryOut(command, console_, {});
}

ExitStatus TestHeadlessExport::exportSession(const std::vector<std::string>& formats, const std::string& out)
{
    ExportCommand command;
    command.session = session_.string();
    command.out = at(out).string();
    command.formats = formats;
    command.run = run_;
    command.may_replace = may_replace_;
    return carryOut(command, console_, drawNames);
}

void TestHeadlessExport::aRunLeavesItsSession()
{
    QCOMPARE(runInto("run"), k_ended);

    QCOMPARE(namesIn(at("run")),
             (std::vector<std::string>{"curve.csv", "nodes.csv", "session.slab", "summary.json",
                                       "timeline.csv", "updates.csv"}));
    QCOMPARE(lab::test::sessionProblem(session_), std::string());
    QCOMPARE(SessionReader(session_).runs().at(0).summary, contentOf(at("run") / "summary.json"));
    QCOMPARE(namesIn(scratch_->path()), (std::vector<std::string>{"run", "small.json"}));
    QCOMPARE(err_.str(), std::string());
}

void TestHeadlessExport::tablesAreThoseOfTheRunToTheByte()
{
    for (const char* kind : {"asp", "hybrid", "k_batch_sync"}) {
        fs::remove_all(at("run"));
        fs::remove_all(at("export"));
        QCOMPARE(runInto("run", {{"strategy.kind", kind}}), k_ended);

        QCOMPARE(exportSession(), k_ended);

        for (const std::string& table : k_tables) {
            QCOMPARE(contentOf(at("export") / table), contentOf(at("run") / table));
            QVERIFY(!contentOf(at("run") / table).empty());
        }
        QCOMPARE(contentOf(at("export/summary.json")), contentOf(at("run/summary.json")));
        QCOMPARE(contentOf(at("export/charts/loss.svg")), std::string("200"));
    }
}

void TestHeadlessExport::liveTablesComeWithTheirReplay()
{
    RunCommand command;
    command.experiment = at("small.json").string();
    command.out = at("run").string();
    command.overrides = {{"cluster.batch_seconds", "0.005"}, {"stop.updates", "20"}};
    command.is_live = true;
    QCOMPARE(carryOut(command, console_, {}), k_ended);

    QCOMPARE(exportSession({"csv"}), k_ended);

    for (const char* name : {"trace.csv", "replay.json", "timeline.csv", "summary.json"}) {
        QCOMPARE(contentOf(at("export") / name), contentOf(at("run") / name));
        QVERIFY(!contentOf(at("run") / name).empty());
    }
}

void TestHeadlessExport::jsonHoldsEveryNumber()
{
    QCOMPARE(runInto("run", {{"strategy.kind", "hybrid"}}), k_ended);
    QCOMPARE(exportSession({"json"}), k_ended);
    const OpenedRun opened = openRun(SessionReader(session_), 1);
    const RunRecord& run = opened.recorded.record;

    const JsonDocument document = parseJson(contentOf(at("export/run.json")));

    QVERIFY(document.root && document.problems.empty());
    const JsonValue& root = *document.root;
    const auto list = [&](const char* key) -> const JsonValue::List& { return *root.member(key)->list(); };
    QCOMPARE(*root.member("format")->text(), std::string("straggler-lab/run"));
    QCOMPARE(*root.member("experiment")->member("title")->text(), std::string("small"));
    QCOMPARE(numberOf(root.member("summary")->member("updates")), 200.0);
    QCOMPARE(list("updates").size(), run.updates.size());
    for (std::size_t i = 0; i < run.updates.size(); ++i) {
        const JsonValue& update = list("updates")[i];
        QCOMPARE(numberOf(update.member("time")), toSeconds(run.updates[i].time));
        QCOMPARE(numberOf(update.member("staleness_mean")), run.updates[i].staleness_mean);
        QCOMPARE(numberOf(update.member("weight")), run.updates[i].weight);
        const JsonValue::List& gradients = *update.member("gradients")->list();
        QCOMPARE(gradients.size(), run.updates[i].gradients.size());
        for (std::size_t j = 0; j < gradients.size(); ++j) {
            QCOMPARE(*gradients[j].member("node")->text(),
                     opened.experiment.cluster.nodes[run.updates[i].gradients[j].node.index()].name);
            QCOMPARE(numberOf(gradients[j].member("staleness")),
                     static_cast<double>(run.updates[i].gradients[j].staleness));
        }
    }
    QCOMPARE(list("evaluations").size(), run.curve.size());
    for (std::size_t i = 0; i < run.curve.size(); ++i) {
        QCOMPARE(numberOf(list("evaluations")[i].member("train_loss")), run.curve[i].train_loss);
        QCOMPARE(numberOf(list("evaluations")[i].member("validation_accuracy")),
                 run.curve[i].validation_accuracy);
    }
    QCOMPARE(list("timeline").size(), run.spans.size());
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        QCOMPARE(numberOf(list("timeline")[i].member("start")), toSeconds(run.spans[i].start));
        QCOMPARE(*list("timeline")[i].member("state")->text(),
                 std::string(activityName(run.spans[i].activity)));
    }
    QCOMPARE(list("nodes").size(), run.last.nodes.size());
    for (std::size_t i = 0; i < run.last.nodes.size(); ++i) {
        QCOMPARE(numberOf(list("nodes")[i].member("waiting")),
                 toSeconds(run.last.nodes[i].times[Activity::Waiting]));
    }
    QCOMPARE(list("groups").size(), run.groupings.size());
    QCOMPARE(list("events").size(), run.log.size());
}

void TestHeadlessExport::onlyTheFormatsAskedForAreWritten()
{
    QCOMPARE(runInto("run"), k_ended);

    QCOMPARE(exportSession({"svg"}), k_ended);

    QCOMPARE(namesIn(at("export")), (std::vector<std::string>{"charts", "summary.json"}));
    QCOMPARE(namesIn(at("export/charts")), std::vector<std::string>{"loss.svg"});
    QCOMPARE(exportSession({"json"}), k_not_carried_out); // there is one already
    QVERIFY(err_.str().find("--force") != std::string::npos);
    may_replace_ = true;
    QCOMPARE(exportSession({"json"}), k_ended);
    QCOMPARE(namesIn(at("export")), (std::vector<std::string>{"run.json", "summary.json"}));
}

void TestHeadlessExport::oneOfSeveralRunsHasToBeChosen()
{
    session_ = at("several.slab");
    const RunRecord first = lab::test::recordRun(lab::test::eventfulExperiment("bsp"), session_);
    const RunRecord second = lab::test::recordRun(lab::test::eventfulExperiment("asp"), session_);
    QVERIFY(first.schedule_fingerprint != second.schedule_fingerprint);

    QCOMPARE(exportSession(), k_wrong_input);
    QVERIFY2(err_.str().find("--run N: 1 bsp \"small\", 2 asp \"small\"") != std::string::npos,
             err_.str().c_str());
    run_ = 3;
    QCOMPARE(exportSession(), k_wrong_input);
    run_ = 2;
    QCOMPARE(exportSession(), k_ended);

    QVERIFY(contentOf(at("export/summary.json")).find("\"strategy\": \"asp\"") != std::string::npos);
}

void TestHeadlessExport::aRunThatWasGivenUpIsExported()
{
    session_ = at("given-up.slab");
    {
        Experiment experiment = lab::test::eventfulExperiment("asp");
        experiment.stop.updates = 1'000'000'000;
        experiment.stop.seconds.reset();
        Session session(experiment, 1, ClockKind::Virtual, RecordingPlan{.file = session_});
        session.step();
        while (session.poll().version < 1) {
            QTest::qSleep(1);
        }
    }

    QCOMPARE(exportSession(), k_ended);

    QVERIFY(err_.str().find("was not brought to its end") != std::string::npos);
    QVERIFY(contentOf(at("export/summary.json")).find("\"stop_reason\": \"interrupted\"")
            != std::string::npos);
    QCOMPARE(QByteArray::fromStdString(contentOf(at("export/updates.csv"))).count('\n'), 2);
}

void TestHeadlessExport::aDamagedSessionIsExportedAsFarAsItIsSound()
{
    QCOMPARE(runInto("run"), k_ended);
    {
        Database database(session_, Database::Access::Write, "session");
        database.run("DELETE FROM updates WHERE \"update\" = 101");
    }

    QCOMPARE(exportSession({"csv"}), k_wrong_input);

    QVERIFY2(err_.str().find("is damaged: only 100 rows of updates") != std::string::npos,
             err_.str().c_str());
    QCOMPARE(QByteArray::fromStdString(contentOf(at("export/updates.csv"))).count('\n'), 101);
    QCOMPARE(contentOf(at("export/timeline.csv")), contentOf(at("run/timeline.csv")));
}

void TestHeadlessExport::whatIsNoSessionIsStatus2()
{
    session_ = at("small.json");
    QCOMPARE(exportSession(), k_wrong_input);
    QVERIFY(err_.str().find("looks like JSON") != std::string::npos);
    session_ = at("none.slab");
    QCOMPARE(exportSession(), k_wrong_input);
    QVERIFY(!fs::exists(at("export")));
}

void TestHeadlessExport::aTargetThatCannotBeIsNamed()
{
    QCOMPARE(runInto("run"), k_ended);
    for (const std::string& out :
         {std::string("small.json"), std::string("small.json/x"), std::string("run")}) {
        err_.str({});
        QCOMPARE(exportSession({"csv"}, out), k_not_carried_out);
        QVERIFY2(err_.str().find(at(out).string()) != std::string::npos, err_.str().c_str());
    }
    QCOMPARE(exportSession({"csv"}, "实验 ü 'x\" #1?%41/数据"), k_ended);
    QCOMPARE(contentOf(at("实验 ü 'x\" #1?%41/数据/curve.csv")), contentOf(at("run/curve.csv")));
}

void TestHeadlessExport::aFullDiskLeavesTheOldExport()
{
    QCOMPARE(runInto("run"), k_ended);
    QCOMPARE(exportSession({"csv"}), k_ended);
    const std::string before = contentOf(at("export/timeline.csv"));
    may_replace_ = true;
    {
        const SmallDisk disk(3000);
        QCOMPARE(exportSession({"csv", "json"}), k_not_carried_out);
    }
    QVERIFY2(err_.str().find((at("export") / "updates.csv").string() + ": File too large")
                 != std::string::npos,
             err_.str().c_str());
    QCOMPARE(contentOf(at("export/timeline.csv")), before);
    QVERIFY(!fs::exists(at("export/run.json")));
    QCOMPARE(namesIn(scratch_->path()), (std::vector<std::string>{"export", "run", "small.json"}));
}

void TestHeadlessExport::fullDiskEndsARunWithAMessage()
{
    QCOMPARE(runInto("run"), k_ended);
    const std::string before = contentOf(session_);
    RunCommand command;
    command.experiment = at("small.json").string();
    command.out = at("run").string();
    command.overrides = {{"stop.updates", "100000000"}};
    command.may_replace = true;
    {
        const SmallDisk disk(2'000'000);
        QCOMPARE(carryOut(command, console_, {}), k_not_carried_out);
    }
    QVERIFY2(err_.str().starts_with(session_.string() + ": "), err_.str().c_str());
    QCOMPARE(contentOf(session_), before);
    QCOMPARE(namesIn(scratch_->path()), (std::vector<std::string>{"run", "small.json"}));
}

void TestHeadlessExport::aKilledRunIsFoundByTheNext()
{
    QCOMPARE(runInto("run"), k_ended);
    const pid_t child = ::fork();
    if (child == 0) {
        // This program again, for a child of one that has threads already can do little else.
        ::execl("/proc/self/exe", "tst_headless_export", k_endless, at("small.json").c_str(),
                at("killed").c_str(), nullptr);
        ::_exit(127);
    }
    const auto leftover = [&]() -> fs::path {
        for (const std::string& name : namesIn(scratch_->path())) {
            if (name.starts_with(".straggler-lab-") && fs::exists(at(name) / "session.slab-wal")) {
                return at(name) / "session.slab";
            }
        }
        return {};
    };
    QTRY_VERIFY_WITH_TIMEOUT(!leftover().empty() && lab::test::sessionProblem(leftover()).empty(), 60'000);
    QCOMPARE(runInto("while"), k_ended);
    QCOMPARE(err_.str(), std::string()); // it is still running
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    const fs::path left = leftover();
    const std::string before = contentOf(left);

    QCOMPARE(runInto("after"), k_ended);

    QVERIFY2(err_.str().find(left.string()) != std::string::npos, err_.str().c_str());
    QVERIFY(!fs::exists(at("killed")));
    QCOMPARE(contentOf(left), before);
    session_ = left;
    QCOMPARE(exportSession({"csv"}), k_ended);
    const std::string updates = contentOf(at("export/updates.csv"));
    const std::string of_whole = contentOf(at("run/updates.csv"));
    const std::size_t common = std::min(updates.size(), of_whole.size());
    QCOMPARE(updates.substr(0, common), of_whole.substr(0, common));
}

void TestHeadlessExport::validateJudgesSessions()
{
    QCOMPARE(runInto("run"), k_ended);
    out_.str({});
    const fs::path cut = scratch_->write("cut.slab", contentOf(session_).substr(0, 30'000));

    QCOMPARE(carryOut(ValidateCommand{{session_.string()}}, console_), k_ended);
    QCOMPARE(carryOut(ValidateCommand{{cut.string(), at("none.slab").string()}}, console_), k_wrong_input);

    QCOMPARE(out_.str(), session_.string() + ": is a sound session of 1 run\n");
    QVERIFY2(err_.str().find(cut.string() + ": ") != std::string::npos, err_.str().c_str());
    QVERIFY(err_.str().find("none.slab: there is no such file") != std::string::npos);
}

void TestHeadlessExport::aCommaAsDecimalMarkChangesNoByte()
{
    QCOMPARE(runInto("run"), k_ended);
    QCOMPARE(exportSession({"csv", "json"}, "plain"), k_ended);
    const std::string made = at("de_DE.UTF-8").string();
    const std::string command = "localedef -i de_DE -f UTF-8 '" + made + "' 2>/dev/null";
    (void)std::system(command.c_str()); // warnings count as failures there
    qputenv("LOCPATH", QByteArray::fromStdString(scratch_->path().string()));
    const bool is_loaded = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr
        && std::string(std::localeconv()->decimal_point) == ",";
    if (!is_loaded) {
        qunsetenv("LOCPATH");
        QSKIP("NOT TESTED: no locale with a decimal comma can be made here; install the package `locales`");
    }
    const ExitStatus run = runInto("comma-run");
    session_ = at("comma-run") / "session.slab";
    const ExitStatus exported = exportSession({"csv", "json"}, "comma");
    std::setlocale(LC_ALL, "C");
    qunsetenv("LOCPATH");

    QCOMPARE(run, k_ended);
    QCOMPARE(exported, k_ended);
    for (const std::string& table : k_tables) {
        QCOMPARE(contentOf(at("comma") / table), contentOf(at("plain") / table));
    }
    const auto withoutTimes = [](std::string text) {
        const std::size_t begin = text.find("\"wall_seconds\"");
        return text.erase(begin, text.find('\n', begin) - begin);
    };
    QCOMPARE(withoutTimes(contentOf(at("comma/run.json"))), withoutTimes(contentOf(at("plain/run.json"))));
}

int main(int argc, char** argv)
{
    if (argc == 4 && std::string(argv[1]) == k_endless) {
        return runEndlessly(argv[2], argv[3]);
    }
    TestHeadlessExport test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_headless_export.moc"
