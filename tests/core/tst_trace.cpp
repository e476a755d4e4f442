#include "core/base/error.h"
#include "core/engine/trace.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <filesystem>
#include <string>

using namespace lab;
using lab::test::ScratchFolder;

namespace {

const std::string k_header = "node,iteration,seconds\n";
const std::string k_two_nodes = k_header + "0,0,0.5\n0,1,0.25\n1,0,3\n1,1,1e-3\n";

Trace load(const std::string& content, std::size_t cluster_nodes = 1)
{
    const ScratchFolder folder;
    return loadTrace(folder.write("trace.csv", content), cluster_nodes);
}

/// The problem that a file is refused for.
Problem refusal(const std::filesystem::path& file, std::size_t cluster_nodes)
{
    try {
        (void)loadTrace(file, cluster_nodes);
    } catch (const ExperimentError& error) {
        const bool names_file = std::string(error.what()).starts_with(file.string());
        return names_file && error.problems().size() == 1 ? error.problems().front() : Problem{};
    }
    return {};
}

Problem refusal(const std::string& content, std::size_t cluster_nodes)
{
    const ScratchFolder folder;
    return refusal(folder.write("trace.csv", content), cluster_nodes);
}

} // namespace

class TestTrace final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCellIsWhereTheFileSays_data();
    void everyCellIsWhereTheFileSays();
    void iterationsComeAroundAgain();
    void aTraceMayHaveMoreNodesThanTheCluster();
    void allDigitsOfASecondCount();
    void aBadFileIsRefusedWithItsLine_data();
    void aBadFileIsRefusedWithItsLine();
    void whatIsNoFileIsRefused();
};

void TestTrace::everyCellIsWhereTheFileSays_data()
{
    QTest::addColumn<QString>("content");
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QString::fromStdString(content);
    };
    row("plain", k_two_nodes);
    row("no line end at the end", k_two_nodes.substr(0, k_two_nodes.size() - 1));
    row("rows in any order", k_header + "1,1,1e-3\n0,1,0.25\n1,0,3\n0,0,0.5\n");
    row("Windows line ends", "node,iteration,seconds\r\n0,0,0.5\r\n0,1,0.25\r\n1,0,3\r\n1,1,1e-3\r\n");
    row("byte order mark", "\xEF\xBB\xBF" + k_two_nodes);
    row("empty lines", k_header + "\n0,0,0.5\n0,1,0.25\n\n1,0,3\n1,1,1e-3\n\n\n");
}

void TestTrace::everyCellIsWhereTheFileSays()
{
    QFETCH(const QString, content);

    const Trace trace = load(content.toStdString(), 2);

    QCOMPARE(trace.nodes(), std::size_t{2});
    QCOMPARE(trace.iterations(), std::size_t{2});
    QCOMPARE(trace.seconds(NodeId{0}, 0), 0.5);
    QCOMPARE(trace.seconds(NodeId{0}, 1), 0.25);
    QCOMPARE(trace.seconds(NodeId{1}, 0), 3.0);
    QCOMPARE(trace.seconds(NodeId{1}, 1), 1e-3);
}

void TestTrace::iterationsComeAroundAgain()
{
    const Trace trace = load(k_two_nodes);

    QCOMPARE(trace.seconds(NodeId{1}, 2), 3.0);
    QCOMPARE(trace.seconds(NodeId{1}, 1'000'001), 1e-3);
}

void TestTrace::aTraceMayHaveMoreNodesThanTheCluster()
{
    QCOMPARE(load(k_two_nodes, 1).nodes(), std::size_t{2});
}

void TestTrace::allDigitsOfASecondCount()
{
    const auto seconds = [](std::size_t node, std::size_t iteration) {
        return 0.1 + static_cast<double>(node) / 3 + static_cast<double>(iteration) / 7;
    };

    const Trace trace = load(lab::test::traceCsv(5, 11, seconds), 5);

    for (std::size_t node = 0; node < 5; ++node) {
        for (std::size_t iteration = 0; iteration < 11; ++iteration) {
            QCOMPARE(trace.seconds(NodeId{node}, static_cast<std::int64_t>(iteration)),
                     seconds(node, iteration));
        }
    }
}

void TestTrace::aBadFileIsRefusedWithItsLine_data()
{
    QTest::addColumn<QString>("content");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const std::string& content, int line, const char* what,
                        int nodes = 1) {
        QTest::newRow(name) << QString::fromStdString(content) << nodes << line << QString::fromUtf8(what);
    };
    const std::string good = k_header + "0,0,1\n";
    row("nothing at all", "", 0, "holds no rows");
    row("a header only", k_header, 1, "holds no rows");
    row("no header", "0,0,1\n", 1, "the first line must be");
    row("another header", "node,step,seconds\n0,0,1\n", 1, "the first line must be");
    row("semicolons", k_header + "0;0;1\n", 2, "expected three cells");
    row("two cells", good + "1,0\n", 3, "expected three cells");
    row("four cells", good + "1,0,1,1\n", 3, "seconds must be a number above 0");
    row("a negative node", good + "-1,0,1\n", 3, "node must be a whole number");
    row("a broken node", good + "1.5,0,1\n", 3, "node must be a whole number");
    row("a node with a space", good + " 1,0,1\n", 3, "node must be a whole number");
    row("no node", good + ",0,1\n", 3, "node must be a whole number");
    row("a node beyond all bounds", good + "4294967296,0,1\n", 3, "node must be a whole number");
    row("a node beyond 64 bits", good + "99999999999999999999,0,1\n", 3, "node must be a whole number");
    row("a negative iteration", good + "0,-1,1\n", 3, "iteration must be a whole number");
    row("a word for an iteration", good + "0,first,1\n", 3, "iteration must be a whole number");
    row("no seconds", good + "1,0,\n", 3, "seconds must be a number above 0");
    row("a word for seconds", good + "1,0,long\n", 3, "seconds must be a number above 0");
    row("a decimal comma", good + "1,0,\"0,5\"\n", 3, "with a dot as the decimal mark");
    row("zero seconds", good + "1,0,0\n", 3, "seconds must be a number above 0");
    row("negative seconds", good + "1,0,-1\n", 3, "seconds must be a number above 0");
    row("endless seconds", good + "1,0,inf\n", 3, "seconds must be a number above 0");
    row("not a number", good + "1,0,nan\n", 3, "seconds must be a number above 0");
    row("seconds with a unit", good + "1,0,1s\n", 3, "seconds must be a number above 0");
    row("an empty line counts as a line", good + "\n\n1,0,x\n", 5, "seconds must be a number above 0");
    row("a cell twice", good + "1,0,1\n0,0,2\n", 4, "gives node 0, iteration 0 a second time");
    row("a cell missing", k_header + "0,0,1\n0,1,1\n1,1,1\n", 0, "has no row for node 1, iteration 0");
    row("a node missing", k_header + "0,0,1\n2,0,1\n", 0, "has no row for node 1, iteration 0");
    row("too few nodes", good, 0, "records 1 node, but the cluster has 3", 3);
    row("far too sparse", good + "1000000,60000000,1\n", 0, "has no row for node");
    row("the last cells missing", k_header + "0,0,1\n0,1,1\n1,0,1\n", 0,
        "has no row for node 1, iteration 1");
}

void TestTrace::aBadFileIsRefusedWithItsLine()
{
    QFETCH(const QString, content);
    QFETCH(const int, nodes);
    QFETCH(const int, line);
    QFETCH(const QString, what);

    const Problem problem = refusal(content.toStdString(), static_cast<std::size_t>(nodes));

    QVERIFY2(QString::fromStdString(problem.what).contains(what), problem.what.c_str());
    QCOMPARE(problem.line, line);
}

void TestTrace::whatIsNoFileIsRefused()
{
    const ScratchFolder folder;
    QVERIFY(refusal(folder.path() / "missing.csv", 1).what.starts_with("cannot be read as a trace"));
    QVERIFY(refusal(folder.path(), 1).what.starts_with("cannot be read as a trace"));
}

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
