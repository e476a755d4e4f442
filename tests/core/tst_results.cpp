#include "core/base/error.h"
#include "core/experiment/results.h"
#include "tests/support/disk_content.h"
#include "tests/support/small_disk.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <string>

using namespace lab;
using lab::test::contentOf;
using lab::test::namesIn;
using lab::test::SmallDisk;
namespace fs = std::filesystem;

namespace {

const std::vector<NamedBytes> k_files{
    {"summary.json", "{}\n"}, {"curve.csv", "time\n"}, {"charts/loss.svg", std::string(100'000, 'x')}};

/// What writing says; empty where it works.
std::string failure(const fs::path& folder, const std::vector<NamedBytes>& files = k_files,
                    bool may_replace = false)
{
    try {
        writeRunFolder(folder, files, may_replace);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

class TestResults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newFolderHoldsAllFiles();
    void parentsAreMade();
    void emptyFolderIsUsed();
    void oddNamesWork();
    void runIsReplacedOnlyByForce();
    void linkToARunIsFollowed();
    void foreignFolderIsNeverReplaced_data();
    void foreignFolderIsNeverReplaced();
    void fileIsNotReplaced();
    void parentThatIsAFileIsNamed();
    void currentFolderIsRefused();
    void fullDiskLeavesTheOldRun();
    void fullDiskLeavesNothingNew();
    void filesOfARunAreThoseOfTheContract();

private:
    QTemporaryDir scratch_;
    fs::path root_;
};

void TestResults::init()
{
    root_ = scratch_.path().toStdString();
    for (const std::string& name : namesIn(root_)) {
        fs::remove_all(root_ / name);
    }
}

void TestResults::newFolderHoldsAllFiles()
{
    QCOMPARE(failure(root_ / "run"), std::string());

    QCOMPARE(contentOf(root_ / "run/curve.csv"), std::string("time\n"));
    QCOMPARE(contentOf(root_ / "run/charts/loss.svg"), k_files[2].bytes);
    QCOMPARE(namesIn(root_), std::vector<std::string>{"run"});
}

void TestResults::parentsAreMade()
{
    QCOMPARE(failure(root_ / "a/b/../c/run/"), std::string());

    QCOMPARE(namesIn(root_ / "a"), std::vector<std::string>{"c"});
    QCOMPARE(contentOf(root_ / "a/c/run/summary.json"), std::string("{}\n"));
}

void TestResults::emptyFolderIsUsed()
{
    fs::create_directory(root_ / "run");

    QCOMPARE(failure(root_ / "run"), std::string());

    QCOMPARE(namesIn(root_ / "run").size(), std::size_t{3});
}

void TestResults::oddNamesWork()
{
    for (const std::string& name : {std::string("实验 ü 'x\" #1"), std::string("-n"), std::string("a\nb"),
                                    std::string("\xFF"), std::string(255, 'x')}) {
        QCOMPARE(failure(root_ / name), std::string());
        QCOMPARE(contentOf(root_ / name / "summary.json"), std::string("{}\n"));
    }
    QVERIFY(!failure(root_ / std::string(256, 'x')).empty());
    QCOMPARE(namesIn(root_).size(), std::size_t{5});
}

void TestResults::runIsReplacedOnlyByForce()
{
    QCOMPARE(failure(root_ / "run"), std::string());
    const std::vector<NamedBytes> other{{"summary.json", "new"}};

    QCOMPARE(failure(root_ / "run", other),
             (root_ / "run").string() + ": holds a run already; --force replaces it");
    QCOMPARE(contentOf(root_ / "run/summary.json"), std::string("{}\n"));

    QCOMPARE(failure(root_ / "run", other, true), std::string());
    QCOMPARE(namesIn(root_ / "run"), std::vector<std::string>{"summary.json"});
    QCOMPARE(contentOf(root_ / "run/summary.json"), std::string("new"));
    QCOMPARE(namesIn(root_), std::vector<std::string>{"run"});
}

void TestResults::linkToARunIsFollowed()
{
    QCOMPARE(failure(root_ / "run"), std::string());
    fs::create_directory_symlink("run", root_ / "latest");

    QCOMPARE(failure(root_ / "latest", {{"summary.json", "new"}}, true), std::string());

    QVERIFY(fs::is_symlink(root_ / "latest"));
    QCOMPARE(contentOf(root_ / "run/summary.json"), std::string("new"));
}

void TestResults::foreignFolderIsNeverReplaced_data()
{
    QTest::addColumn<QByteArrayList>("names");
    QTest::newRow("other file") << QByteArrayList{"thesis.tex"};
    QTest::newRow("run with a note") << QByteArrayList{"summary.json", "notes.txt"};
    QTest::newRow("hidden file") << QByteArrayList{"summary.json", ".git"};
    QTest::newRow("no summary") << QByteArrayList{"curve.csv"};
}

void TestResults::foreignFolderIsNeverReplaced()
{
    QFETCH(QByteArrayList, names);
    fs::create_directory(root_ / "run");
    for (const QByteArray& name : names) {
        std::ofstream(root_ / "run" / name.toStdString()) << "precious";
    }

    QVERIFY(failure(root_ / "run", k_files, true).find("not from a run") != std::string::npos);

    for (const QByteArray& name : names) {
        QCOMPARE(contentOf(root_ / "run" / name.toStdString()), std::string("precious"));
    }
    QCOMPARE(namesIn(root_), std::vector<std::string>{"run"});
}

void TestResults::fileIsNotReplaced()
{
    std::ofstream(root_ / "run") << "precious";
    fs::create_symlink("nowhere", root_ / "link");

    QCOMPARE(failure(root_ / "run", k_files, true), (root_ / "run").string() + ": is a file, not a folder");
    QVERIFY(!failure(root_ / "link", k_files, true).empty());

    QCOMPARE(contentOf(root_ / "run"), std::string("precious"));
    QCOMPARE(namesIn(root_), (std::vector<std::string>{"link", "run"}));
}

void TestResults::parentThatIsAFileIsNamed()
{
    std::ofstream(root_ / "file") << "precious";

    const std::string said = failure(root_ / "file/sub/run");

    QVERIFY2(said.find((root_ / "file").string()) != std::string::npos, said.c_str());
    QCOMPARE(contentOf(root_ / "file"), std::string("precious"));
    QVERIFY(!failure("").empty());
    QVERIFY(!failure("/proc/no/run").empty());
}

void TestResults::currentFolderIsRefused()
{
    const fs::path before = fs::current_path();
    fs::create_directory(root_ / "here");
    fs::current_path(root_ / "here");

    const std::string said = failure(".");

    fs::current_path(before);
    QCOMPARE(said,
             std::string(".: is the current folder, which cannot be replaced; name a new one inside it"));
    QVERIFY(!failure("/").empty());
}

void TestResults::fullDiskLeavesTheOldRun()
{
    QCOMPARE(failure(root_ / "run"), std::string());
    std::string said;
    {
        const SmallDisk disk(50'000);
        said =
            failure(root_ / "run", {{"summary.json", "new"}, {"curve.csv", std::string(60'000, 'x')}}, true);
    }
    QCOMPARE(said, (root_ / "run/curve.csv").string() + ": File too large");
    QCOMPARE(contentOf(root_ / "run/summary.json"), std::string("{}\n"));
    QCOMPARE(contentOf(root_ / "run/charts/loss.svg"), k_files[2].bytes);
    QCOMPARE(namesIn(root_), std::vector<std::string>{"run"});
}

void TestResults::fullDiskLeavesNothingNew()
{
    std::string said;
    {
        const SmallDisk disk(50'000);
        said = failure(root_ / "a/b/run");
    }
    QVERIFY(!said.empty());
    QVERIFY(fs::is_empty(root_));
}

void TestResults::filesOfARunAreThoseOfTheContract()
{
    Experiment experiment;
    experiment.cluster.nodes = {NodeSpec{"n1", 1, {}}};
    RunRecord run;
    run.last.nodes.resize(1);

    const std::vector<NamedBytes> files = runFiles(experiment, run, summarize(experiment, run, 0));

    std::vector<std::string> names;
    for (const NamedBytes& file : files) {
        names.push_back(file.name);
        QVERIFY(file.bytes.ends_with('\n'));
    }
    QCOMPARE(
        names,
        (std::vector<std::string>{"summary.json", "curve.csv", "updates.csv", "nodes.csv", "timeline.csv"}));
}

QTEST_APPLESS_MAIN(TestResults)
#include "tst_results.moc"
